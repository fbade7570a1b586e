"""Thinking time, in whole milliseconds, by injected time.

Law: clock time is conserved. A seat is charged from when it is durable, and so told, that the seat is to
move, until the server reads its next turn: for that, whole and once, and for nothing else. A common clock, of
a game in which nobody waits for others, runs for all until the game is over. Days pass without a server, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

Terms: TypeAlias = dict[str, int]
"""As a room has them: `base` and `increment`, or `perMove`, in seconds, or `days`, the same in days."""

DAY_MS = 24 * 3_600_000
COME_BACK_MS = DAY_MS // 2
"""What an outage of the server leaves of the days for a move, or all that was left if that was less."""


def each_move(terms: Terms) -> int | None:
    """What a seat has for each move; None where it has its time for the whole game."""
    if "days" in terms:
        return terms["days"] * DAY_MS
    return terms["perMove"] * 1000 if "perMove" in terms else None


def first_time(terms: Terms) -> int:
    """What a seat has when the game begins."""
    return each_move(terms) or terms["base"] * 1000


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

    each: int | None = None
    """What a seat has for each move, where it is so much for every move."""
    common: bool = False
    """Whether it is one clock for all, which no turn stops."""

    @classmethod
    def start(cls, seats: int, terms: Terms, now: int, *, common: bool = False) -> Clock:
        each, increment = each_move(terms), terms.get("increment", 0) * 1000
        return cls((first_time(terms),) * seats, increment, now, each=each, common=common)

    @property
    def going(self) -> frozenset[int]:
        """The seats whose time runs, or will as soon as they know."""
        return self.running.union(self.waiting)

    def left(self, now: int) -> tuple[int, ...]:
        """What each seat has left, never below 0."""
        # The one place where time is charged: credit for a slow line would be given back here.
        spent = max(0, now - self.since)
        return tuple(
            max(0, have - spent) if seat in self.running else have for seat, have in enumerate(self.remaining)
        )

    def through_outage(self, had: tuple[int, ...], ms: int) -> tuple[int, ...]:
        """What is left of `had` after a time without a server: only days pass meanwhile."""
        if self.each is None or self.each < DAY_MS:
            return had
        return tuple(
            max(min(left, COME_BACK_MS), left - max(0, ms)) if seat in self.going else left
            for seat, left in enumerate(had)
        )

    def flag_at(self) -> int | None:
        """When the first running clock falls."""
        return min((self.since + self.remaining[seat] for seat in self.running), default=None)

    def fallen(self, now: int) -> int | None:
        """The seat whose time is over, if any."""
        left = self.left(now)
        return min((seat for seat in self.running if left[seat] == 0), default=None)

    def credited(self, seat: int, now: int) -> tuple[int, ...]:
        """What each seat has left once `seat` has moved at `now`."""
        left = list(self.left(now))
        left[seat] = left[seat] + self.increment if self.each is None else self.each
        return tuple(left)

    def turned(
        self, remaining: tuple[int, ...], to_move: frozenset[int], author: int | None, seq: int, now: int
    ) -> Clock:
        """The clock as entry `seq` leaves it: it goes on for who was to move, and waits for others."""
        others = to_move if self.common else to_move - {author}
        running = self.running & others
        waiting = {seat: self.waiting.get(seat, seq) if seat in others else seq for seat in to_move - running}
        return replace(self, remaining=remaining, running=running, waiting=waiting, since=now)

    def durable(self, seq: int, now: int) -> Clock:
        """It runs for those who know by entry `seq` that they are to move."""
        told = {seat for seat, begun in self.waiting.items() if begun <= seq}
        if not told:
            return self
        waiting = {seat: begun for seat, begun in self.waiting.items() if seat not in told}
        since, running = max(now, self.since), self.running | told
        return replace(self, remaining=self.left(now), running=running, waiting=waiting, since=since)

    def resumed(self, after: tuple[int, ...], author: int | None, now: int) -> Clock:
        """It runs from now on for all who were to move, as if nothing had come to leave `after` to them."""
        left = [have - self.increment * (seat == author) for seat, have in enumerate(after)]
        since = max(now, self.since)
        return replace(self, remaining=tuple(left), running=self.going, waiting={}, since=since)
