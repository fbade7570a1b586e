"""What a room is: the fold of its log.

Law: `apply` alone changes a room, and does not ask whether an entry is allowed: what stands in the log has
happened. What may be written there is for `room` to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from itertools import islice
from typing import Any, Self

from tablero_games import GAMES, Play, Position
from tablero_games.position import Json

from ..entry import Entry, Kind
from ..refusal import Message, Refusal
from .clock import Clock, Terms
from .offers import PendingOffer
from .state import (
    PLAYING,
    PREPARING,
    TRANSITIONS,
    WAITING,
    RoomEvent,
    advance,
)

PLIES: frozenset[Kind] = frozenset({"turn", "tookBack"})
"""What counts as a ply."""
MARK_EVERY = 32
"""After so many entries, and once what is hidden was laid out, a room keeps a copy to find its past by."""


class FoldedRoom:
    marks: list[tuple[int, Any]]
    """How many entries it had, and the room of its own class that it was then; see replay."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.log: list[Entry] = []
        self.marks = []
        self.state = WAITING
        self.members: dict[str, Message] = {}
        """Player id to the player as shown."""
        self.seats: list[str | None] = []
        """Who sits there; also after leaving, once the game has begun."""
        self.seated: list[Message | None] = []
        """The same as shown: one bot may play two seats at two levels."""
        self.entries_of: Counter[str] = Counter()
        """How many each player has caused, besides turns."""
        self.play: Play | None = None
        """The game, once it has begun."""
        self.turn_seq = 0
        """The entry that made the position what it is."""
        self.start_seq = 0
        """The entry that began the game."""
        self.prepared: Json = None
        """What a search has found for this game; older logs have it from the beginning."""
        self.unprepared = False
        """Whether the game that all are here for could not be prepared."""
        self.clock: Clock | None = None
        self.paused_until: int | None = None
        """When the game goes on by itself, while it is paused."""
        self.times_added = 0
        """How often somebody has given rivals time."""
        self.takebacks: Counter[str | None] = Counter()
        """How often each player has taken back."""
        self.offers: dict[str, PendingOffer] = {}
        self.next: str | None = None
        self.lets_watch = True
        """Whether one may join to watch."""
        self.flagged = False
        """Whether the two players came from one address when the game began. Then it is not rated."""
        self.clock_terms: Terms | None = None
        self.owner: str | None = None
        """Who may settle what the table is like: whoever opened it, then whoever has been here longest."""

    # What it knows

    @property
    def position(self) -> Position | None:
        return None if self.play is None else self.play.position

    @property
    def ply(self) -> int:
        return 0 if self.play is None else self.play.ply

    @property
    def must_be_prepared(self) -> bool:
        return self.prepared is None and self.game.needs_preparation(self.options)

    @property
    def head(self) -> int:
        return self.log[-1].seq

    def seats_of(self, player: str) -> list[int]:
        return [seat for seat, holder in enumerate(self.seats) if holder == player]

    def plays(self, player: str) -> bool:
        """Whether the game is on, also for a seat of `player`."""
        return any(self.plays_on(seat) for seat in self.seats_of(player))

    @property
    def takes_turns(self) -> bool:
        """Whether one side waits for the other: where several play at once, the others play on."""
        return self.play is not None and self.play.counts == "all" and len(self.seats) > 1

    @property
    def is_correspondence(self) -> bool:
        """Whether its players come and go for days, so that the clock alone says who is away for too long."""
        return self.clock_terms is not None and "days" in self.clock_terms

    @property
    def runs_by_seconds(self) -> bool:
        """Whether a clock of each seat's own runs here, and a slow line costs its player time."""
        return (
            self.clock is not None
            and self.state is PLAYING
            and self.clock.each is None
            and not self.clock.common
        )

    def playing(self) -> set[str]:
        """The players for whom the game is on."""
        return {player for player in self.seats if player is not None and self.plays(player)}

    def rivals(self, player: str) -> list[int]:
        """The seats of others for whom the game is on."""
        return [seat for seat, holder in enumerate(self.seats) if holder != player and self.plays_on(seat)]

    def free_seat(self, kept: set[int]) -> int | None:
        if self.state is not WAITING:
            return None
        free = (seat for seat, holder in enumerate(self.seats) if holder is None and seat not in kept)
        return next(free, None)

    def watchers(self) -> int:
        return sum(player not in self.seats for player in self.members)

    def was_playing(self, seq: int) -> bool:
        """Whether the game was on when entry `seq` was written."""
        ended = self.state is not PLAYING and self.turn_seq < seq
        return 0 < self.start_seq < seq and not ended

    def has_left_since(self, seq: int, player: str) -> bool:
        """Whether a player who is here went after entry `seq`, and came once more."""
        later = islice(reversed(self.log), self.head - seq)
        return any(entry.kind == "left" and entry.body["player"]["id"] == player for entry in later)

    def check_seat_exists(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refusal("seatNotHere", seat=seat, last=len(self.seats) - 1)

    def _all_have_moved(self) -> bool:
        return self.play is not None and all(self.play.plies)

    def plays_on(self, seat: int) -> bool:
        """Whether the game is on, also for this seat: a race goes on without those who are out."""
        return self.state is PLAYING and self.play is not None and seat in self.play.position.playing

    # The fold

    @classmethod
    def fold(cls, log: Iterable[Entry]) -> Iterator[Self]:
        """The room after each entry of its log."""
        room = None
        for entry in log:
            room = cls(entry.room) if room is None else room
            room.apply(entry)
            yield room

    def apply(self, entry: Entry, after: Play | None = None) -> None:
        """The only way a room changes. `after` is the game after a turn, if it is known already."""
        self.log.append(entry)
        seat, body = entry.seat, entry.body
        if entry.cause is not None and entry.kind != "turn":
            self.entries_of[entry.cause.player] += 1
        match entry.kind:
            case "turn" | "withdrew" | "tookBack" | "drawn" | "aborted" | "revived":
                assert self.play is not None
                self.play = after or _after(self.play, entry)
                self._turned(entry)
                if entry.kind == "tookBack":
                    self.takebacks[self.seats[seat or 0]] += 1
            case "created":
                self._created(body)
            case "joined":
                shown = body["player"]
                self.members[shown["id"]] = shown
                self.owner = self.owner or shown["id"]
                if seat is not None:
                    self.seats[seat], self.seated[seat] = shown["id"], shown
            case "preparing":
                self.state = advance(TRANSITIONS, self.state, RoomEvent.SEATS_FILLED)
            case "unprepared":
                self._set_back()
                self.unprepared = True
            case "optionsSet":
                self._set_back()
                self._read_options(body["options"])
                self.clock_terms = body.get("clock", self.clock_terms)
                self.lets_watch = body.get("watchers", self.lets_watch)
                self.prepared = None
            case "freed":
                assert seat is not None
                self._set_back()
                self.seats[seat] = self.seated[seat] = None
            case "swapped":
                one, other = body["seats"]
                for row in (self.seats, self.seated):
                    row[one], row[other] = row[other], row[one]
            case "began":
                self.seats = [self.seats[kept] for kept in body["seats"]]
                self.seated = [self.seated[kept] for kept in body["seats"]]
            case "started":
                self._started(entry)
            case "left":
                self._left(body["player"]["id"])
            case "paused" | "continued" | "addedTime":
                self._clock_changed(entry)
            case "offered":
                assert seat is not None
                pending = PendingOffer(body["offer"], body["what"], seat, frozenset({seat}))
                self.offers[pending.id] = pending
            case "answered":
                assert seat is not None
                pending = self.offers[body["offer"]]
                if body["yes"]:
                    self.offers[pending.id] = replace(pending, yes=pending.yes | {seat})
                else:
                    del self.offers[pending.id]
            case "rematch":
                self.next = body["next"]
            case "closed":
                self.state = advance(TRANSITIONS, self.state, RoomEvent.EMPTIED)
            case "restored":
                self.epoch: str = body["epoch"]
        if not (entry.seq + 1) % MARK_EVERY or (entry.kind == "started" and self.game.hidden):
            self.marks.append((entry.seq + 1, self.copy()))

    def copy(self) -> Self:
        """What it is now, whatever comes, but for its log. Shared is all that is never changed in place."""
        twin = copy(self)
        twin.log, twin.marks = [], []
        for name in ("members", "seats", "seated", "offers", "entries_of", "takebacks"):
            setattr(twin, name, copy(getattr(self, name)))
        return twin

    def _created(self, body: Message) -> None:
        self.game = GAMES[body["game"]]
        self._read_options(body["options"])
        self.seats = [None] * body["seats"]
        self.seated = [None] * body["seats"]
        self.private: bool = body["private"]
        self.lets_watch = body.get("watchers", True)
        self.clock_terms = body["clock"]
        # Older logs have rated games without a clock. They need never end, so they count for nobody.
        self.rated: bool = body.get("rated", False) and self.clock_terms is not None
        self.first_move_ms: int = body.get("firstMove", 0)
        self.epoch = body["epoch"]
        self.code: str | None = body["code"]
        self.seed = int(body["seed"], 16)
        self.prepared = body.get("prepared")

    def _read_options(self, options: Message) -> None:
        self.options_json, self.options = options, self.game.read_options(options)

    def _started(self, entry: Entry) -> None:
        self.prepared = entry.body.get("prepared", self.prepared)
        self.play = Play.begin(self.game, len(self.seats), self.seed, self.prepared, self.options_json)
        self.state = advance(TRANSITIONS, self.state, RoomEvent.STARTED)
        self.start_seq = entry.seq
        self.flagged = entry.body.get("flagged", False)
        self.rated = self.rated and not self.flagged
        if terms := self.clock_terms:
            common = self.play.counts != "all"
            self.clock = Clock.start(
                len(self.seats), terms, entry.at, common=common, first_move_ms=self.first_move_ms
            )
        self._turned(entry)

    def _turned(self, entry: Entry) -> None:
        """What follows from any change of the position."""
        assert self.play is not None
        position = self.play.position
        self.turn_seq = entry.seq
        self.offers.clear()
        if self.clock is not None:
            left = entry.clocks or self.clock.remaining
            revived, author = entry.kind == "revived", entry.seat if entry.kind == "turn" else None
            since = entry.at + entry.body["grace"] if revived else max(entry.at, self.clock.since)
            self.clock = self.clock.turned(
                left, position.to_move, author, entry.seq, since, entry.body.get("lag", 0)
            )
            if entry.kind == "tookBack":
                self.clock = self.clock.first_moves_anew()
        if position.outcome is not None:
            self.state = advance(TRANSITIONS, self.state, RoomEvent.GAME_ENDED)
            self.paused_until = None

    def _clock_changed(self, entry: Entry) -> None:
        """The position is as it was; what was offered before everybody was shown it anew is off the table."""
        assert self.clock is not None
        assert self.play is not None
        self.turn_seq = entry.seq
        self.offers.clear()
        left, to_move = entry.clocks or self.clock.remaining, self.play.position.to_move
        if entry.kind == "addedTime":
            self.times_added += 1
            since = max(entry.at, self.clock.since)
            self.clock = self.clock.turned(left, to_move, None, entry.seq, since)
            return
        if entry.kind == "paused":
            self.paused_until = entry.body["until"]
            self.clock = self.clock.paused(left, entry.at)
        else:
            self.paused_until = None
            self.clock = self.clock.going_on(to_move, entry.seq, entry.at)

    def _left(self, player: str) -> None:
        if player == self.owner:
            self.owner = self._heir(player)
        del self.members[player]
        if player in self.seats:
            self.offers.clear()
        if self.state in (WAITING, PREPARING) and player in self.seats:
            self._set_back()
            for seat in self.seats_of(player):
                self.seats[seat] = self.seated[seat] = None

    def _heir(self, player: str) -> str | None:
        """Who owns the table once `player` has left: of those who sit, else of all, who came first."""
        others = [member for member in self.members if member != player]
        return next((member for member in others if member in self.seats), next(iter(others), None))

    def _set_back(self) -> None:
        """What was being made, or could not be, is wanted no more."""
        self.unprepared = False
        if self.state is PREPARING:
            self.state = advance(TRANSITIONS, self.state, RoomEvent.SET_BACK)


def _after(play: Play, entry: Entry) -> Play:
    """The game as it goes on with an entry."""
    match entry.kind:
        case "turn":
            return play.turn(entry.seat or 0, entry.body["move"])
        case "withdrew":
            return play.withdraw(entry.seat or 0, entry.body["reason"])
        case "tookBack":
            return play.take_back(entry.seat or 0)
        case "drawn":
            return play.adjudicate("draw", entry.body.get("reason", "agreed"))
        case "aborted":
            return play.adjudicate("aborted", entry.body["reason"])
    return play
