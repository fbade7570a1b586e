"""QR codes from the server, drawn with letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

QUIET = 2
"""Number of light modules around the code, enough for phones."""


def half_blocks(modules: Sequence[str]) -> list[str]:
    """The code with two rows in one line of text. Light modules are drawn, for dark backgrounds."""
    rows = _with_quiet(modules)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(signs[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]


def runs(modules: Sequence[str]) -> list[list[tuple[int, bool]]]:
    """The dark and light runs of each row, in columns; each module takes two columns."""
    return [[(2 * len(list(group)), dark) for dark, group in groupby(line)] for line in _with_quiet(modules)]


def _with_quiet(modules: Sequence[str]) -> list[list[bool]]:
    """The modules with a light border; True means dark."""
    around = [""] * QUIET
    size = len(modules) + 2 * QUIET
    return [[module == "1" for module in row.center(size, "0")] for row in [*around, *modules, *around]]
