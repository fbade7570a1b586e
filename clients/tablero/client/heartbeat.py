"""The timing of a connection: when to ping, how long silence may last, and when to reconnect.

Law: only a message that must be answered begins a silence, and any message received ends it.
"""

from __future__ import annotations

from math import inf
from typing import Protocol

FIRST = 0.25
LONGEST = 10.0
LONGEST_IN_A_GAME = 3.0
"""Others wait there."""
STEADY = 30.0
"""Seconds up after which the next wait is short again."""


class Jitter(Protocol):
    """The part of Random that is needed."""

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


NEVER, AT_ONCE = inf, -inf
PING_EVERY = 5.0
PATIENCE = 5.0
"""Seconds without a word after a ping or a hello, before the line counts as dead."""


class Heartbeat:
    def __init__(self, random: Jitter) -> None:
        self._backoff = Backoff(random)
        self.ping_at = NEVER
        """When to ping next."""
        self.dead_at = NEVER
        """The time at which the line counts as dead, unless something is heard before."""
        self._opened_at: float | None = None
        self._return_after = 0.0

    def asked(self, now: float) -> None:
        """Something was said that must be answered."""
        self.dead_at = min(self.dead_at, now + PATIENCE)

    def heard(self) -> None:
        if self.dead_at != AT_ONCE:
            self.dead_at = NEVER

    def opened(self, now: float) -> None:
        """The server has greeted us."""
        self._opened_at = now
        self.pinged(now)

    def pinged(self, now: float) -> None:
        self.ping_at = now + PING_EVERY

    def give_up(self) -> None:
        """Give the line up, whatever is still heard on it."""
        self.dead_at = AT_ONCE

    def return_after(self, milliseconds: int | None) -> None:
        """Note the delay before reconnecting that the server asks for."""
        self._return_after = (milliseconds or 0) / 1000

    def lost(self, now: float, *, in_a_game: bool = False) -> float:
        """The line has ended, or was never there; gives how many seconds to wait before the next one."""
        up = now - self._opened_at if self._opened_at is not None else 0.0
        wait = self._return_after + self._backoff.after(up, LONGEST_IN_A_GAME if in_a_game else LONGEST)
        self._opened_at = None
        self._return_after = 0.0
        self.ping_at = self.dead_at = NEVER
        return wait
