"""One line of a room's log.

Law: a room is the fold of its entries. Anything that is not in an entry did not happen.
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
    """The command behind an entry. (player, id) is unique; `content` tells a repeated command from a reused
    id.
    """

    player: str
    id: str
    content: int


@lru_cache(maxsize=16_384)
def turn_body(move: str, lag: int = 0, to_move: tuple[int, ...] = ()) -> dict[str, Any]:
    """One body for all turns with this move, because bodies never change and are the largest part of a turn.

    Correspondence games also store `to_move`, the seats to move next, so that the server need not replay them
    when it starts.
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
"""A listener that is called with an entry right after the room has applied it."""


class SavedPlayer(NamedTuple):
    """The stored part of a player, which outlives a restart."""

    id: str
    name: str
    bot: bool
    created: int
    seen: int
    """The last visit, in milliseconds of server time; equal to `created` for a player who is not kept for
    long.
    """


class SavedToken(NamedTuple):
    """A player's token. Only its hash is stored."""

    hash: bytes
    player: str
    device: str
    created: int
    used: int
    """The time when it was last used, in milliseconds of server time."""


class SavedMute(NamedTuple):
    """A mute of one player by another; `what` is "none" when the mute ends."""

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
    """The player's name when the host decided."""
    network: str | None
    """An address or a network. With `player`, only newcomers since `created` are concerned."""
    until: int | None
    """The end of the ban or mute; None: permanent."""
    why: str
    created: int


class Placing(NamedTuple):
    """The result of one seat in a finished game. It is saved together with the entry that ended the game."""

    room: str
    seat: int
    player: str
    bot: bool
    level: str
    """The level of a bot; empty for a person."""
    rival: str | None
    """The other player of a game for two; None if one player had both seats, or there were more seats."""
    game: str
    speed: str | None
    """The speed of the game; None for games from before there were speeds."""
    course: str | None
    """The official level for whose best times this game counts, if any."""
    at: int
    place: int | None
    """The place: 1 for winners, and for all in a draw; None if seats are not placed."""
    score: int | None
    kind: str
    """The outcome's kind and reason."""
    reason: str
    private: bool
    flagged: bool = False
    """Whether the game counts for nothing: both players came from one address, or the host struck
    the game.
    """
    milliseconds: int | None = None
    """The time in which `course` was won, if it was."""
    value: float | None = None
    """The rating after this game, if the game was rated; its deviation and volatility follow."""
    deviation: float | None = None
    volatility: float | None = None
    games: int | None = None
    """The number of rated games behind the rating, with this one."""


class Forgotten(NamedTuple):
    """A player that was deleted."""

    player: str


class EndedToken(NamedTuple):
    """A token that was signed out."""

    hash: bytes


class Rerated(NamedTuple):
    """The new rating after an earlier game, computed again."""

    placing: Placing


class Lifted(NamedTuple):
    """A ban or mute that the host lifted."""

    sanction: Sanction


Kept: TypeAlias = (
    SavedPlayer | SavedToken | EndedToken | Forgotten | SavedMute | Placing | Rerated | Sanction | Lifted
)
"""A row that is stored beside the logs."""


class Damaged(Exception):
    """Raised for a room's log that differs from what was written. Such a log is not loaded. The text says
    what is wrong.
    """


class Saved(NamedTuple):
    """The stored state that a server starts from."""

    players: list[SavedPlayer]
    tokens: list[SavedToken]
    logs: list[list[Entry]]
    """The log of every room that is not closed, each from entry 0 on."""
    closed: list[list[Entry]]
    """The logs of rooms that closed shortly before the server stopped, oldest first."""
    damaged: dict[str, str]
    """The rooms whose logs cannot be read: the error by room id."""
    restored: bool = False
    """Whether a backup was restored, so that clients may know later entries than the server."""
    sanctions: tuple[Sanction, ...] = ()
    mutes: tuple[SavedMute, ...] = ()
    rated: tuple[Placing, ...] = ()
    """The newest rated game behind each rating."""
    rivals: tuple[tuple[str, str, str, str, str], ...] = ()
    """Pairs of players in rated games, as (player, game, speed, level, rival)."""
