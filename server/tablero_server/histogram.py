"""How many durations fell below each of some bounds: what a histogram is drawn from."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds."""


class Histogram:
    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self.sum += seconds

    def __len__(self) -> int:
        return sum(self._counts)

    def up_to(self) -> list[tuple[str, float]]:
        """Each bound with how many were no longer; the last one is for all."""
        bounds = [*map(str, _BOUNDS), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self._counts)), strict=True))

    def quantile(self, share: float) -> float:
        """A bound below which at least so large a share is; 0 where there is nothing yet."""
        wanted = share * len(self)
        for bound, count in self.up_to():
            if count and count >= wanted:
                return float(bound)
        return 0.0
