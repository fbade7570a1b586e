"""A player's presence. Its connection may drop and come back, and the player keeps the seat.

Law: every change of state is in TRANSITIONS.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from tablero_protocol.messages import BotCard, Muting

from ..effects import PeerId
from ..entry import Entry, SavedPlayer
from ..refusal import Message
from ..room.clock import LAG_MS
from ..room.state import advance
from .tokens import Token

_MOST_LEFT = 8
_MEASUREMENTS = 5


class Source(NamedTuple):
    """The address that a connection comes from."""

    address: str
    shared: bool
    """Whether many people may share the address, so that it is not limited."""


class SessionState(Enum):
    GREETING = "greeting"
    OPEN = "open"
    AWAY = "away"
    GONE = "gone"


class SessionEvent(Enum):
    HELLO = "hello"
    DROP = "drop"
    EXPIRE = "expire"


TRANSITIONS: dict[SessionState, dict[SessionEvent, SessionState]] = {
    SessionState.GREETING: {SessionEvent.HELLO: SessionState.OPEN},
    SessionState.OPEN: {SessionEvent.HELLO: SessionState.OPEN, SessionEvent.DROP: SessionState.AWAY},
    SessionState.AWAY: {SessionEvent.HELLO: SessionState.OPEN, SessionEvent.EXPIRE: SessionState.GONE},
    SessionState.GONE: {},
}


@dataclass(slots=True, eq=False)
class Account:
    """A player as the server knows it."""

    id: str
    name: str
    bot: bool
    created: int
    saved: SavedPlayer | None = None
    """The account as it was last saved."""
    card: BotCard | None = None
    rated: bool = False
    """Whether it has a rating."""
    kept: bool = False
    """Whether the account is kept for long, as after a game with another person."""
    of_host: bool = False
    """Whether it is a bot that came with the host's key."""
    failed_to_come: bool = False
    """Whether this bot ignored its last invitation."""
    muted: dict[str, Muting] = field(default_factory=dict)
    """The players that this account muted, by id, and how far each is muted."""
    sessions: set[str] = field(default_factory=set)
    rooms: set[str] = field(default_factory=set)
    """The rooms in which this player is a member."""
    source: Source | None = None
    """The source of the newest connection, also after its session has expired. Never stored."""
    gone_at: int = 0
    """The time when the last connection ended or fell silent; the server's start if there was none since."""
    is_silent: bool = False
    """Whether all connections of the player are silent: others wait for the player as if there were none."""
    logged: dict[str, Entry] = field(default_factory=dict)
    """The commands, by id, that are in the log of an open or recently closed room."""
    packed_entries: int = 0
    """The number of this player's entries in packed rooms."""

    @property
    def stays(self) -> bool:
        """Whether the account is kept however long its player is away: a room or a rating needs it."""
        return bool(self.rooms) or self.rated

    def shuns(self, player: str) -> bool:
        """Whether this account has muted `player` entirely."""
        return self.muted.get(player) == "all"

    def may_meet(self, other: Account) -> bool:
        """Whether the server may put these two players at one table without asking them."""
        return not (self.shuns(other.id) or other.shuns(self.id))

    def set_muted(self, player: str, what: Muting) -> None:
        if what == "none":
            self.muted.pop(player, None)
        else:
            self.muted[player] = what

    def not_saved(self) -> None:
        """Marks the last save as uncertain, so that the account is saved again soon."""
        self.saved = None

    def to_save(self, now: int) -> SavedPlayer:
        seen = max(now, self.created + 1) if self.kept else self.created
        return SavedPlayer(self.id, self.name, self.bot, self.created, seen)

    def shown(self, level: str | None = None) -> Message:
        """The player as others see it; a bot at a table is shown with the level that it was asked to play."""
        shown: Message = {"id": self.id, "name": self.name, "bot": self.bot}
        if level is not None:
            shown["level"] = level
        return shown


@dataclass(slots=True)
class EarlierAnswer:
    content: int
    at: int
    messages: list[Message] | None
    """The answer; None: carry out the command again, because its answer is the current state."""


@dataclass(slots=True, eq=False)
class Session:
    id: str
    account: Account
    state: SessionState = SessionState.GREETING
    peer: PeerId | None = None
    here_since: int = 0
    """The time when the session opened or last reconnected."""
    is_silent: bool = False
    """Whether the open connection has been silent for some seconds."""
    source: Source | None = None
    """The source of the newest connection; never stored."""
    token: Token | None = None
    """The token that opened the last connection."""
    takes_over: set[str] = field(default_factory=set)
    """Rooms in which the session, when it joins, takes over the seats of its player's other devices."""
    rooms: set[str] = field(default_factory=set)
    """The rooms in which this session has a viewer: some or all rooms of the player."""
    round_trips: tuple[int, ...] = ()
    """The last measured round-trip times in milliseconds, each limited to the most that a turn is
    credited.
    """
    left: dict[str, None] = field(default_factory=dict)
    """The rooms that the session left last: a late copy of its join must not bring it back."""
    answered: dict[str, EarlierAnswer] = field(default_factory=dict)
    """Recent answers to commands that are in no log, by command id, oldest first."""

    @property
    def line_ms(self) -> int:
        """The average round-trip time to the session."""
        return sum(self.round_trips) // len(self.round_trips) if self.round_trips else 0

    def measured(self, ms: int) -> None:
        self.round_trips = (*self.round_trips, min(max(0, ms), LAG_MS))[-_MEASUREMENTS:]

    def hello(self, peer: PeerId) -> PeerId | None:
        """Opens the session on `peer`. Returns the older peer that is replaced."""
        replaced, self.peer = self.peer, peer
        self.is_silent = False
        self.state = advance(TRANSITIONS, self.state, SessionEvent.HELLO)
        return replaced

    def drop(self) -> None:
        self.peer = None
        self.round_trips = ()
        self.is_silent = False
        self.state = advance(TRANSITIONS, self.state, SessionEvent.DROP)

    def expire(self) -> None:
        self.state = advance(TRANSITIONS, self.state, SessionEvent.EXPIRE)

    def leave(self, room: str) -> None:
        self.rooms.discard(room)
        self.left[room] = None
        if len(self.left) > _MOST_LEFT:
            del self.left[next(iter(self.left))]

    def remember(self, id: str, answered: EarlierAnswer, oldest: int, most: int) -> None:
        """Keeps an answer. Drops answers from before `oldest`. If more than `most` remain, drops the oldest
        of them.
        """
        self.answered[id] = answered
        for old in list(self.answered):
            if len(self.answered) <= most and self.answered[old].at >= oldest:
                break
            del self.answered[old]
