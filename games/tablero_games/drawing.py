"""A board of cells as text with row and column labels, which several games share.

Law: every character is one column wide in any terminal, even if it draws ambiguous characters wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .position import Style

ASCII = {**{str(seat): mark for seat, mark in enumerate("XOABCDEF")}, ".": ".", "left": "|", "right": "|"}
UNICODE = {**{str(seat): mark for seat, mark in enumerate("✕◉▴❖✚⬢✦⬟")}, ".": "⋅", "left": "⎢", "right": "⎥"}


def framed(rows_from_the_top: Sequence[Iterable[str]], columns: Iterable[str], style: Style) -> str:
    """The cells between two walls, with rows numbered down to 1 and columns named below.

    A cell is a seat's digit, "." if empty, or another character of the game.
    """
    marks = ASCII if style == "ascii" else UNICODE
    names = list(columns)
    cell = max(map(len, names))
    label = len(str(len(rows_from_the_top)))
    lines = []
    for above, row in enumerate(rows_from_the_top):
        number = len(rows_from_the_top) - above
        cells = " ".join(f"{marks.get(content, content):>{cell}}" for content in row)
        lines.append(f"{number:>{label}} {marks['left']} {cells} {marks['right']}")
    lines.append(" " * (label + 3) + " ".join(f"{name:>{cell}}" for name in names))
    return "\n".join(lines)
