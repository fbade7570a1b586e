"""Every mistake planted on purpose is found within a few evenings, by the promise that it breaks."""

from __future__ import annotations

import pytest

from trials.simulation.bugs import BUGS, planted
from trials.simulation.evening import play
from trials.simulation.world import Broken

WITHIN = 500


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_mistake_is_found(name: str) -> None:
    with planted(name):
        found = next((seed for seed in range(WITHIN) if _breaks(seed, BUGS[name].breaks)), None)
    assert found is not None, f"{WITHIN} evenings did not show {name}"
    assert play(found).failure is None, "it is the mistake that was found, and nothing else"


def _breaks(seed: int, promise: str) -> bool:
    failure = play(seed).failure
    return isinstance(failure, Broken) and str(failure).startswith(f"{promise}: ")
