"""The effects that are lost together with those that could not be saved, found like the committer does."""

from __future__ import annotations

from collections.abc import Sequence

from tablero_server.core.effects import Effects
from tablero_server.journal.roll_back import dependents_of, hide_what_is_lost


def lost_with(failed: set[Effects], effects: Sequence[Effects]) -> list[Effects]:
    """The lost effects. Other effects then no longer mention them."""
    lost = dependents_of(failed, effects)
    hide_what_is_lost(lost, [each for each in effects if each not in lost])
    return lost
