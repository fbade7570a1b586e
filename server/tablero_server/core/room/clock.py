"""Thinking time, in whole milliseconds, by injected time.

Law: clock time is conserved. A seat is charged from when it is durable, and so told, that the seat is to
move, until the server reads its next turn: for that, whole and once, and for nothing else. A common clock, of
a game in which nobody waits for others, runs for all until the game is over. Days pass without a server, too.
Before its first move a seat has a time of its own, and is charged for that alone. What its line
takes of a turn is given back, within bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tablero_protocol.messages import Speed

Terms: TypeAlias = dict[str, int]
"""As a room has them: `base` and `increment`, or `perMove`, in seconds, or `days`, the same in days."""

LAG_MS = 300
"""At most so much is given back of one turn,"""
LAG_OF_A_GAME_MS = 20_000
"""and so much of all of a seat's,"""
LAG_PART_OF_BASE = 20
"""but no more than this part of its time for the game: a cheat would think in it."""
_MOVES_OF_A_GAME = 40
_BLITZ_SECONDS, _RAPID_SECONDS = 8 * 60, 25 * 60
DAY_MS = 24 * 3_600_000
COME_BACK_MS = DAY_MS // 2
"""What an outage of the server leaves of the days for a move, or all that was left if that was less."""


LineOf: TypeAlias = Callable[[int], int]
"""How many milliseconds messages take to the player on a seat and back, as far as that was measured."""


def no_line(_: int) -> int:
    return 0


def each_move(terms: Terms) -> int | None:
    """What a seat has for each move; None where it has its time for the whole game."""
    if "days" in terms:
        return terms["days"] * DAY_MS
    return terms["perMove"] * 1000 if "perMove" in terms else None


def speed(terms: Terms | None) -> Speed:
    """How fast a game is, by what a side has for forty moves."""
    if terms is None:
        return "none"
    if "days" in terms:
        return "correspondence"
    seconds = seconds_of_a_game(terms)
    return "blitz" if seconds < _BLITZ_SECONDS else "rapid" if seconds < _RAPID_SECONDS else "slow"


def seconds_of_a_game(terms: Terms) -> int:
    """What a side has for forty moves, if it is not days."""
    return terms.get("base", 0) + _MOVES_OF_A_GAME * (terms.get("perMove", 0) + terms.get("increment", 0))


def first_time(terms: Terms) -> int:
    """What a seat has when the game begins."""
    return each_move(terms) or terms["base"] * 1000


