"""What a test can count about the source stays within `tests/ratchets.toml`, and only goes down."""

from __future__ import annotations

import pytest

from tests.harness.ratchets import complaints


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (101, "hops: 101 is above its bound of 100"),
        (94, "hops: lower its bound of 100 in the same commit, to 94"),
    ],
)
def test_a_figure_above_its_bound_or_well_below_it_is_complained_about(figure: float, said: str) -> None:
    assert complaints({"hops": figure}, {"hops": 100}) == [said]


@pytest.mark.parametrize("figure", [100, 95])
def test_a_figure_at_its_bound_or_just_below_it_is_fine(figure: float) -> None:
    assert complaints({"hops": figure}, {"hops": 100}) == []


def test_each_figure_has_a_bound_and_each_bound_a_figure() -> None:
    assert complaints({"new": 7}, {"old": 3}) == [
        "old: remove its bound, nothing counts it",
        "new: give it a bound in tests/ratchets.toml: 7",
    ]
