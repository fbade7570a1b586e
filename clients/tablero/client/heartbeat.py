"""The timing of a connection: when to ping, and when to reconnect."""

from __future__ import annotations

from math import inf
from typing import Protocol

FIRST = 0.25
LONGEST = 10.0
LONGEST_IN_A_GAME = 3.0
"""Maximum seconds between attempts during a game, because other players wait."""
STEADY = 30.0
"""Seconds with a connection after which the next wait is short again."""


class Jitter(Protocol):
    """The part of Random that a Backoff needs."""

    def uniform(self, a: float, b: float) -> float: ...


class Backoff:
    def __init__(self, random: Jitter) -> None:
        self._random = random
        self._attempts = 0

    def after(self, up: float, longest: float = LONGEST) -> float:
        """Seconds until the next attempt, after a connection that was open for `up` seconds."""
        if up >= STEADY:
            self._attempts = 0
        ceiling = min(longest, FIRST * 2 ** min(self._attempts, 10))
        self._attempts += 1
        return self._random.uniform(0, ceiling)


NEVER = inf
PING_EVERY = 5.0


class Heartbeat:
    def __init__(self, random: Jitter) -> None:
        self._backoff = Backoff(random)
        self.ping_at = NEVER
        """The time of the next ping."""
        self._opened_at: float | None = None
        self._return_after = 0.0

    def opened(self, now: float) -> None:
        """Note that the server has answered the hello."""
        self._opened_at = now
        self.pinged(now)

    def pinged(self, now: float) -> None:
        self.ping_at = now + PING_EVERY

    def return_after(self, milliseconds: int | None) -> None:
        """Note how long the server asks us to wait before we reconnect."""
        self._return_after = (milliseconds or 0) / 1000

    def lost(self, now: float, *, in_a_game: bool = False) -> float:
        """Handle a lost or failed connection. Return the seconds until the next attempt."""
        up = now - self._opened_at if self._opened_at is not None else 0.0
        wait = self._return_after + self._backoff.after(up, LONGEST_IN_A_GAME if in_a_game else LONGEST)
        self._opened_at = None
        self._return_after = 0.0
        self.ping_at = NEVER
        return wait
