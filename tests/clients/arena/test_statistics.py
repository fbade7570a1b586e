"""The figures are those that others publish for the same results."""

from __future__ import annotations

from math import inf

import pytest

from tablero.arena.statistics import (
    PAIRS,
    SINGLES,
    Sprt,
    elo,
    expected,
    llr,
    share_interval,
    spread,
    wilson,
)


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [
        # Newcombe 1998, table I, method 3
        pytest.param(81, 263, 0.2553, 0.3662, id="81 of 263"),
        pytest.param(15, 148, 0.0624, 0.1605, id="15 of 148"),
        pytest.param(0, 20, 0.0, 0.1611, id="0 of 20"),
        pytest.param(1, 29, 0.0061, 0.1718, id="1 of 29"),
        pytest.param(20, 20, 0.8389, 1.0, id="all"),
        pytest.param(0, 0, 0.0, 1.0, id="none played"),
    ],
)
def test_wilson_intervals(points: float, games: float, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=5e-5)


def test_all_and_nothing_are_exact_ends() -> None:
    assert wilson(46, 46)[1] == 1.0
    assert wilson(0, 46)[0] == 0.0


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "difference", "error"),
    [
        # As chess tournament programs print them
        (0, 36, 14, -315.34, 95.43),
        (859, 772, 1329, 10.21, 9.28),
        (1164, 1267, 3049, -6.53, 6.12),
        (869, 646, 357, 41.6, 14.2),
        (409, 197, 133, 102.5, 23.5),
    ],
)
def test_elo_and_its_error(wins: int, losses: int, draws: int, difference: float, error: float) -> None:
    observed = {1.0: wins, 0.5: draws, 0.0: losses}
    low, high = (elo(end) or inf for end in share_interval(observed, wins + losses + draws))
    assert elo(spread(observed).mean) == pytest.approx(difference, abs=0.05)
    assert (high - low) / 2 == pytest.approx(error, rel=0.01)


def test_what_is_always_won_has_no_elo_difference_and_no_upper_bound() -> None:
    low, high = share_interval({1.0: 50}, 100)
    assert elo(1.0) is None
    assert elo(high) is None
    assert elo(low) == pytest.approx(elo(wilson(100, 100)[0]))
    assert elo(share_interval({0.0: 50}, 100)[0]) is None


def test_pairs_that_are_all_alike_do_not_make_a_bound_of_zero_width() -> None:
    assert share_interval({0.5: 10}, 20) == wilson(10, 20)


def test_expected_undoes_elo() -> None:
    assert [elo(expected(difference)) for difference in (-200, 0, 35)] == pytest.approx([-200, 0, 35])
    assert expected(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "verdict"),
    [
        # Tests that were decided in public
        ((485, 1923, 2942, 1937, 594), 0, 5, "accepted"),
        ((261, 739, 2683, 737, 253), -10, 0, "accepted"),
        ((63, 252, 385, 250, 74), 0, 10, "undecided"),
        ((527, 1007, 1932, 933, 511), 0, 5, "rejected"),
        ((175, 305, 694, 291, 157), 0, 10, "rejected"),
    ],
)
def test_sequential_verdicts(pairs: tuple[int, ...], elo0: float, elo1: float, verdict: str) -> None:
    observed = dict(zip(PAIRS, pairs, strict=True))
    assert Sprt(elo0, elo1).verdict(llr(observed, PAIRS, elo0, elo1)) == verdict


def test_the_ratio_is_that_of_the_normal_approximation_when_there_is_much_to_see() -> None:
    observed = {0.0: 900, 0.5: 1200, 1.0: 1000}
    seen, s0, s1 = spread(observed), expected(0), expected(10)
    approximation = seen.count * (s1 - s0) * (2 * seen.mean - s0 - s1) / (2 * seen.variance)
    assert llr(observed, SINGLES, 0, 10) == pytest.approx(approximation, rel=0.02)


def test_the_ratio_of_nothing_and_between_equals_is_zero() -> None:
    assert llr({}, PAIRS, -20, 20) == pytest.approx(0, abs=1e-9)
    assert llr({0.0: 7, 0.5: 3, 1.0: 7}, SINGLES, -20, 20) == pytest.approx(0, abs=1e-9)


def test_the_bounds_are_walds() -> None:
    assert Sprt().bounds == pytest.approx((-2.944, 2.944), abs=1e-3)


def test_hypotheses_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="lower"):
        Sprt(10, 10)
