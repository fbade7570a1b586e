"""Thinking time in whole milliseconds; the time is an argument.

Law: clock time is conserved. A seat's time starts when the server has saved, and so sent, that the seat is to
move. It stops when the server reads the seat's next turn. All of that time is charged once, and nothing else.
If no seat waits for others, one common clock runs for all until the game is over. Time in days also passes
while no server runs. For its first move a seat has a separate time, and only that time is charged. The
network delay of a turn is given back, within bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tablero_protocol.messages import Speed

Terms: TypeAlias = dict[str, int]
"""The terms of a room's clock: `base` and `increment`, or `perMove`, all in seconds, or `days`."""

LAG_MS = 300
"""The most time that is given back for one turn."""
LAG_OF_A_GAME_MS = 20_000
"""The most time that is given back to one seat in a game."""
LAG_PART_OF_BASE = 20
"""A seat gets back at most its base time divided by this: otherwise a cheat could think longer."""
_MOVES_OF_A_GAME = 40
_BLITZ_SECONDS, _RAPID_SECONDS = 8 * 60, 25 * 60
DAY_MS = 24 * 3_600_000
COME_BACK_MS = DAY_MS // 2
"""After an outage a seat has at least this much of its days left, or all it had if that was less."""


LineOf: TypeAlias = Callable[[int], int]
"""The measured round-trip time to the player of a seat, in milliseconds."""


def no_line(_: int) -> int:
    return 0


def each_move(terms: Terms) -> int | None:
    """The time for each move; None if a seat has one time for the whole game."""
    if "days" in terms:
        return terms["days"] * DAY_MS
    return terms["perMove"] * 1000 if "perMove" in terms else None


def speed(terms: Terms | None) -> Speed:
    """The speed class of a game, by a side's time for forty moves."""
    if terms is None:
        return "none"
    if "days" in terms:
        return "correspondence"
    seconds = seconds_of_a_game(terms)
    return "blitz" if seconds < _BLITZ_SECONDS else "rapid" if seconds < _RAPID_SECONDS else "slow"


def seconds_of_a_game(terms: Terms) -> int:
    """A side's seconds for forty moves. Days are not counted."""
    return terms.get("base", 0) + _MOVES_OF_A_GAME * (terms.get("perMove", 0) + terms.get("increment", 0))


def first_time(terms: Terms) -> int:
    """A seat's time at the start of the game."""
    return each_move(terms) or terms["base"] * 1000


