"""A room: the fold of its log, and the commands that are allowed in it.

Law: only `apply` changes a room, and it does not check whether an entry is allowed. A command checks first,
and refuses before anything has changed. Then it writes its entries, and calls its listener with each of them
right after the entry is applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self

from tablero_games import GAMES, IllegalMove, Play, Position
from tablero_games.position import Json, Reason
from tablero_protocol.phrases import Phrase

from ..entry import Cause, Entry, Kind, Tell, turn_body
from ..refusal import ByTheRules, Message, Refusal
from .clock import Clock, LineOf, Terms, first_time, no_line
from .setup import Plan
from .state import FINISHED, PLAYING, PREPARING, TRANSITIONS, WAITING, RoomEvent, advance, not_playing

_new = tuple.__new__  # a named tuple's own constructor takes twice as long
PLIES: frozenset[Kind] = frozenset({"turn", "tookBack"})
"""The entries that count as a ply."""
MARK_EVERY = 32
"""The number of entries between two copies of a room, which make its past quick to find. One more copy is
made once the hidden part of a game is dealt.
"""


def _after(play: Play, entry: Entry) -> Play:
    """The game after one more entry."""
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


MOST_TAKEBACKS = 10
"""The most takebacks of one player in one game."""


@dataclass(frozen=True, slots=True)
class PendingOffer:
    id: str
    what: str
    seat: int
    yes: frozenset[int]


def check_may_offer(room: Room, seat: int, what: str) -> None:
    if what != "rematch":
        if room.play is None or room.state is not PLAYING:
            raise not_playing(room.state, room.unprepared)
        if not room.plays_on(seat):
            raise Refusal("seatIsOut", seat=seat)
    if what == "pause" and room.clock is None:
        raise Refusal("noClock")
    if what == "pause" and room.paused_until is not None:
        raise Refusal("gamePaused")
    if what == "continue" and room.paused_until is None:
        raise Refusal("notPaused")
    if what == "takeback":
        assert room.play is not None
        if room.rated:
            raise Refusal("noTakebackRated")
        if room.play.begun is None:
            raise Refusal("noTakebackHere")
        if not room.play.moves_to_take_back(seat):
            raise Refusal("noMoveOfYours")
        if room.takebacks[room.seats[seat]] >= MOST_TAKEBACKS:
            raise Refusal("tookBackOften", most=MOST_TAKEBACKS)
    if what == "rematch":
        if room.state is not FINISHED:
            raise Refusal("notOver")
        if room.next is not None:
            raise Refusal("rematchBegun")
        if any(player not in room.members for player in room.seats):
            raise Refusal("playerLeft")


def agreed_to_rematch(room: Room) -> bool:
    if not room.offers or room.next is not None:
        return False
    return any(pending.what == "rematch" and all_agree(room, pending) for pending in room.offers.values())


def won_after(room: Room) -> dict[str, int]:
    """The number of games that each player has won in this series of rematches, with this game."""
    outcome = None if room.play is None else room.play.position.outcome
    won = Counter(room.won or {})
    won.update({room.seats[seat] or "" for seat in (() if outcome is None else outcome.winners)})
    return dict(won)


def all_agree(room: Room, pending: PendingOffer) -> bool:
    """Whether everybody who is needed has agreed: for a rematch all players, otherwise those still in the
    game.
    """
    agreed = {room.seats[seat] for seat in pending.yes}
    asked = (seat for seat in range(len(room.seats)) if pending.what == "rematch" or room.plays_on(seat))
    return all(room.seats[seat] in agreed for seat in asked)


PAUSE_MS = 15 * 60_000
"""The longest pause; after it the game continues."""
ADDED_MS = 15_000
"""The time that `addTime` gives to each rival."""
MOST_TIMES_ADDED = 20
"""The most times that time is added in one game."""


class Room:
    __slots__ = (
        "began",
        "clock",
        "clock_terms",
        "code",
        "entries_of",
        "epoch",
        "first_move_ms",
        "flagged",
        "game",
        "id",
        "lets_watch",
        "log",
        "marks",
        "members",
        "milliseconds",
        "next",
        "offers",
        "options",
        "options_json",
        "owner",
        "paused_until",
        "play",
        "prepared",
        "private",
        "rated",
        "seated",
        "seats",
        "seed",
        "start_seq",
        "starts",
        "state",
        "takebacks",
        "times_added",
        "turn_seq",
        "unprepared",
        "won",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.log: list[Entry] = []
        self.marks: list[tuple[int, Room]] = []
        """Earlier copies of the room, each with its number of entries; see `replay`."""
        self.state = WAITING
        self.members: dict[str, Message] = {}
        """The members as others see them, by player id."""
        self.seats: list[str | None] = []
        """The ids of the players by seat. Once the game has begun, they stay after leaving."""
        self.seated: list[Message | None] = []
        """The players by seat as others see them: a bot may play two seats at two levels."""
        self.entries_of: Counter[str] = Counter()
        """The number of entries besides turns that each player has caused."""
        self.play: Play | None = None
        """The game, once it has begun."""
        self.turn_seq = 0
        """The number of the entry that led to the position."""
        self.start_seq = 0
        """The number of the entry that started the game."""
        self.prepared: Json = None
        """The result of the search for this game. Older logs have the result in entry 0."""
        self.unprepared = False
        """Whether preparing the game failed while all seats were taken."""
        self.starts: int | None = None
        """The time at which the countdown of a race ends, while the countdown runs."""
        self.began: int | None = None
        """The time from which the duration is measured: the start of a race or a prepared game, otherwise the
        first move. Each pause moves this time forward.
        """
        self.milliseconds: int | None = None
        """The duration of the game, once it is over."""
        self.clock: Clock | None = None
        self.paused_until: int | None = None
        """The time at which a paused game continues without a command."""
        self.times_added = 0
        """The number of times that a player added time."""
        self.takebacks: Counter[str | None] = Counter()
        """The number of takebacks of each player."""
        self.offers: dict[str, PendingOffer] = {}
        self.next: str | None = None
        self.lets_watch = True
        """Whether players may join to watch."""
        self.flagged = False
        """Whether both players came from one address at the start. Then the game is not rated."""
        self.clock_terms: Terms | None = None
        self.owner: str | None = None
        """The player who may change the table: at first its opener, later the longest-present member."""

    # Questions

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
        """Whether the game is running and `player` still has a seat in it."""
        return any(self.plays_on(seat) for seat in self.seats_of(player))

    @property
    def takes_turns(self) -> bool:
        """Whether seats wait for each other's turns; in other games all play at the same time."""
        return self.play is not None and self.play.counts == "all" and len(self.seats) > 1

    @property
    def is_correspondence(self) -> bool:
        """Whether players come and go for days, so that only the clock limits an absence."""
        return self.clock_terms is not None and "days" in self.clock_terms

    @property
    def runs_by_seconds(self) -> bool:
        """Whether a clock of seconds runs here, so that a slow line costs a player time."""
        return self.clock is not None and self.state is PLAYING and not self.is_correspondence

    def playing(self) -> set[str]:
        """The players still in the game."""
        return {player for player in self.seats if player is not None and self.plays(player)}

    def rivals(self, player: str) -> list[int]:
        """The seats of other players still in the game."""
        return [seat for seat, holder in enumerate(self.seats) if holder != player and self.plays_on(seat)]

    def free_seat(self, kept: set[int]) -> int | None:
        if self.state is not WAITING:
            return None
        free = (seat for seat, holder in enumerate(self.seats) if holder is None and seat not in kept)
        return next(free, None)

    def watchers(self) -> int:
        return sum(player not in self.seats for player in self.members)

    def was_playing(self, seq: int) -> bool:
        """Whether the game was running when entry `seq` was written."""
        ended = self.state is not PLAYING and self.turn_seq < seq
        return 0 < self.start_seq < seq and not ended

    def has_left_since(self, seq: int, player: str) -> bool:
        """Whether a player who is here left after entry `seq` and came back."""
        later = islice(reversed(self.log), self.head - seq)
        return any(entry.kind == "left" and entry.body["player"]["id"] == player for entry in later)

    def check_seat_exists(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refusal("seatNotHere", seat=seat, last=len(self.seats) - 1)

    def _all_have_moved(self) -> bool:
        return self.play is not None and all(self.play.plies)

    def plays_on(self, seat: int) -> bool:
        """Whether the game is running and this seat is still in it: in a race, other seats may be out."""
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
        """Changes the room. Only this method may do that. `after` is the game after a turn, if already
        computed.
        """
        self.log.append(entry)
        _, seq, kind, _, cause, seat, body, _ = entry
        if cause is not None and kind != "turn":
            self.entries_of[cause.player] += 1
        match kind:
            case "turn" | "withdrew" | "tookBack" | "drawn" | "aborted" | "revived":
                assert self.play is not None
                self.play = after or _after(self.play, entry)
                self._turned(entry)
                if kind == "tookBack":
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
                self.prepared = body.get("prepared", self.prepared)
                self.starts = body.get("starts")
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
        if not (seq + 1) % MARK_EVERY or (kind == "started" and self.game.hidden):
            self.marks.append((seq + 1, self.copy()))

    def copy(self) -> Self:
        """A copy without a log. Later entries don't change the copy. Values that never change are shared."""
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
        # Older logs have rated games without a clock. Such a game may never end, so it is not rated.
        self.rated: bool = body.get("rated", False) and self.clock_terms is not None
        self.first_move_ms: int = body.get("firstMove", 0)
        self.epoch = body["epoch"]
        self.code: str | None = body["code"]
        self.seed = int(body["seed"], 16)
        self.prepared = body.get("prepared")
        self.won: dict[str, int] | None = body.get("won")

    def _read_options(self, options: Message) -> None:
        self.options_json, self.options = options, self.game.read_options(options)

    def _started(self, entry: Entry) -> None:
        self.prepared = entry.body.get("prepared", self.prepared)
        self.play = Play.begin(self.game, len(self.seats), self.seed, self.prepared, self.options_json)
        self.state = advance(TRANSITIONS, self.state, RoomEvent.STARTED)
        self.start_seq, self.starts = entry.seq, None
        if self.prepared is not None or self.play.counts == "own":
            self.began = entry.at
        self.flagged = entry.body.get("flagged", False)
        self.rated = self.rated and not self.flagged
        if terms := self.clock_terms:
            common = self.play.counts != "all"
            self.clock = Clock.start(
                len(self.seats), terms, entry.at, common=common, first_move_ms=self.first_move_ms
            )
        self._turned(entry)

    def _turned(self, entry: Entry) -> None:
        """Updates everything that depends on the position."""
        assert self.play is not None
        position = self.play.position
        self.turn_seq = entry.seq
        self.offers.clear()
        if self.began is None and entry.kind == "turn":
            self.began = entry.at
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
            self.milliseconds = None if self.began is None else entry.at - self.began

    def _clock_changed(self, entry: Entry) -> None:
        """Updates the clock. The position stays, and open offers end."""
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
            if self.began is not None and self.paused_until is not None:
                self.began += entry.at - (self.paused_until - PAUSE_MS)
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
        """The owner after `player` leaves: the earliest member with a seat, otherwise the earliest member."""
        others = [member for member in self.members if member != player]
        return next((member for member in others if member in self.seats), next(iter(others), None))

    def _set_back(self) -> None:
        """Cancels a preparation that is running or has failed."""
        self.unprepared, self.starts = False, None
        if self.state is PREPARING:
            self.state = advance(TRANSITIONS, self.state, RoomEvent.SET_BACK)

    # Commands

    @classmethod
    def create(
        cls,
        id: str,
        plan: Plan,
        *,
        epoch: str,
        code: str | None,
        now: int,
        tell: Tell,
        first_move_ms: int = 0,
    ) -> Room:
        room = cls(id)
        body = {**plan.to_json(), "firstMove": first_move_ms}
        room._write(tell, "created", now, **body, epoch=epoch, code=code)
        return room

    def join(self, cause: Cause | None, shown: Message, seat: int | None, now: int, tell: Tell) -> None:
        """Adds a player to the room; with `seat`, also gives them that seat."""
        if seat is not None:
            self.check_seat_exists(seat)
            if self.seats[seat] is not None or self.state is not WAITING:
                raise Refusal("seatTaken", seat=seat)
        self._write(tell, "joined", now, cause, seat, player=shown)

    def start_if_full(self, now: int, tell: Tell, *, flagged: bool = False, countdown_ms: int = 0) -> None:
        """Once all seats are taken, starts the game or its preparation. For the arguments see `_start`."""
        if self.state is not WAITING or None in self.seats or self.unprepared:
            return
        if self.must_be_prepared:
            self._write(tell, "preparing", now)
        else:
            self._start(now, tell, flagged, countdown_ms)

    def has_found(
        self, found: Json | None, now: int, tell: Tell, *, flagged: bool = False, countdown_ms: int = 0
    ) -> None:
        """Starts the game with the result of its search; None: the search failed."""
        if found is not None:
            self._start(now, tell, flagged, countdown_ms, prepared=found)
        else:
            nothing = Refusal("noFieldFound")
            self._write(tell, "unprepared", now, code=nothing.code.value, message=nothing.sentence)

    def end_countdown(self, now: int, tell: Tell, *, flagged: bool) -> None:
        if self.starts is not None:
            self._start(now, tell, flagged)

    def _start(self, now: int, tell: Tell, flagged: bool, countdown_ms: int = 0, **body: Json) -> None:
        """Starts the game. A race with a person starts with a countdown, during which no one sees the board.

        `flagged` means that both players come from one address. The address is in no log.
        """
        if countdown_ms and self.game.counts(self.options) == "own" and self._has_person():
            self._write(tell, "preparing", now, starts=now + countdown_ms, **body)
            return
        if flagged:
            body["flagged"] = True
        clocks = self.clock_terms and (first_time(self.clock_terms),) * len(self.seats)
        self._write(tell, "started", now, clocks=clocks or None, **body)

    def _has_person(self) -> bool:
        return any(shown is not None and not shown["bot"] for shown in self.seated)

    def check_settles(self, player: str) -> None:
        """Refuses a change of the table's settings by anyone but the owner, or after the start."""
        if player != self.owner:
            raise Refusal("notOwner")
        if self.state not in (WAITING, PREPARING):
            raise Refusal("gameBegun")

    def set_options(
        self,
        cause: Cause,
        options: Message,
        clock: Terms | None,
        watchers: bool,
        now: int,
        tell: Tell,
    ) -> None:
        """Sets the options of the game, its clock, and whether players may watch."""
        self._write(tell, "optionsSet", now, cause, options=options, clock=clock, watchers=watchers)

    def free(self, cause: Cause, seat: int, now: int, tell: Tell) -> None:
        if self.seats[seat] is None:
            raise Refusal("seatIsFree", seat=seat)
        self._write(tell, "freed", now, cause, seat, player=self.seated[seat])

    def swap_seats(self, cause: Cause, seats: list[int], now: int, tell: Tell) -> None:
        self._write(tell, "swapped", now, cause, seats=seats)

    def begin(self, cause: Cause, now: int, tell: Tell) -> None:
        """Removes the empty seats, so that the game can start; the players keep their order."""
        taken = [seat for seat, player in enumerate(self.seats) if player is not None]
        if len(taken) == len(self.seats):
            raise Refusal("noFieldFound" if self.unprepared else "beginsByItself")
        if len(taken) not in (allowed := self.game.seats(self.options)):
            raise Refusal("otherNumberSits", here=len(taken), allowed=list(allowed))
        self._write(tell, "began", now, cause, seats=taken)

    def leave(self, cause: Cause | None, player: str, reason: str, now: int, tell: Tell) -> None:
        """Takes `player` out of the room; the player's seats in a running game resign.

        A turn game in which not every side has moved does not count.
        """
        if self.plays(player) and self.takes_turns and not self._all_have_moved():
            self.abort("left", now, tell)
        for seat in self.seats_of(player):
            self.withdraw(seat, "resign" if reason == "left" else "gone", now, tell)
        heir = self._heir(player) if player == self.owner else None
        handed_on: Message = {} if heir is None else {"owner": heir}
        self._write(tell, "left", now, cause, player=self.members[player], reason=reason, **handed_on)
        if not self.members:
            self._write(tell, "closed", now)

    def play_turn(self, cause: Cause, seat: int, ply: int, move: str, now: int, line_ms: int = 0) -> Entry:
        """Plays a move; `line_ms` is the round-trip time to the player. Returns the entry."""
        play = self.play
        if play is None or self.state is not PLAYING or self.seats[seat : seat + 1] != [cause.player]:
            play = self._play_for(cause.player, seat)
        if self.paused_until is not None:
            raise Refusal("gamePaused")
        expected = play.expected_ply(seat)
        if expected not in (ply, None):
            raise Refusal("otherPly", ply=ply, now=expected)
        try:
            after = play.turn(seat, move)
        except IllegalMove as illegal:
            raise ByTheRules(illegal) from None
        clocks, lag = None, 0
        to_move: tuple[int, ...] = ()
        if self.clock is not None:
            lag = self.clock.lag_of(seat, now, line_ms)
            clocks = self.clock.credited(seat, now, lag)
            if self.clock_terms and "days" in self.clock_terms:
                to_move = tuple(after.to_move)
        assert after.last is not None
        body = turn_body(after.last["move"], lag, to_move)
        entry = _new(Entry, (self.id, len(self.log), "turn", now, cause, seat, body, clocks))
        self.apply(entry, after)
        return entry

    def add_time(self, cause: Cause, seat: int, now: int, tell: Tell) -> None:
        """Gives some time to all rivals of `seat`."""
        self._play_for(cause.player, seat)
        if not self.plays_on(seat):
            raise Refusal("seatIsOut", seat=seat)
        if self.clock is None or self.clock.common or self.is_correspondence:
            raise Refusal("noTimeToAdd")
        if self.times_added >= MOST_TIMES_ADDED:
            raise Refusal("addedOften", most=MOST_TIMES_ADDED)
        rivals = self.rivals(cause.player)
        left = (have + ADDED_MS * (of in rivals) for of, have in enumerate(self.clock.left(now)))
        self._write(tell, "addedTime", now, cause, seat, tuple(left), ms=ADDED_MS)

    def go_on(self, now: int, tell: Tell) -> None:
        """Ends a pause."""
        if self.paused_until is not None:
            self._write(tell, "continued", now)

    def resign(self, cause: Cause, seat: int, now: int, tell: Tell) -> None:
        self._play_for(cause.player, seat)
        if not self.plays_on(seat):
            raise Refusal("seatIsOut", seat=seat)
        self._write(tell, "withdrew", now, cause, seat, reason="resign")

    def withdraw(self, seat: int, reason: Reason, now: int, tell: Tell) -> None:
        """Takes a seat out of a running game by the server's decision."""
        if self.plays_on(seat):
            self._write(tell, "withdrew", now, None, seat, reason=reason)

    def claim(self, cause: Cause, seat: int, absent: list[int], what: str, now: int, tell: Tell) -> None:
        """Carries out a claim of `seat`: the `absent` seats, which were away for too long, lose, or the game
        is a draw.
        """
        if what == "draw":
            self._write(tell, "drawn", now, cause, seat, reason="claimed")
            return
        first, *others = absent
        self._write(tell, "withdrew", now, cause, first, reason="claimed")
        for other in others:
            self.withdraw(other, "claimed", now, tell)

    def abort(self, reason: str, now: int, tell: Tell) -> None:
        """Ends the game without a result."""
        self._write(tell, "aborted", now, reason=reason)

    def flag(self, now: int, tell: Tell, line_of: LineOf = no_line) -> None:
        """Takes every seat whose time is over out of the game. A first move that was not made in time ends
        the game.
        """
        while self.clock is not None and (seat := self.clock.fallen(now, line_of)) is not None:
            if seat in self.clock.first:
                self.abort("noFirstMove", now, tell)
            else:
                self.withdraw(seat, "time", now, tell)

    def revive(self, grace: int, countdown_ms: int, now: int, tell: Tell) -> None:
        """Continues after a restart. Downtime, and the first moments after it, count against no clock. A
        countdown begins again.
        """
        if self.starts is not None:
            self._start(now, tell, flagged=False, countdown_ms=countdown_ms)
        if self.clock is not None and self.state is PLAYING:
            self._write(tell, "revived", now, clocks=self._left_by_outage(self.clock, now), grace=grace)

    def clock_since(self, began: int, grace: int) -> Clock | None:
        """The clock of a game that nobody has opened since the server's start at `began`."""
        clock = self.clock
        return clock and clock.resumed(self._left_by_outage(clock, began), None, began + grace)

    def _left_by_outage(self, clock: Clock, now: int) -> tuple[int, ...]:
        """The time that each seat has left if the server was down since the newest entry."""
        last = self.log[-1]
        return clock.through_outage(last.clocks or clock.remaining, now - last.at)

    def give_time_back(self, lost: Entry, now: int) -> None:
        """Resets the clock after a command that could not be saved: its author again has the time left when
        it came.
        """
        if self.clock is None or self.state is not PLAYING or lost.clocks is None:
            return
        author = lost.seat if lost.kind == "turn" else None
        given, seat = lost.body["ms"] if lost.kind == "addedTime" else 0, lost.seat or 0
        rivals = self.rivals(self.seats[seat] or "") if given else []
        clocks = [left - given * (of in rivals) for of, left in enumerate(lost.clocks)]
        told = self.log[-1].clocks
        if author is not None and self.clock.each is not None and told is not None:
            # the lost turn reset this seat's time, so the earlier value comes from the log
            clocks[author] = told[author]
        self.clock = self.clock.resumed(tuple(clocks), author, now, lost.body.get("lag", 0))

    def go_on_as(self, epoch: str, now: int, tell: Tell) -> None:
        self._write(tell, "restored", now, epoch=epoch)

    def say(self, cause: Cause, text: str, now: int, tell: Tell, phrase: Phrase | None = None) -> None:
        if not text:
            raise Refusal("nothingSaid")
        body: Message = {
            "player": self.members[cause.player],
            "seats": self.seats_of(cause.player),
            "text": text,
        }
        if phrase is not None:
            body["phrase"] = phrase
        self._write(tell, "said", now, cause, **body)

    def offer(self, cause: Cause, seat: int, what: str, offer: str, now: int, tell: Tell) -> None:
        """Makes an offer. If the other side has already made the same offer, this accepts it, except for
        takebacks.
        """
        self._check_sits(cause.player, seat)
        check_may_offer(self, seat, what)
        for pending in self.offers.values():
            if pending.what == what and (what != "takeback" or pending.seat == seat):
                self.answer(cause, seat, pending.id, True, now, tell)
                return
        self._write(tell, "offered", now, cause, seat, offer=offer, what=what)
        self._settle(offer, now, tell)

    def answer(self, cause: Cause, seat: int, offer: str, yes: bool, now: int, tell: Tell) -> None:
        self._check_sits(cause.player, seat)
        pending = self.offers.get(offer)
        if pending is None:
            raise Refusal("unknownOffer")
        if seat in pending.yes:
            raise Refusal("otherSideAnswers")
        self._write(tell, "answered", now, cause, seat, offer=offer, yes=yes)
        self._settle(offer, now, tell)

    def rematched(self, next: str, now: int, tell: Tell) -> None:
        self._write(tell, "rematch", now, None, None, next=next)

    def call_off_rematch(self, now: int, tell: Tell) -> None:
        """Declines a rematch that all players agreed to, on behalf of the server. They may offer it again."""
        for pending in list(self.offers.values()):
            if pending.what == "rematch":
                self._write(tell, "answered", now, None, pending.seat, offer=pending.id, yes=False)

    def check_may_claim(self, player: str, seat: int) -> None:
        self._check_sits(player, seat)
        if self.state is not PLAYING:
            raise not_playing(self.state, self.unprepared)
        if not self.takes_turns:
            raise Refusal("nobodyWaits")
        if not self.plays_on(seat):
            raise Refusal("seatIsOut", seat=seat)

    def _check_sits(self, player: str, seat: int) -> None:
        self.check_seat_exists(seat)
        if self.seats[seat] != player or player not in self.members:
            raise Refusal("notYourSeat", seat=seat)

    def _play_for(self, player: str, seat: int) -> Play:
        """The running game. Raises Refusal if there is none or `seat` is not the player's."""
        if self.state is not PLAYING or self.play is None:
            self._check_sits(player, seat)
            raise not_playing(self.state, self.unprepared)
        if not 0 <= seat < len(self.seats) or self.seats[seat] != player:
            self._check_sits(player, seat)
        return self.play

    def _settle(self, offer: str, now: int, tell: Tell) -> None:
        """Carries out an offer that everybody accepted. A rematch needs a new room and is started
        elsewhere.
        """
        pending = self.offers.get(offer)
        if pending is None or not all_agree(self, pending):
            return
        if pending.what == "draw":
            self._write(tell, "drawn", now)
        elif pending.what == "pause":
            self._write(tell, "paused", now, until=now + PAUSE_MS)
        elif pending.what == "continue":
            self.go_on(now, tell)
        elif pending.what == "takeback":
            assert self.play is not None
            plies = self.play.moves_to_take_back(pending.seat)
            self._write(tell, "tookBack", now, None, pending.seat, plies=plies)

    def _write(
        self,
        tell: Tell,
        kind: Kind,
        now: int,
        cause: Cause | None = None,
        seat: int | None = None,
        clocks: tuple[int, ...] | None = None,
        **body: Any,
    ) -> None:
        if clocks is None and self.clock is not None:
            clocks = self.clock.left(now)
        entry = Entry(self.id, len(self.log), kind, now, cause, seat, body, clocks)
        self.apply(entry)
        tell(entry)
