"""How many durations fell below each bound."""

from __future__ import annotations

from tablero_server.histogram import Histogram


def test_each_duration_is_counted_up_to_its_bound_and_beyond() -> None:
    spread = Histogram()
    for seconds in (0.0005, 0.001, 0.002, 0.3, 60.0):
        spread.add(seconds)
    counts = dict(spread.up_to())
    assert (counts["0.001"], counts["0.0025"], counts["0.25"], counts["0.5"]) == (2, 3, 3, 4)
    assert (counts["10.0"], counts["+Inf"], len(spread)) == (4, 5, 5)
    assert spread.sum == 60.3035


def test_a_quantile_is_a_bound_that_holds() -> None:
    spread = Histogram()
    assert spread.quantile(0.99) == 0
    for _ in range(99):
        spread.add(0.004)
    spread.add(3.0)
    assert (spread.quantile(0.5), spread.quantile(0.99), spread.quantile(1.0)) == (0.005, 0.005, 10.0)
