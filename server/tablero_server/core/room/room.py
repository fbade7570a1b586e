"""What may be done in a room.

Law: a command checks first and refuses there, so that a refused command has changed nothing. Then it writes
its entries, and tells its listener of each as soon as it is applied, so that the listener finds the room as
it is right after that entry.
"""

from __future__ import annotations

from typing import Any

from tablero_games import IllegalMove, Play
from tablero_games.position import Json, Reason
from tablero_protocol.phrases import Phrase

from ..entry import (
    Cause,
    Entry,
    Kind,
    Tell,
    turn_body,
)
from ..refusal import ByTheRules, Message, Refusal
from .clock import (
    Clock,
    LineOf,
    Terms,
    first_time,
    no_line,
)
from .folded_room import FoldedRoom
from .offers import all_agree, check_may_offer
from .setup import Plan
from .state import (
    PLAYING,
    PREPARING,
    WAITING,
    not_playing,
)

PAUSE_MS = 15 * 60_000
"""The longest pause: then the game goes on by itself."""
ADDED_MS = 15_000
"""What `addTime` gives each rival,"""
MOST_TIMES_ADDED = 20
"""and how often in one game."""


class Room(FoldedRoom):
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
        """`shown` comes in, and with `seat` sits down."""
        if seat is not None:
            self.check_seat_exists(seat)
            if self.seats[seat] is not None or self.state is not WAITING:
                raise Refusal("seatTaken", seat=seat)
        self._write(tell, "joined", now, cause, seat, player=shown)

    def start_if_full(self, now: int, tell: Tell, *, flagged: bool = False) -> None:
        """The game begins with the last seat, or is prepared from then on; `flagged` as in `_start`."""
        if self.state is not WAITING or None in self.seats or self.unprepared:
            return
        if self.must_be_prepared:
            self._write(tell, "preparing", now)
        else:
            self._start(now, tell, flagged)

    def has_found(self, found: Json | None, now: int, tell: Tell, *, flagged: bool = False) -> None:
        """The search that the game waits for has ended; None: in vain."""
        if found is not None:
            self._start(now, tell, flagged, prepared=found)
        else:
            nothing = Refusal("noFieldFound")
            self._write(tell, "unprepared", now, code=nothing.code.value, message=nothing.sentence)

    def _start(self, now: int, tell: Tell, flagged: bool, **body: Json) -> None:
        """`flagged` if the two who play come from one address: the address itself is in no log."""
        if flagged:
            body["flagged"] = True
        clocks = self.clock_terms and (first_time(self.clock_terms),) * len(self.seats)
        self._write(tell, "started", now, clocks=clocks or None, **body)

    def check_settles(self, player: str) -> None:
        """Whether `player` may settle what the table is like, and still can."""
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
        """The owner says what will be played."""
        self._write(tell, "optionsSet", now, cause, options=options, clock=clock, watchers=watchers)

    def free(self, cause: Cause, seat: int, now: int, tell: Tell) -> None:
        if self.seats[seat] is None:
            raise Refusal("seatIsFree", seat=seat)
        self._write(tell, "freed", now, cause, seat, player=self.seated[seat])

    def swap_seats(self, cause: Cause, seats: list[int], now: int, tell: Tell) -> None:
        self._write(tell, "swapped", now, cause, seats=seats)

    def begin(self, cause: Cause, now: int, tell: Tell) -> None:
        """The owner waits for nobody more: the empty seats go, and the players keep their order."""
        taken = [seat for seat, player in enumerate(self.seats) if player is not None]
        if len(taken) == len(self.seats):
            raise Refusal("noFieldFound" if self.unprepared else "beginsByItself")
        if len(taken) not in (allowed := self.game.seats(self.options)):
            raise Refusal("otherNumberSits", here=len(taken), allowed=list(allowed))
        self._write(tell, "began", now, cause, seats=taken)

    def leave(self, cause: Cause | None, player: str, reason: str, now: int, tell: Tell) -> None:
        """`player` goes out, and gives up the game for its seats if it is running.

        A turn game in which not every side has moved counts for nobody.
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
        """`line_ms` is how long messages take to this player and back."""
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
        entry = Entry(self.id, len(self.log), "turn", now, cause, seat, body, clocks)
        self.apply(entry, after)
        return entry

    def add_time(self, cause: Cause, seat: int, now: int, tell: Tell) -> None:
        """`seat` gives all its rivals some time."""
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
        """The pause is over."""
        if self.paused_until is not None:
            self._write(tell, "continued", now)

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

    def flag(self, now: int, tell: Tell, line_of: LineOf = no_line) -> None:
        """Withdraws every seat whose time is over; a first move that was not made in time ends the game."""
        while self.clock is not None and (seat := self.clock.fallen(now, line_of)) is not None:
            if seat in self.clock.first:
                self.abort("noFirstMove", now, tell)
            else:
                self.withdraw(seat, "time", now, tell)

    def revive(self, grace: int, now: int, tell: Tell) -> None:
        """After a restart: nobody is charged for the time without a server, nor for a moment to come back."""
        if self.clock is not None and self.state is PLAYING:
            self._write(tell, "revived", now, clocks=self._left_by_outage(self.clock, now), grace=grace)

    def clock_since(self, began: int, grace: int) -> Clock | None:
        """The clock of a game that nobody has looked at since the server began."""
        clock = self.clock
        return clock and clock.resumed(self._left_by_outage(clock, began), None, began + grace)

    def _left_by_outage(self, clock: Clock, now: int) -> tuple[int, ...]:
        """What each seat has if there was no server since the newest entry."""
        last = self.log[-1]
        return clock.through_outage(last.clocks or clock.remaining, now - last.at)

    def give_time_back(self, lost: Entry, now: int) -> None:
        """After a roll-back: whoever asked for what was lost has the time of then."""
        if self.clock is None or self.state is not PLAYING or lost.clocks is None:
            return
        author = lost.seat if lost.kind == "turn" else None
        given, seat = lost.body["ms"] if lost.kind == "addedTime" else 0, lost.seat or 0
        rivals = self.rivals(self.seats[seat] or "") if given else []
        clocks = [left - given * (of in rivals) for of, left in enumerate(lost.clocks)]
        told = self.log[-1].clocks
        if author is not None and self.clock.each is not None and told is not None:
            clocks[author] = told[author]  # what the lost turn gave anew hides what was left before it
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
        """The same offer from the other side is a yes; but each takes back a move of its own."""
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
        """The server says no to what everybody agreed to; it can be offered again."""
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
        """The game, for a turn of `player` on `seat`."""
        if self.state is not PLAYING or self.play is None:
            self._check_sits(player, seat)
            raise not_playing(self.state, self.unprepared)
        if not 0 <= seat < len(self.seats) or self.seats[seat] != player:
            self._check_sits(player, seat)
        return self.play

    def _settle(self, offer: str, now: int, tell: Tell) -> None:
        """What everybody agrees to is done; a rematch by those who can open a room."""
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
