"""One line of a room's log.

Law: a room is the fold of its entries. What is not in an entry did not happen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from tablero_protocol.messages import Muting

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
def turn_body(move: str, lag: int = 0, to_move: tuple[int, ...] = ()) -> dict[str, Any]:
    """The body of all turns with this move: bodies are never changed, and are the largest part of a turn.

    `to_move`, the seats to move next, is set in correspondence games: a start then need not replay them.
    """
    body: dict[str, Any] = {"move": move, "lag": lag} if lag else {"move": move}
    return {**body, "toMove": list(to_move)} if to_move else body


class Entry(NamedTuple):
    room: str
    seq: int
    """The entry's number: 0 holds the seed, which stays hidden; from 1 on every entry is an event of the
    room."""
    kind: Kind
    at: int
    """Server time in milliseconds."""
    cause: Cause | None
    seat: int | None
    body: dict[str, Any]
    clocks: tuple[int, ...] | None = None
    """The time left of every seat after this entry, in milliseconds."""


Tell: TypeAlias = Callable[[Entry], object]
"""A listener that gets an entry right after its room has applied it."""


class SavedPlayer(NamedTuple):
    """A player as it outlives a restart."""

    id: str
    name: str
    bot: bool
    created: int
    seen: int
    """The last visit, in milliseconds of server time; `created` if the player is not kept for long."""


class SavedToken(NamedTuple):
    """A player's token. Only its hash is stored."""

    hash: bytes
    player: str
    device: str
    created: int
    used: int
    """The time when it was last used, in milliseconds of server time."""


class SavedMute(NamedTuple):
    """A mute of one player by another; `what` is "none" when it ends."""

    player: str
    muted: str
    what: Muting


class Sanction(NamedTuple):
    """A ban or mute by the host: of a player, an address, or both."""

    id: str
    kind: str
    """The kind: "out" is a ban, "chat" a mute."""
    player: str | None
    name: str
    """The player's name at that time."""
    network: str | None
    """An address, or many; with `player` it concerns only those who came after `created`."""
    until: int | None
    """None: permanently."""
    why: str
    created: int


class Placing(NamedTuple):
    """The result of one seat in a finished game: durable together with the entry that ended it."""

    room: str
    seat: int
    player: str
    bot: bool
    level: str
    """The level of a bot; empty for a person."""
    rival: str | None
    """The other player of a game for two; None if it was the same, or there were more."""
    game: str
    speed: str | None
    """None: it was played before there were speeds."""
    course: str | None
    """The official level whose best times it counts for, if it does."""
    at: int
    place: int | None
    """The place: 1 for winners, and for all in a draw; None if seats are not placed."""
    score: int | None
    kind: str
    """The outcome's kind and reason."""
    reason: str
    private: bool
    flagged: bool = False
    """Whether the game counts for nothing: the two came from one address, or the host has struck it."""
    milliseconds: int | None = None
    """The time in which `course` was mastered, if it was."""
    value: float | None = None
    """The rating after this game, if it was rated, with its"""
    deviation: float | None = None
    volatility: float | None = None
    games: int | None = None
    """The number of rated games behind the rating, with this one."""


class Forgotten(NamedTuple):
    """A player that was deleted."""

    player: str


class EndedToken(NamedTuple):
    """A token that has ended."""

    hash: bytes


class Rerated(NamedTuple):
    """The new rating after a game that ended before."""

    placing: Placing


class Lifted(NamedTuple):
    """A decision of the host that holds no longer."""

    sanction: Sanction


Kept: TypeAlias = (
    SavedPlayer | SavedToken | EndedToken | Forgotten | SavedMute | Placing | Rerated | Sanction | Lifted
)
"""A row that is stored beside the logs."""


class Damaged(Exception):
    """A room's log is not as it was written, and no room comes of it. The text says what is wrong."""


class Saved(NamedTuple):
    """The stored state that a server starts from."""

    players: list[SavedPlayer]
    tokens: list[SavedToken]
    logs: list[list[Entry]]
    """The log of every room that is not closed, each from entry 0 on."""
    closed: list[list[Entry]]
    """The logs of rooms that closed a moment before the server ended, in that order."""
    damaged: dict[str, str]
    """The ids of rooms whose logs cannot be read, and what is wrong with each."""
    restored: bool = False
    """Whether a copy was put in the place of what clients know."""
    sanctions: tuple[Sanction, ...] = ()
    mutes: tuple[SavedMute, ...] = ()
    rated: tuple[Placing, ...] = ()
    """The newest game of each rating."""
    rivals: tuple[tuple[str, str, str, str, str], ...] = ()
    """Pairs of players in rated games: player, game, speed, level and rival."""
