"""How long to wait before connecting again: full jitter, so that a thousand clients come back spread out."""

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
