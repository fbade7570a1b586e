"""Each planted bug is found, by the promise that it breaks."""

from __future__ import annotations

from functools import cache

import pytest

from trials.simulation.bugs import BUGS
from trials.simulation.evening import play
from trials.simulation.found import breaks, known


@cache
def unspoilt(seed: int) -> BaseException | None:
    """The failure of this evening without a planted bug. Several bugs may be found in the same evening."""
    return play(seed).failure


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_mistake_is_found(name: str) -> None:
    seed = known("mistakes").get(name)
    assert seed is not None, "say: python -m trials.simulation.found"
    assert breaks(name, seed), f"{name} does not show in evening {seed}: python -m trials.simulation.found"
    assert unspoilt(seed) is None, "it is the mistake that was found, and nothing else"
