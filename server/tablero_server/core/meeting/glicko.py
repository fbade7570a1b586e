"""Glicko-2, after Mark Glickman's "Example of the Glicko-2 system": ratings from results.

Law: no value is rounded here; ratings are rounded where they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

_MIDDLE, _SCALE = 1500.0, 173.7178
"""The offset and factor between shown ratings and the scale of the paper."""
_TAU = 0.5
"""The system constant τ of the paper: small, as the paper advises where upsets are due to chance."""
_ENOUGH = 1e-6
"""The precision of the new volatility."""


class Rating(NamedTuple):
    value: float = _MIDDLE
    deviation: float = 350.0
    """The uncertainty: in 19 of 20 cases the true strength is within two deviations of the value."""
    volatility: float = 0.06
    """The expected change of strength from one period to the next."""


Result = tuple[Rating, float]
"""The rival's rating before the period, and the score: 1 for a win, 0.5 for a draw, 0 for a loss."""


def aged(rating: Rating, periods: float) -> Rating:
    """The rating after `periods` (or a fraction of one) without a game: it is less certain."""
    deviation = _SCALE * _grown(rating.deviation / _SCALE, rating.volatility, periods)
    return rating._replace(deviation=min(deviation, Rating().deviation))


def rated(rating: Rating, results: Sequence[Result], periods: float = 1.0) -> Rating:
    """The rating after these results; `periods` is the time that they took, 0 for none."""
    mu, phi = (rating.value - _MIDDLE) / _SCALE, rating.deviation / _SCALE
    information = surprise = 0.0
    for rival, score in results:
        weight = 1 / sqrt(1 + 3 * (rival.deviation / _SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-weight * (mu - (rival.value - _MIDDLE) / _SCALE)))
        information += weight * weight * expected * (1 - expected)
        surprise += weight * (score - expected)
    if not information:
        return aged(rating, periods)
    variance = 1 / information
    volatility = _new_volatility(rating.volatility, phi, variance, variance * surprise)
    phi = 1 / sqrt(1 / _grown(phi, volatility, periods) ** 2 + information)
    return Rating(_MIDDLE + _SCALE * (mu + phi * phi * surprise), _SCALE * phi, volatility)


def _grown(phi: float, volatility: float, periods: float) -> float:
    return sqrt(phi * phi + periods * volatility * volatility)


def _new_volatility(volatility: float, phi: float, variance: float, delta: float) -> float:
    """The new volatility by step 5 of the paper: the zero of its function, found by the Illinois
    algorithm.
    """
    start = log(volatility * volatility)

    def slope(x: float) -> float:
        grown = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - start) / (_TAU * _TAU)

    low, high = start, start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        high -= _TAU
        while slope(high) < 0:
            high -= _TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _ENOUGH:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