def after_outage(left: int, ms: int) -> int:
    """The milliseconds left for a move on a clock of days, after an outage of `ms` milliseconds."""
    return max(min(left, COME_BACK_MS), left - max(0, ms))


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left of each seat at `since`, which may be in the future. Time runs for the seats in
    `running`.
    """

    remaining: tuple[int, ...]
    increment: int
    """The time that a seat gains with each turn."""
    since: int
    running: frozenset[int] = frozenset()
    waiting: Mapping[int, int] = field(default_factory=dict)
    """Seats that are to move, each with the number of the entry that must be saved before their time runs."""
    first: Mapping[int, int] = field(default_factory=dict)
    """The time left at `since` for the first move of each seat that has not moved yet."""
    first_ms: int = 0
    """The whole time for a first move."""
    given: tuple[int, ...] = ()
    """The time given back so far to each seat for its network delay."""
    lag: int = 0
    """The part of `given` that the last turn got."""
    most_given: int = LAG_OF_A_GAME_MS
    """The most that a seat gets back in this game."""
    stopped: bool = False
    """Whether the game is paused, and no time runs."""
    each: int | None = None
    """The time for each move, if it is the same for every move."""
    common: bool = False
    """Whether all seats share one clock, which no turn stops."""

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
        """The seats whose time runs, or will run once they are told to move."""
        return self.running.union(self.waiting)

    def left(self, now: int) -> tuple[int, ...]:
        """The time left of each seat, never below 0."""
        spent = max(0, now - self.since)
        return tuple(
            max(0, have - spent) if seat in self.running and seat not in self.first else have
            for seat, have in enumerate(self.remaining)
        )

    def first_left(self, now: int) -> dict[int, int]:
        """The time left for first moves, by seat."""
        spent = max(0, now - self.since)
        return {
            seat: max(0, have - spent) if seat in self.running else have for seat, have in self.first.items()
        }

    def first_move(self) -> int | None:
        """The time left at `since` for a first move, or None."""
        return min((self.first[seat] for seat in self.going if seat in self.first), default=None)

    def through_outage(self, had: tuple[int, ...], ms: int) -> tuple[int, ...]:
        """The time left of each seat after an outage. Only a clock of days runs during an outage."""
        if self.each is None or self.each < DAY_MS:
            return had
        charged = self.going.difference(self.first)
        return tuple(after_outage(left, ms) if seat in charged else left for seat, left in enumerate(had))

    def flag_at(self, line_of: LineOf = no_line) -> int | None:
        """The time when the first running clock runs out, or None."""
        return min((self._end(seat, line_of) for seat in self.running), default=None)

    def fallen(self, now: int, line_of: LineOf = no_line) -> int | None:
        """The first seat whose time is over even with the delay given back, or None."""
        now = max(now, self.since)
        over = (seat for seat in self.running if now >= self._end(seat) and now >= self._end(seat, line_of))
        return min(over, default=None)

    def _end(self, seat: int, line_of: LineOf = no_line) -> int:
        """The time at which `seat` runs out of time."""
        if seat in self.first:
            return self.since + self.first[seat]
        end = self.since + self.remaining[seat]
        return end + self.lag_of(seat, end + LAG_MS, line_of(seat))

    def lag_of(self, seat: int, now: int, measured: int) -> int:
        """The delay that is given back to `seat` for a turn at `now`; `measured` is its round-trip time."""
        if seat not in self.running or seat in self.first or self.common or self.each is not None:
            return 0
        if not measured:
            return 0
        spent = now - self.since
        return max(0, min(measured, LAG_MS, self.most_given - self.given[seat], spent))

    def credited(self, seat: int, now: int, lag: int = 0) -> tuple[int, ...]:
        """The time left of each seat after a move of `seat` at `now`, with `lag` given back."""
        left = list(self.left(now))
        if seat in self.first:
            return tuple(left)
        if self.each is not None:
            left[seat] = self.each
            return tuple(left)
        if lag:  # a turn may be read after the time is over, by less than its lag
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
        """The clock after entry `seq`: it keeps running for the seats that were already to move. For those
        that are to move now, it waits until the entry is saved.
        """
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
        """The clock with a full first-move time for each seat that has not moved."""
        return replace(self, first=dict.fromkeys(self.first, self.first_ms))

    def paused(self, remaining: tuple[int, ...], now: int) -> Clock:
        """The clock of a paused game, on which no time runs."""
        stopped = replace(self, remaining=remaining, first=self.first_left(now), stopped=True, lag=0)
        return replace(stopped, running=frozenset(), waiting={}, since=max(now, self.since))

    def going_on(self, to_move: frozenset[int], seq: int, now: int) -> Clock:
        """The clock after a pause. It runs for the seats to move once entry `seq` is saved."""
        waiting = dict.fromkeys(to_move, seq)
        return replace(self, stopped=False, waiting=waiting, since=max(now, self.since))

    def durable(self, seq: int, now: int) -> Clock:
        """The clock once entry `seq` is durable: it runs for the seats that this entry told to move."""
        told = {seat for seat, begun in self.waiting.items() if begun <= seq}
        if not told:
            return self
        waiting = {seat: begun for seat, begun in self.waiting.items() if seat not in told}
        since, running = max(now, self.since), self.running | told
        left, first = self.left(now), self.first_left(now)
        return replace(self, remaining=left, running=running, waiting=waiting, first=first, since=since)

    def resumed(self, after: tuple[int, ...], author: int | None, now: int, lag: int = 0) -> Clock:
        """The clock without the entry that set the times `after`; it runs again for all seats to move."""
        gained = 0 if author in self.first or self.each is not None else self.increment + lag
        left = [have - gained * (seat == author) for seat, have in enumerate(after)]
        since = max(now, self.since)
        return replace(self, remaining=tuple(left), running=self.going, waiting={}, since=since)
