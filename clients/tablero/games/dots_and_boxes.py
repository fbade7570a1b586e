"""The board of Dots and Boxes. A target is an edge, and the cursor walks from edge to edge.

Edges lie on a lattice of twice the dots: `a1h` at 1, 0 and `a1v` at 0, 1.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import ClassVar

from tablero.catalogue.speech import sentence
from tablero_games import Seat
from tablero_games.dots_and_boxes import DOT_COLUMNS
from tablero_games.position import View

from ..table_view.board import Board, Marks, Scale, Target
from ..table_view.canvas import BRACKETS, Canvas, Mark
from ..table_view.notation import direction_last
from . import ClientGame, Lesson

_TWO_DOTS = re.compile(r"([a-z])(\d{1,2})[\s-]*([a-z])(\d{1,2})", re.ASCII)


class DotsAndBoxesBoard(Board):
    """The board of Dots and Boxes. Its scale is the space between two dots."""

    SCALES: ClassVar = (Scale(7, 3), Scale(5, 2), Scale(3, 1), Scale(1, 1))
    LINE_SCALES: ClassVar = (Scale(3, 1), Scale(1, 1))

    def __post_init__(self) -> None:
        self.columns: int = self.view["columns"]
        self.rows: int = self.view["rows"]
        self._left = len(str(self.rows + 1)) + 1
        self.width = self._left + self.columns * (self.scale.width + 1) + 1
        self.height = self.rows * (self.scale.height + 1) + 2

    def _dot(self, column: int, row: int) -> tuple[int, int]:
        return (
            self._left + column * (self.scale.width + 1),
            (self.rows - row) * (self.scale.height + 1),
        )

    def draw(self, marks: Marks) -> Canvas:
        canvas = Canvas(self.width, self.height)
        self._draw_boxes(canvas)
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                canvas.put(*self._dot(column, row), self.glyphs.dot, "dot")
            canvas.put(0, self._dot(0, row)[1], f"{row + 1:>{self._left - 1}}", "label")
        for column in range(self.columns + 1):
            canvas.put(self._dot(column, 0)[0], self.height - 1, DOT_COLUMNS[column], "label")
        self._draw_edges(canvas, marks)
        return canvas

    def _draw_boxes(self, canvas: Canvas) -> None:
        for row, owners in enumerate(self.view["owners"]):
            for column, owner in enumerate(owners):
                if owner != ".":
                    x, y = self._dot(column, row)
                    for line in range(1, self.scale.height + 1):
                        canvas.put(x + 1, y - line, " " * self.scale.width, f"seat{owner}")
                    middle = y - (self.scale.height + 1) // 2
                    canvas.put(
                        x + 1 + self.scale.width // 2, middle, self.glyphs.seats[int(owner)], f"seat{owner}"
                    )

    def _draw_edges(self, canvas: Canvas, marks: Marks) -> None:
        for edge in self._edges():
            mark: Mark = ""
            if edge == marks.last:
                mark = "last"
            if edge == marks.premove:
                mark = "premove"
            if edge == marks.cursor:
                mark = "cursor"
            left, top, width, height = self.area(edge)
            drawn = self._is_drawn(edge)
            if drawn:
                glyph = self.glyphs.edge_horizontal if edge[-1] == "h" else self.glyphs.edge_vertical
                for y in range(top, top + height):
                    canvas.put(left, y, glyph * width, "edge", mark)
            elif mark:
                canvas.mark(left, top, width, height, mark)
            elif edge in marks.legal and len(marks.legal) <= 12:
                canvas.put(left + width // 2, top + height // 2, self.glyphs.legal, "empty", "legal")
            if mark:
                self._enclose(canvas, edge, mark)

    def _enclose(self, canvas: Canvas, edge: Target, mark: Mark) -> None:
        """Mark an edge without colours: by brackets, or by one sign if there is no space for brackets."""
        left, top, width, height = self.area(edge)
        before, after = BRACKETS[mark]
        middle = top + height // 2
        if self.scale.width < 3:
            canvas.put(left, middle, before if mark != "cursor" else "#", "bracket", mark)
        elif edge[-1] == "h":
            canvas.put(left, top, before, "bracket", mark)
            canvas.put(left + width - 1, top, after, "bracket", mark)
        else:
            canvas.enclose(left, middle, mark)

    def _edges(self) -> list[Target]:
        return [
            *(f"{DOT_COLUMNS[x]}{y + 1}h" for y in range(self.rows + 1) for x in range(self.columns)),
            *(f"{DOT_COLUMNS[x]}{y + 1}v" for y in range(self.rows) for x in range(self.columns + 1)),
        ]

    def _is_drawn(self, edge: Target) -> bool:
        column, row = _dot_of(edge)
        rows = self.view["horizontal" if edge[-1] == "h" else "vertical"]
        drawn: bool = rows[row][column] != "."
        return drawn

    def area(self, target: Target) -> tuple[int, int, int, int]:
        x, y = self._dot(*_dot_of(target))
        if target[-1] == "h":
            return x + 1, y, self.scale.width, 1
        return x, y - self.scale.height, 1, self.scale.height

    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        """The nearest edge to a point; None in the middle of a box."""
        if not (self._left <= x < self.width and 0 <= y < self.height - 1):
            return None

        def far(edge: Target) -> tuple[float, bool]:
            left, top, width, height = self.area(edge)
            across = max(left - x, 0, x - left - width + 1) / (self.scale.width + 1)
            along = max(top - y, 0, y - top - height + 1) / (self.scale.height + 1)
            return across + along, edge != cursor

        nearest = min(self._edges(), key=far)
        return nearest if far(nearest)[0] <= 0.4 else None

    def first_target(self, legal: Collection[str]) -> Target | None:
        middle = f"{DOT_COLUMNS[self.columns // 2 - (self.columns > 1)]}{self.rows // 2 + 1}h"
        return middle if not self._is_drawn(middle) else next(iter(legal), middle)

    def walk(self, target: Target, right: int, up: int) -> Target:
        """The next edge: sideways in the same row of edges, up and down through rows of both directions."""
        column, row = _dot_of(target)
        across, along = (2 * column + 1, 2 * row) if target[-1] == "h" else (2 * column, 2 * row + 1)
        along += up
        if not 0 <= along <= 2 * self.rows:
            return target
        across += 2 * right
        if up:
            across += 1 if along % 2 else -1
        lowest = 0 if along % 2 else 1
        across = min(max(across, lowest), 2 * self.columns - lowest)
        return f"{DOT_COLUMNS[across // 2]}{along // 2 + 1}{'v' if along % 2 else 'h'}"

    def rotated(self, target: Target) -> Target:
        """The other edge that starts at the same dot."""
        column, row = _dot_of(target)
        if target[-1] == "h":
            return f"{DOT_COLUMNS[column]}{min(row, self.rows - 1) + 1}v"
        return f"{DOT_COLUMNS[min(column, self.columns - 1)]}{row + 1}h"

    switched = rotated

    def facts(self, seat: int) -> str:
        return str(self.view["scores"][seat])


def _dot_of(edge: Target) -> tuple[int, int]:
    return DOT_COLUMNS.index(edge[0]), int(edge[1:-1]) - 1


def read_move(text: str, view: View | None) -> str:
    """Read a move. An edge may be written as the two dots that it connects."""
    line = " ".join(text.lower().split())
    dots = _TWO_DOTS.fullmatch(line)
    if dots is None:
        return direction_last(line)
    (column, row), (other_column, other_row) = sorted([(dots[1], int(dots[2])), (dots[3], int(dots[4]))])
    if row == other_row and ord(other_column) - ord(column) == 1:
        return f"{column}{row}h"
    if column == other_column and other_row - row == 1:
        return f"{column}{row}v"
    return line


def side(view: View, seat: Seat) -> str:
    return str(view["scores"][seat])


_SMALL = {"rows": 3, "columns": 3}
LESSONS = (
    Lesson(
        told=sentence("Take turns to draw an edge between two neighbouring dots."),
        asked=sentence("Draw any edge."),
        praised=sentence("Now it would be your opponent's turn."),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("The player who draws the fourth edge of a box gets the box."),
        asked=sentence("Close the box."),
        praised=sentence("The box is yours. In the end, the player with more boxes wins."),
        otherwise=sentence("One box has three edges already. Draw its fourth."),
        right="a2h",
        moves=("c4h", "a1h", "b1v", "a1v"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("After closing a box you must draw another edge. You have just closed one."),
        asked=sentence("Close the next box, too."),
        praised=sentence("Two boxes in one turn, and you draw once more."),
        otherwise=sentence("The box beside yours has three edges already. Draw its fourth."),
        right="b2h",
        moves=("a1h", "b1h", "a1v", "c1v", "c4h", "b1v", "a2h"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("If you draw the third edge of a box, your opponent draws the fourth and gets it."),
        asked=sentence("Draw an edge that gives no box away."),
        praised=sentence("Safe. Now your opponent has to find a safe edge."),
        otherwise=sentence("That is the third edge of a box. Your opponent would close it."),
        right="(?!b1v|a2h).*",
        moves=("a1h", "a1v"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("Now you know it all."),
        asked=sentence("Draw any edge."),
        praised=sentence("That's how to play. Have fun!"),
        by={
            "mouse": sentence("Click between two dots, or press Tab, then the arrow keys and Enter."),
            "touch": sentence("Tap between two dots. Where edges are close, tap again to draw."),
            "keys": sentence("Go to an edge with the arrow keys, rotate it with r, draw it with Enter."),
        },
        options=_SMALL,
    ),
)

CLIENT_GAME = ClientGame(
    board=DotsAndBoxesBoard,
    read_move=read_move,
    keys=frozenset({"rotate"}),
    hint=sentence("close more boxes than your opponent"),
    side=side,
    lessons=LESSONS,
)
