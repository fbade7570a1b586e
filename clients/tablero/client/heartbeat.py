"""Whether the line lives: when to ping, how long silence may last, and when to try another line.

Law: only what must be answered begins a silence, and anything heard ends it.
"""

from __future__ import annotations

from typing import Protocol

FIRST = 0.25
LONGEST = 10.0
LONGEST_IN_A_GAME = 3.0
"""Others wait there."""
STEADY = 30.0
"""After so many seconds up, the next wait is short again."""


class Jitter(Protocol):
    """What is needed of a Random."""

    def uniform(self, a: float, b: float) -> float: ...


class Backoff:
    def __init__(self, random: Jitter) -> None:
        self._random = random
        self._attempts = 0

    def after(self, up: float, longest: float = LONGEST) -> float:
        """Seconds to wait now that a connection ended that was open for `up` seconds."""
        if up >= STEADY:
            self._attempts = 0
        ceiling = min(longest, FIRST * 2 ** min(self._attempts, 10))
        self._attempts += 1
        return self._random.uniform(0, ceiling)


PING_EVERY = 5.0
PATIENCE = 5.0
"""Seconds without a word after a ping or a hello, before the line counts as dead."""


class Heartbeat:
    def __init__(self, random: Jitter) -> None:
        self._backoff = Backoff(random)
        self._asked_at: float | None = None
        """When we last said something that must be answered, if nothing was heard since."""
        self._ping_at = 0.0
        self._opened_at: float | None = None
        self._return_after = 0.0
        self._useless = False

    def asked(self, now: float) -> None:
        """Something was said that must be answered."""
        self._asked_at = now if self._asked_at is None else self._asked_at

    def heard(self) -> None:
        self._asked_at = None

    def opened(self, now: float) -> None:
        """The server has greeted us."""
        self._opened_at = now
        self._ping_at = now + PING_EVERY

    def is_ping_due(self, now: float) -> bool:
        """Whether to ping now; true once for each ping."""
        if self._opened_at is None or now < self._ping_at:
            return False
        self._ping_at = now + PING_EVERY
        return True

    def is_dead(self, now: float) -> bool:
        return self._useless or (self._asked_at is not None and now - self._asked_at >= PATIENCE)

    def give_up(self) -> None:
        """This line is of no use any more."""
        self._useless = True

    def return_after(self, milliseconds: int | None) -> None:
        """How long the server wants us to stay away, once this line has ended."""
        self._return_after = (milliseconds or 0) / 1000

    def lost(self, now: float, *, in_a_game: bool = False) -> float:
        """The line has ended, or was never there; gives how many seconds to wait before the next one."""
        up = now - self._opened_at if self._opened_at is not None else 0.0
        wait = self._return_after + self._backoff.after(up, LONGEST_IN_A_GAME if in_a_game else LONGEST)
        self._opened_at = self._asked_at = None
        self._return_after, self._useless = 0.0, False
        return wait
