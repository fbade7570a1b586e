"""A board of cells as text, with row and column labels: the frame and the marks that games share.

Law: every character is one column wide in any terminal, also where ambiguous ones are drawn wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .position import Style

ASCII = {**{str(seat): mark for seat, mark in enumerate("XOABCDEF")}, ".": ".", "left": "|", "right": "|"}
UNICODE = {**{str(seat): mark for seat, mark in enumerate("✕◉▴❖✚⬢✦⬟")}, ".": "⋅", "left": "⎢", "right": "⎥"}


def framed(rows_from_the_top: Sequence[Iterable[str]], columns: Iterable[str], style: Style) -> str:
    """Cells between two walls, rows numbered down to 1, columns named underneath.

    A cell is a seat's digit, "." when it is empty, or another character of the game.
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
