"""Statistics of scores: Elo differences with error bars, Wilson intervals, and a sequential test.

An observation is a share of the points, 0 to 1. It comes from a pair of games on one opening (0, ¼, ½, ¾ or
1, the pentanomial model), or from a single comparison (0, ½ or 1, the trinomial model). Law: a missing bound
is None, never a large number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from statistics import NormalDist
from typing import Literal

PAIRS = (0.0, 0.25, 0.5, 0.75, 1.0)
SINGLES = (0.0, 0.5, 1.0)
"""The possible values of an observation."""

Z = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard deviations."""
_NEVER_SEEN = 1e-3
"""The weight of an outcome that has not occurred. With zero, that outcome would decide everything."""

Verdict = Literal["accepted", "rejected", "undecided"]


def wilson(points: float, games: float) -> tuple[float, float]:
    """The 95 % Wilson interval of a share. Draws count as half points, so it is a little too wide."""
    if not games:
        return 0.0, 1.0
    share = points / games
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z / (1 + Z * Z / games) * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return middle - half if share else 0.0, middle + half if share < 1 else 1.0


def elo(share: float) -> float | None:
    """The Elo difference at which this share of the points is expected; None for 0 and 1."""
    return 0.0 - 400 * log10(1 / share - 1) if 0 < share < 1 else None


def expected(elo: float) -> float:
    """The share of the points to expect with this Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


@dataclass(frozen=True)
class Spread:
    """The number of observations, their mean, and their variance."""

    count: float
    mean: float
    variance: float


def spread(observed: Mapping[float, float]) -> Spread:
    count = sum(observed.values())
    if not count:
        return Spread(0, 0.5, 0.0)
    mean = sum(share * times for share, times in observed.items()) / count
    variance = sum((share - mean) ** 2 * times for share, times in observed.items()) / count
    return Spread(count, mean, variance)


def share_interval(observed: Mapping[float, float], games: float) -> tuple[float, float]:
    """The 95 % interval of the mean share, from the variance of the observations.

    If all observations are equal, the variance says nothing. Then this is the Wilson interval for that number
    of games.
    """
    seen = spread(observed)
    if not seen.variance:
        return wilson(seen.mean * games, games)
    half = Z * sqrt(seen.variance / seen.count)
    return max(0.0, seen.mean - half), min(1.0, seen.mean + half)


def llr(observed: Mapping[float, float], possible: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of elo1 to elo0 (GSPRT).

    Each hypothesis is the likeliest distribution over the possible outcomes that has its expected share.
    """
    counts = {share: observed.get(share, 0) or _NEVER_SEEN for share in possible}
    total = sum(counts.values())
    found = {share: times / total for share, times in counts.items()}
    at0, at1 = _tilt(found, expected(elo0)), _tilt(found, expected(elo1))
    s0, s1 = expected(elo0), expected(elo1)
    return total * sum(
        frequency * (log(1 + at0 * (share - s0)) - log(1 + at1 * (share - s1)))
        for share, frequency in found.items()
    )


def _tilt(found: Mapping[float, float], mean: float) -> float:
    """The x for which the frequencies divided by 1 + x(share - mean) have this mean, found by bisection."""
    low, high = -1 / (max(found) - mean), 1 / (mean - min(found))
    for _ in range(100):
        x = (low + high) / 2
        excess = sum(f * (share - mean) / (1 + x * (share - mean)) for share, f in found.items())
        low, high = (x, high) if excess > 0 else (low, x)
    return (low + high) / 2


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the first brain stronger by elo1, or only by elo0? Both kinds of error have a
    chance of 5 %.
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("elo0 must be lower than elo1.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the test accepts elo0 and elo1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def verdict(self, llr: float) -> Verdict:
        low, high = self.bounds
        return "rejected" if llr <= low else "accepted" if llr >= high else "undecided"
