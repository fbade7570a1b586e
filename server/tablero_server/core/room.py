"""One table for one game.

Law: a room is the fold of its log, and `apply` alone changes it. A command checks first and refuses there, so
that a refused command has changed nothing. Then it writes its entries, and tells its listener of each as soon
as it is applied, so that the listener finds the room as it is right after that entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from tablero_games import GAMES, IllegalMove, Play, Position
from tablero_games.position import Json, Options, Reason

from .clock import Clock
from .entry import Cause, Entry, Kind, Tell, turn_body
from .offers import PendingOffer, all_agree, check_may_offer
from .refusal import ByTheRules, Message, Refusal
from .room_setup import Plan, options_json
from .room_state import PLAYING, PREPARING, TRANSITIONS, WAITING, RoomEvent, not_playing
from .transitions import advance

MARK_EVERY = 32
"""After so many entries, and once what is hidden was laid out, a room keeps a copy to find its past by."""


class Room:
    def __init__(self, id: str) -> None:
        self.id = id
        self.log: list[Entry] = []
        self.marks: list[tuple[int, Room]] = []
        """How many entries it had, and what it was then; see replay.py."""
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
        self.offers: dict[str, PendingOffer] = {}
        self.next: str | None = None
        self.owner: str | None = None
        """Who may settle what the table is like: whoever opened it, then whoever has been here longest."""

    # How a room comes to be

    @classmethod
    def create(cls, id: str, plan: Plan, *, epoch: str, code: str | None, now: int, tell: Tell) -> Room:
        room = cls(id)
        room._write(tell, "created", now, **plan.to_json(), epoch=epoch, code=code)
        return room

    @classmethod
    def fold(cls, log: list[Entry]) -> Iterator[Room]:
        """The room after each entry of its log."""
        room = cls(log[0].room)
        for entry in log:
            room.apply(entry)
            yield room

    # What members may do

    def join(self, cause: Cause | None, shown: Message, seat: int | None, now: int, tell: Tell) -> None:
        """`shown` comes in, and with `seat` sits down."""
        if seat is not None:
            self.check_seat_exists(seat)
            if self.seats[seat] is not None or self.state is not WAITING:
                raise Refusal("seatTaken", seat=seat)
        self._write(tell, "joined", now, cause, seat, player=shown)

    def start_if_full(self, now: int, tell: Tell) -> None:
        """The game begins with the last seat, or is prepared from then on."""
        if self.state is not WAITING or None in self.seats or self.unprepared:
            return
        if self.must_be_prepared:
            self._write(tell, "preparing", now)
        else:
            self._start(now, tell)

    def has_found(self, found: Json | None, now: int, tell: Tell) -> None:
        """The search that the game waits for has ended; None: in vain."""
        if found is not None:
            self._start(now, tell, prepared=found)
        else:
            nothing = Refusal("noFieldFound")
            self._write(tell, "unprepared", now, code=nothing.code.value, message=nothing.sentence)

    def _start(self, now: int, tell: Tell, **body: Json) -> None:
        clocks = self.clock_terms and (self.clock_terms["base"] * 1000,) * len(self.seats)
        self._write(tell, "started", now, clocks=clocks or None, **body)

    def set_options(self, cause: Cause, options: Options, now: int, tell: Tell) -> None:
        """The owner says what will be played."""
        if cause.player != self.owner:
            raise Refusal("mayNotSetOptions")
        if self.state not in (WAITING, PREPARING):
            raise Refusal("gameBegun")
        self._write(tell, "optionsSet", now, cause, options=options_json(options))

    def leave(self, cause: Cause | None, player: str, reason: str, now: int, tell: Tell) -> None:
        """`player` goes out, and gives up the game for its seats if it is running.

        A turn game in which not every side has moved counts for nobody.
        """
        if self.plays(player) and self.takes_turns and not self._all_have_moved():
            self.abort("left", now, tell)
        for seat in self.seats_of(player):
            self.withdraw(seat, "gone" if reason == "gone" else "resign", now, tell)
        self._write(tell, "left", now, cause, player=self.members[player], reason=reason)
        if not self.members:
            self._write(tell, "closed", now)

    def play_turn(self, cause: Cause, seat: int, ply: int, move: str, now: int, tell: Tell) -> None:
        play = self._play_for(cause.player, seat)
        expected = play.expected_ply(seat)
        if expected not in (ply, None):
            raise Refusal("otherPly", ply=ply, now=expected)
        try:
            after = play.turn(seat, move)
        except IllegalMove as illegal:
            raise ByTheRules(illegal) from None
        clocks = None if self.clock is None else self.clock.credited(seat, now)
        assert after.last is not None
        self._write(tell, "turn", now, cause, seat, clocks, after, move=after.last["move"])

    def resign(self, cause: Cause, seat: int, now: int, tell: Tell) -> None:
        self._play_for(cause.player, seat)
        if not self.plays_on(seat):
            raise Refusal("seatIsOut", seat=seat)
        self._write(tell, "withdrew", now, cause, seat, reason="resign")

    def withdraw(self, seat: int, reason: Reason, now: int, tell: Tell) -> None:
        """The server takes a seat out of a running game."""
        if self.plays_on(seat):
            self._write(tell, "withdrew", now, None, seat, reason=reason)

    def claim(self, cause: Cause, seat: int, absent: list[int], what: str, now: int, tell: Tell) -> None:
        """`seat` has waited long enough for those on the seats `absent`: for the win, or for a draw."""
        if what == "draw":
            self._write(tell, "drawn", now, cause, seat, reason="claimed")
            return
        first, *others = absent
        self._write(tell, "withdrew", now, cause, first, reason="claimed")
        for other in others:
            self.withdraw(other, "claimed", now, tell)

    def abort(self, reason: str, now: int, tell: Tell) -> None:
        """The game ends and counts for nobody."""
        self._write(tell, "aborted", now, reason=reason)

    def flag(self, now: int, tell: Tell) -> None:
        """Withdraws every seat whose time is over."""
        while self.clock is not None and (seat := self.clock.fallen(now)) is not None:
            self.withdraw(seat, "time", now, tell)

    def revive(self, grace: int, now: int, tell: Tell) -> None:
        """After a restart: nobody is charged for the time without a server, nor for a moment to come back."""
        if self.clock is not None and self.state is PLAYING:
            self._write(tell, "revived", now, clocks=self.log[-1].clocks, grace=grace)

    def go_on_as(self, epoch: str, now: int, tell: Tell) -> None:
        self._write(tell, "restored", now, epoch=epoch)

    def say(self, cause: Cause, text: str, now: int, tell: Tell) -> None:
        if not text:
            raise Refusal("nothingSaid")
        self._write(tell, "said", now, cause, player=self.members[cause.player], text=text)

    def offer(self, cause: Cause, seat: int, what: str, offer: str, now: int, tell: Tell) -> None:
        """A draw while playing, a rematch after; the same offer from the other side is a yes."""
        self._check_sits(cause.player, seat)
        check_may_offer(self, what)
        for pending in self.offers.values():
            if pending.what == what:
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
        """The server says no to what everybody agreed to; it can be offered again."""
        for pending in list(self.offers.values()):
            if pending.what == "rematch":
                self._write(tell, "answered", now, None, pending.seat, offer=pending.id, yes=False)

    # What a room knows

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

    def check_seat_exists(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refusal("seatNotHere", seat=seat, last=len(self.seats) - 1)

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
        """The game, for a turn of `player` on `seat`."""
        if self.state is not PLAYING or self.play is None:
            self._check_sits(player, seat)
            raise not_playing(self.state, self.unprepared)
        if not 0 <= seat < len(self.seats) or self.seats[seat] != player:
            self._check_sits(player, seat)
        return self.play

    def _all_have_moved(self) -> bool:
        return self.play is not None and all(self.play.plies)

    def plays_on(self, seat: int) -> bool:
        """Whether the game is on, also for this seat: a race goes on without those who are out."""
        return self.state is PLAYING and self.play is not None and seat in self.play.position.playing

    def _settle(self, offer: str, now: int, tell: Tell) -> None:
        pending = self.offers.get(offer)
        if pending is not None and pending.what == "draw" and all_agree(self, pending):
            self._write(tell, "drawn", now)

    # The log, and the fold

    def _write(
        self,
        tell: Tell,
        kind: Kind,
        now: int,
        cause: Cause | None = None,
        seat: int | None = None,
        clocks: tuple[int, ...] | None = None,
        after: Play | None = None,
        **body: Any,
    ) -> None:
        if clocks is None and self.clock is not None:
            clocks = self.clock.left(now)
        body = turn_body(body["move"]) if kind == "turn" else body
        entry = Entry(self.id, len(self.log), kind, now, cause, seat, body, clocks)
        self.apply(entry, after)
        tell(entry)

    def apply(self, entry: Entry, after: Play | None = None) -> None:
        """The only way a room changes. `after` is the game after a turn, if it is known already."""
        self.log.append(entry)
        seat, body = entry.seat, entry.body
        if entry.cause is not None and entry.kind != "turn":
            self.entries_of[entry.cause.player] += 1
        match entry.kind:
            case "turn" | "withdrew" | "drawn" | "aborted" | "revived":
                assert self.play is not None
                self.play = after or _after(self.play, entry)
                self._turned(entry)
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
                self.prepared = None
            case "started":
                self._started(entry)
            case "left":
                self._left(body["player"]["id"])
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

    def copy(self) -> Room:
        """What it is now, whatever comes, but for its log. Shared is all that is never changed in place."""
        twin = copy(self)
        twin.log, twin.marks = [], []
        for name in ("members", "seats", "seated", "offers", "entries_of"):
            setattr(twin, name, copy(getattr(self, name)))
        return twin

    def _created(self, body: Message) -> None:
        self.game = GAMES[body["game"]]
        self._read_options(body["options"])
        self.seats = [None] * body["seats"]
        self.seated = [None] * body["seats"]
        self.private: bool = body["private"]
        self.clock_terms: dict[str, int] | None = body["clock"]
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
        if terms := self.clock_terms:
            self.clock = Clock.start(len(self.seats), terms["base"], terms["increment"], entry.at)
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
            self.clock = self.clock.turned(left, position.to_move, author, entry.seq, since)
        if position.outcome is not None:
            self.state = advance(TRANSITIONS, self.state, RoomEvent.GAME_ENDED)

    def _left(self, player: str) -> None:
        del self.members[player]
        if player in self.seats:
            self.offers.clear()
        if player == self.owner:
            heirs = [*(member for member in self.members if member in self.seats), *self.members]
            self.owner = heirs[0] if heirs else None
        if self.state in (WAITING, PREPARING) and player in self.seats:
            self._set_back()
            for seat in self.seats_of(player):
                self.seats[seat] = self.seated[seat] = None

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
        case "drawn":
            return play.adjudicate("draw", entry.body.get("reason", "agreed"))
        case "aborted":
            return play.adjudicate("aborted", entry.body["reason"])
    return play
