"""Figures that may only decrease: `tests/ratchets.toml` has a bound for each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[1] / "ratchets.toml"
BOUNDS: dict[str, Any] = tomllib.loads(_FILE.read_text("utf-8"))
SLACK = 0.05
"""The share by which a figure may be below its bound."""


def hold(figures: Mapping[str, float], bounds: Mapping[str, float]) -> None:
    assert not (said := complaints(figures, bounds)), "\n".join(said)


def complaints(figures: Mapping[str, float], bounds: Mapping[str, float]) -> list[str]:
    """A sentence for each figure above its bound, well below it, or without one."""
    gone = bounds.keys() - figures.keys()
    found = [f"{name}: remove its bound, nothing counts it" for name in sorted(gone)]
    for name, figure in figures.items():
        bound = bounds.get(name)
        if bound is None:
            found.append(f"{name}: give it a bound in tests/ratchets.toml: {figure}")
        elif figure > bound:
            found.append(f"{name}: {figure} is above its bound of {bound}")
        elif figure < bound * (1 - SLACK):
            found.append(f"{name}: lower its bound of {bound} in the same commit, to {figure}")
    return found
