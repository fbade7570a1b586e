"""One player's presence: a connection that may drop and come back without anybody losing a seat.

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
    """The place that a connection comes from."""

    address: str
    shared: bool
    """Whether its network is not limited by address: more people than one may be behind it."""


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
    """The account as it was last made durable."""
    card: BotCard | None = None
    rated: bool = False
    """Whether it has a rating."""
    kept: bool = False
    """Whether it is remembered for long: it has played with another person, or done as much."""
    of_host: bool = False
    """Whether it is a bot that came with the host's key."""
    failed_to_come: bool = False
    """Whether nothing came of the last invitation that it was sent."""
    muted: dict[str, Muting] = field(default_factory=dict)
    """The muted players, by id, and whether entirely."""
    sessions: set[str] = field(default_factory=set)
    rooms: set[str] = field(default_factory=set)
    """The rooms in which this player is a member."""
    source: Source | None = None
    """The place that the newest connection came from, also when its session has expired. Never stored."""
    gone_at: int = 0
    """The time when the last connection ended or fell silent, or when this server started without one."""
    is_silent: bool = False
    """Whether all its connections are silent: the others wait, as if it had none."""
    logged: dict[str, Entry] = field(default_factory=dict)
    """The commands, by id, that are in the log of an open or recently closed room."""
    packed_entries: int = 0
    """The number of its entries in packed rooms."""

    @property
    def stays(self) -> bool:
        """Whether it is not forgotten, however long it is away: a game waits for it, or it has a rating."""
        return bool(self.rooms) or self.rated

    def shuns(self, player: str) -> bool:
        """Whether it wants nothing at all of `player`."""
        return self.muted.get(player) == "all"

    def may_meet(self, other: Account) -> bool:
        """Whether these two may be brought together without being asked."""
        return not (self.shuns(other.id) or other.shuns(self.id))

    def set_muted(self, player: str, what: Muting) -> None:
        if what == "none":
            self.muted.pop(player, None)
        else:
            self.muted[player] = what

    def not_saved(self) -> None:
        """Notes that the last save is uncertain: it is saved again soon."""
        self.saved = None

    def to_save(self, now: int) -> SavedPlayer:
        seen = max(now, self.created + 1) if self.kept else self.created
        return SavedPlayer(self.id, self.name, self.bot, self.created, seen)

    def shown(self, level: str | None = None) -> Message:
        """The player as others see it; at a table with the level it was asked to play."""
        shown: Message = {"id": self.id, "name": self.name, "bot": self.bot}
        if level is not None:
            shown["level"] = level
        return shown


@dataclass(slots=True)
class EarlierAnswer:
    content: int
    at: int
    messages: list[Message] | None
    """None: the command is simply carried out again, its answer being how things are now."""


@dataclass(slots=True, eq=False)
class Session:
    id: str
    account: Account
    state: SessionState = SessionState.GREETING
    peer: PeerId | None = None
    here_since: int = 0
    """The time when it was opened, or reconnected."""
    is_silent: bool = False
    """Whether its connection is open, and nothing was heard of it for some seconds."""
    source: Source | None = None
    """The source of its newest connection; never stored."""
    token: Token | None = None
    """The token that opened its last connection."""
    takes_over: set[str] = field(default_factory=set)
    """Rooms in which it takes over the seats of its player's other devices when it joins."""
    rooms: set[str] = field(default_factory=set)
    """The rooms in which this session has a viewer: some or all of its player's rooms."""
    round_trips: tuple[int, ...] = ()
    """The last ones that were measured, in milliseconds; each of at most what is given back of a turn."""
    left: dict[str, None] = field(default_factory=dict)
    """The rooms that it left last: a late copy of its join does not bring it back."""
    answered: dict[str, EarlierAnswer] = field(default_factory=dict)
    """Recent commands that are in no log, with their answers, by id, oldest first."""

    @property
    def line_ms(self) -> int:
        """The average round-trip time to the session."""
        return sum(self.round_trips) // len(self.round_trips) if self.round_trips else 0

    def measured(self, ms: int) -> None:
        self.round_trips = (*self.round_trips, min(max(0, ms), LAG_MS))[-_MEASUREMENTS:]

    def hello(self, peer: PeerId) -> PeerId | None:
        """Opens it on `peer`, and says which older peer that replaces."""
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
        """Keeps an answer, and forgets those from before `oldest` and beyond `most`."""
        self.answered[id] = answered
        for old in list(self.answered):
            if len(self.answered) <= most and self.answered[old].at >= oldest:
                break
            del self.answered[old]
