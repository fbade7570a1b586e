"""Every mistake planted on purpose is found within a few evenings."""

from __future__ import annotations

import pytest

from trials.simulation.bugs import BUGS, planted
from trials.simulation.evening import play

WITHIN = 500


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_mistake_is_found(name: str) -> None:
    with planted(name):
        found = next((seed for seed in range(WITHIN) if play(seed).failure is not None), None)
    assert found is not None, f"{WITHIN} evenings went well although the code had {name}"
    assert play(found).failure is None, "it is the mistake that was found, and nothing else"
