"""Thinking time: base + increment, in whole milliseconds, by injected time."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left at `since`; time runs for the seats in `running` and for nobody else."""

    remaining: tuple[int, ...]
    increment: int
    since: int
    running: frozenset[int] = frozenset()

    @classmethod
    def start(cls, seats: int, base_seconds: int, increment_seconds: int, now: int) -> Clock:
        return cls((base_seconds * 1000,) * seats, increment_seconds * 1000, now)

    def left(self, now: int) -> tuple[int, ...]:
        """What each seat has left, never below 0."""
        # The one place where time is charged: credit for a slow line would be given back here.
        spent = max(0, now - self.since)
        return tuple(
            max(0, have - spent) if seat in self.running else have for seat, have in enumerate(self.remaining)
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
        left[seat] += self.increment
        return tuple(left)

    def run(self, remaining: tuple[int, ...], running: frozenset[int], now: int) -> Clock:
        """The clock as an entry left it, running for those to move."""
        return replace(self, remaining=remaining, running=running, since=now)