def after_outage(left: int, ms: int) -> int:
    """What is left of days for a move after so long without a server."""
    return max(min(left, COME_BACK_MS), left - max(0, ms))


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left at `since`, which may be to come; time runs for those in `running`."""

    remaining: tuple[int, ...]
    increment: int
    """What a seat gains by its turn."""
    since: int
    running: frozenset[int] = frozenset()
    waiting: Mapping[int, int] = field(default_factory=dict)
    """Seats that are to move, each with the entry that has to be durable before their time runs."""
    first: Mapping[int, int] = field(default_factory=dict)
    """What seats that have not moved yet have left for their first move, at `since`."""
    first_ms: int = 0
    """What a first move has in all."""
    given: tuple[int, ...] = ()
    """What each seat was given back so far for its line,"""
    lag: int = 0
    """and what of that by the turn that led here."""
    most_given: int = LAG_OF_A_GAME_MS
    """How much a seat is given back at most in this game."""
    stopped: bool = False
    """Whether the game is paused, and no time runs."""
    each: int | None = None
    """What a seat has for each move, where it is so much for every move."""
    common: bool = False
    """Whether it is one clock for all, which no turn stops."""

    @classmethod
    def start(
        cls, seats: int, terms: Terms, now: int, *, common: bool = False, first_move_ms: int = 0
    ) -> Clock:
        each, increment = each_move(terms), terms.get("increment", 0) * 1000
        if "days" in terms and first_move_ms:
            first_move_ms = terms["days"] * DAY_MS
        first = {} if common or not first_move_ms else dict.fromkeys(range(seats), first_move_ms)
        whole, given = first_time(terms), (0,) * seats
        return cls(
            (whole,) * seats,
            increment,
            now,
            first=first,
            first_ms=first_move_ms,
            given=given,
            most_given=min(LAG_OF_A_GAME_MS, whole // LAG_PART_OF_BASE),
            each=each,
            common=common,
        )

    @property
    def going(self) -> frozenset[int]:
        """The seats whose time runs, or will as soon as they know."""
        return self.running.union(self.waiting)

    def left(self, now: int) -> tuple[int, ...]:
        """What each seat has left, never below 0."""
        spent = max(0, now - self.since)
        return tuple(
            max(0, have - spent) if seat in self.running and seat not in self.first else have
            for seat, have in enumerate(self.remaining)
        )

    def first_left(self, now: int) -> dict[int, int]:
        """The same for first moves."""
        spent = max(0, now - self.since)
        return {
            seat: max(0, have - spent) if seat in self.running else have for seat, have in self.first.items()
        }

    def first_move(self) -> int | None:
        """What is left at `since` of the time for a first move, if one is waited for."""
        return min((self.first[seat] for seat in self.going if seat in self.first), default=None)

    def through_outage(self, had: tuple[int, ...], ms: int) -> tuple[int, ...]:
        """What is left of `had` after a time without a server: only days pass meanwhile."""
        if self.each is None or self.each < DAY_MS:
            return had
        charged = self.going.difference(self.first)
        return tuple(after_outage(left, ms) if seat in charged else left for seat, left in enumerate(had))

    def flag_at(self, line_of: LineOf = no_line) -> int | None:
        """When the first running clock falls."""
        return min((self._end(seat, line_of) for seat in self.running), default=None)

    def fallen(self, now: int, line_of: LineOf = no_line) -> int | None:
        """The seat whose time is over, if any, also with what it is given back for its line."""
        now = max(now, self.since)
        over = (seat for seat in self.running if now >= self._end(seat) and now >= self._end(seat, line_of))
        return min(over, default=None)

    def _end(self, seat: int, line_of: LineOf = no_line) -> int:
        """When the time of `seat` is over."""
        if seat in self.first:
            return self.since + self.first[seat]
        end = self.since + self.remaining[seat]
        return end + self.lag_of(seat, end + LAG_MS, line_of(seat))

    def lag_of(self, seat: int, now: int, measured: int) -> int:
        """What `seat`, whose line was `measured`, is given back of a turn at `now`."""
        if seat not in self.running or seat in self.first or self.common or self.each is not None:
            return 0
        if not measured:
            return 0
        spent = now - self.since
        return max(0, min(measured, LAG_MS, self.most_given - self.given[seat], spent))

    def credited(self, seat: int, now: int, lag: int = 0) -> tuple[int, ...]:
        """What each seat has left once `seat` has moved at `now`, given back `lag`."""
        left = list(self.left(now))
        if seat in self.first:
            return tuple(left)
        if self.each is not None:
            left[seat] = self.each
            return tuple(left)
        if lag:  # a turn may have come when all but that was spent
            left[seat] = max(0, self.remaining[seat] - (now - self.since) + lag)
        left[seat] += self.increment
        return tuple(left)

    def turned(
        self,
        remaining: tuple[int, ...],
        to_move: frozenset[int],
        author: int | None,
        seq: int,
        now: int,
        lag: int = 0,
    ) -> Clock:
        """The clock as entry `seq` leaves it: it goes on for who was to move, and waits for others."""
        if self.stopped:
            to_move = frozenset()
        others = to_move if self.common else to_move - {author}
        running = self.running & others
        waiting = {seat: self.waiting.get(seat, seq) if seat in others else seq for seat in to_move - running}
        first = self.first_left(now)
        first.pop(-1 if author is None else author, None)
        clock = replace(self, remaining=remaining, running=running, waiting=waiting, first=first, since=now)
        if not (lag or self.lag):
            return clock
        given = tuple(had + lag * (seat == author) for seat, had in enumerate(self.given))
        return replace(clock, given=given, lag=lag)

    def first_moves_anew(self) -> Clock:
        """Whoever was interrupted in a first move has all of its time again."""
        return replace(self, first=dict.fromkeys(self.first, self.first_ms))

    def paused(self, remaining: tuple[int, ...], now: int) -> Clock:
        """No time runs for anybody until it goes on."""
        stopped = replace(self, remaining=remaining, first=self.first_left(now), stopped=True, lag=0)
        return replace(stopped, running=frozenset(), waiting={}, since=max(now, self.since))

    def going_on(self, to_move: frozenset[int], seq: int, now: int) -> Clock:
        """After a pause, it waits for all who are to move."""
        waiting = dict.fromkeys(to_move, seq)
        return replace(self, stopped=False, waiting=waiting, since=max(now, self.since))

    def durable(self, seq: int, now: int) -> Clock:
        """It runs for those who know by entry `seq` that they are to move."""
        told = {seat for seat, begun in self.waiting.items() if begun <= seq}
        if not told:
            return self
        waiting = {seat: begun for seat, begun in self.waiting.items() if seat not in told}
        since, running = max(now, self.since), self.running | told
        left, first = self.left(now), self.first_left(now)
        return replace(self, remaining=left, running=running, waiting=waiting, first=first, since=since)

    def resumed(self, after: tuple[int, ...], author: int | None, now: int, lag: int = 0) -> Clock:
        """It runs from now on for all who were to move, as if nothing had come to leave `after` to them."""
        gained = 0 if author in self.first or self.each is not None else self.increment + lag
        left = [have - gained * (seat == author) for seat, have in enumerate(after)]
        since = max(now, self.since)
        return replace(self, remaining=tuple(left), running=self.going, waiting={}, since=since)
