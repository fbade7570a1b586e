"""One line of a room's log.

Law: a room is the fold of its entries. What is not in an entry did not happen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "created",
    "joined",
    "left",
    "preparing",
    "unprepared",
    "optionsSet",
    "freed",
    "swapped",
    "began",
    "started",
    "turn",
    "withdrew",
    "tookBack",
    "drawn",
    "aborted",
    "paused",
    "continued",
    "addedTime",
    "said",
    "offered",
    "answered",
    "rematch",
    "revived",
    "restored",
    "closed",
]


class Cause(NamedTuple):
    """The command behind an entry. (player, id) is unique; `content` tells a repeat from a reuse."""

    player: str
    id: str
    content: int


@lru_cache(maxsize=16_384)
def turn_body(move: str, lag: int = 0) -> dict[str, Any]:
    """One for all turns with this move: nobody changes a body, and it is the largest part of a turn."""
    return {"move": move, "lag": lag} if lag else {"move": move}


class Entry(NamedTuple):
    room: str
    seq: int
    """0 holds what nobody may see (the seed); from 1 on every entry is an event of the room."""
    kind: Kind
    at: int
    """Server time in milliseconds."""
    cause: Cause | None
    seat: int | None
    body: dict[str, Any]
    clocks: tuple[int, ...] | None = None
    """What every seat has left after this entry, in milliseconds."""


Tell: TypeAlias = Callable[[Entry], object]
"""Hears of an entry right after its room has changed by it."""


class SavedPlayer(NamedTuple):
    """A player as it outlives a restart. The token itself is never kept."""

    id: str
    name: str
    token_hash: bytes
    bot: bool
    created: int
    seen: int
    """When it was last here, in milliseconds of server time; as `created` if it never sat down."""


class GameResult(NamedTuple):
    """How a game ended: durable together with the entry that ended it."""

    room: str
    game: str
    at: int
    players: tuple[str, ...]
    """Who sat on each seat."""
    outcome: dict[str, Any]


class Damaged(Exception):
    """A room's log is not as it was written, and no room comes of it. The text says what is wrong."""


class Saved(NamedTuple):
    """What a server starts from."""

    players: list[SavedPlayer]
    logs: list[list[Entry]]
    """The log of every room that is not closed, each from entry 0 on."""
    closed: list[list[Entry]]
    """The same of rooms that closed a moment before the server ended, in that order."""
    damaged: dict[str, str]
    """The ids of rooms whose logs cannot be read, and what is wrong with each."""
    restored: bool = False
    """Whether a copy was put in the place of what clients know."""
