"""Glicko-2 against the example that its author has published, and against what must hold of any rating."""

from __future__ import annotations

import pytest

from tablero_server.core.meeting.glicko import Rating, aged, rated

PUBLISHED = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
"""Glickman, "Example of the Glicko-2 system": a player of 1500, 200, 0.06 wins one game and loses two."""


def test_the_published_example_comes_out_to_four_decimals() -> None:
    value, deviation, volatility = rated(Rating(1500, 200, 0.06), PUBLISHED)
    mu, phi = (value - 1500) / 173.7178, deviation / 173.7178
    assert (round(mu, 4), round(phi, 4)) == (-0.2069, 0.8722)  # as the paper prints them
    assert int(volatility * 100_000) == 5999  # it prints 0.05999
    # It goes on with the four decimals, to 1464.06 and 151.52. These are the same steps without rounding:
    assert (round(value, 4), round(deviation, 4), round(volatility, 6)) == (1464.0507, 151.5165, 0.059996)


def test_the_value_decides_nothing_about_the_volatility() -> None:
    """An implementation that takes one for the other passes the example, whose player is in the middle."""

    def moved(by: int) -> float:
        results = [(rival._replace(value=rival.value + by), score) for rival, score in PUBLISHED]
        return rated(Rating(1500 + by, 200, 0.06), results).volatility

    assert moved(400) == pytest.approx(moved(0))


def test_who_did_not_play_is_less_sure_and_no_worse() -> None:
    waited = aged(Rating(1500, 200, 0.06), 1)
    assert waited.deviation == pytest.approx(200.2714, abs=5e-5)
    assert (waited.value, waited.volatility) == (1500, 0.06)
    assert rated(Rating(1500, 200, 0.06), []) == aged(Rating(1500, 200, 0.06), 1)
    assert aged(Rating(1500, 60, 0.06), 10_000).deviation == 350


def test_a_draw_between_equals_moves_nobody() -> None:
    assert rated(Rating(), [(Rating(), 0.5)]).value == 1500


@pytest.mark.parametrize("gap", [-3_000, -400, 0, 400, 3_000])
def test_what_one_wins_the_other_loses_if_both_are_as_sure(gap: int) -> None:
    one, other = Rating(1500 + gap, 80), Rating(1500, 80)
    won = rated(one, [(other, 1.0)], 0).value - one.value
    lost = rated(other, [(one, 0.0)], 0).value - other.value
    assert won == pytest.approx(-lost, abs=1e-3)
    assert won >= 0


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("gap", [-8_000, -800, 0, 800, 8_000])
@pytest.mark.parametrize("deviation", [10, 350])
def test_no_result_is_too_odd_for_it(score: float, gap: int, deviation: int) -> None:
    after = rated(Rating(1500, deviation), [(Rating(1500 + gap, deviation), score)])
    assert 0 < after.deviation <= 352
    assert 0 < after.volatility < 1
    assert abs(after.value - 1500) < 8_000


def test_a_long_upset_makes_the_strength_count_as_changing() -> None:
    weak = [(Rating(1100, 40), 0.0)] * 12
    assert rated(Rating(1700, 50, 0.06), weak).volatility > 0.0601
