"""A failing assertion in code that tests share shows its values, as one in a test does."""

from __future__ import annotations

from importlib import import_module

import pytest

from tablero_games import GAMES
from tests.harness.games.refusals import assert_refused


def test_a_failing_assertion_in_the_harness_shows_its_values() -> None:
    with pytest.raises(AssertionError, match=r"illegalMove.*!= 'full'"):
        assert_refused(GAMES["tic-tac-toe"].start(), 0, "z9", "full", "")


@pytest.mark.parametrize("name", ["tests.layers", "trials.simulation.world", "bench.walk"])
def test_assertions_are_rewritten_in_all_that_tests_import(name: str) -> None:
    assert type(import_module(name).__loader__).__name__ == "AssertionRewritingHook"
