"""Every mistake planted on purpose is found, by the promise that it breaks."""

from __future__ import annotations

import pytest

from trials.simulation.bugs import BUGS
from trials.simulation.evening import play
from trials.simulation.found import breaks, known


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_mistake_is_found(name: str) -> None:
    seed = known().get(name)
    assert seed is not None, "say: python -m trials.simulation.found"
    assert breaks(name, seed), f"{name} does not show in evening {seed}: python -m trials.simulation.found"
    assert play(seed).failure is None, "it is the mistake that was found, and nothing else"
