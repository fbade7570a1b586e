"""QR codes as the server tells them, drawn with letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

QUIET = 2
"""Light modules around it; phones read it with two."""


def half_blocks(modules: Sequence[str]) -> list[str]:
    """Two rows in one, the light modules drawn: for light letters on a dark ground."""
    rows = _with_quiet(modules)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(signs[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]


def runs(modules: Sequence[str]) -> list[list[tuple[int, bool]]]:
    """Row by row how many columns are dark or light, with two columns for each module."""
    return [[(2 * len(list(group)), dark) for dark, group in groupby(line)] for line in _with_quiet(modules)]


def _with_quiet(modules: Sequence[str]) -> list[list[bool]]:
    """Whether each module is dark, with the light ones around."""
    around = [""] * QUIET
    size = len(modules) + 2 * QUIET
    return [[module == "1" for module in row.center(size, "0")] for row in [*around, *modules, *around]]
