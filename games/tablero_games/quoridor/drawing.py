"""A view of Quoridor as text: cells, pawns and walls, and the number of walls left.

A column is four characters wide and a row two lines high, so that walls are drawn between cells:

    2 | .   . # .   O |
      |       #=======|
    1 | X   . # .   . |
        a   b   c   d
"""

from __future__ import annotations

from ..drawing import ASCII, UNICODE
from ..position import Style, View, Wording
from .board import COLUMNS

_ASCII_WALLS = {"h": "=", "v": "#"}
_UNICODE_WALLS = {"h": "▬", "v": "❚"}


def drawing(view: View, style: Style, say: Wording) -> str:
    size: int = view["size"]
    marks = ASCII if style == "ascii" else UNICODE
    label = len(str(size))
    lines = []
    for y, line in enumerate(_inside(view, style)):
        number = "" if y % 2 else size - y // 2
        lines.append(f"{number:>{label}} {marks['left']}{line}{marks['right']}")
    lines.append(" " * (label + 3) + "   ".join(COLUMNS[:size]))
    left = [f"{marks[str(seat)]} {count}" for seat, count in enumerate(view["wallsLeft"])]
    lines.append(say("walls left: {left}", left=", ".join(left)))
    return "\n".join(lines)


def _inside(view: View, style: Style) -> list[str]:
    """The lines from the top, without labels and sides; every second line is a row of cells."""
    size: int = view["size"]
    marks, strokes = (ASCII, _ASCII_WALLS) if style == "ascii" else (UNICODE, _UNICODE_WALLS)
    canvas = [[" "] * (4 * size - 1) for _ in range(2 * size - 1)]
    for row in canvas[::2]:
        row[1::4] = marks["."] * size
    for seat, pawn in enumerate(view["pawns"]):
        x, y = _spot(pawn, size)
        canvas[y][x] = marks[str(seat)]
    for wall in view["walls"]:
        x, y = _spot(wall[:-1], size)
        if wall[-1] == "h":
            canvas[y - 1][x - 1 : x + 6] = strokes["h"] * 7
        else:
            for line in canvas[y - 2 : y + 1]:
                line[x + 2] = strokes["v"]
    return ["".join(line) for line in canvas]


def _spot(cell: str, size: int) -> tuple[int, int]:
    """The row and column of a cell on the canvas, from the top left."""
    return 4 * COLUMNS.index(cell[0]) + 1, 2 * (size - int(cell[1:]))
