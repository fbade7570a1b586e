"""The board of Tic-tac-toe."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Final

from tablero.catalogue.speech import sentence
from tablero_games.position import View
from tablero_games.tic_tac_toe import CELLS, COLUMNS, LINES

from ..table_view.board import GridBoard, Marks, Scale, Target
from ..table_view.canvas import Canvas, Mark
from . import ClientGame, Lesson

_PLACES: Final = {cell: (at % 3, at // 3) for at, cell in enumerate(CELLS)}
"""The column and row of each cell."""


class TicTacToeBoard(GridBoard):
    SCALES: ClassVar = (Scale(9, 5), Scale(7, 3), Scale(3, 1), Scale(2, 1, lines=False))
    LINE_SCALES: ClassVar = (Scale(3, 1),)

    columns = rows = len(COLUMNS)
    column_names = COLUMNS

    def content(self, column: int, row: int) -> tuple[str, str]:
        content = self.view["cells"][3 * row + column]
        return (" ", "empty") if content == "." else (self.glyphs.seats[int(content)], f"seat{content}")

    def draw(self, marks: Marks) -> Canvas:
        canvas = Canvas(self.width, self.height)
        cells = self.view["cells"]
        marked: dict[tuple[int, int], Mark] = {_PLACES[cell]: "legal" for cell in marks.legal}
        if marks.last in _PLACES:
            marked[_PLACES[marks.last]] = "last"
        for line in LINES:
            if cells[line[0]] != "." and len({cells[at] for at in line}) == 1:
                marked |= {_PLACES[CELLS[at]]: "win" for at in line}
        if marks.premove in _PLACES:
            marked[_PLACES[marks.premove]] = "premove"
        if marks.cursor is not None:
            marked[_PLACES[marks.cursor]] = "cursor"
        self.draw_grid(canvas, marked)
        for cell in marks.legal:
            place = _PLACES[cell]
            canvas.put(*self.centre(*place), self.glyphs.legal, "empty", marked[place])
        return canvas

    def area(self, target: Target) -> tuple[int, int, int, int]:
        return *self.corner(*_PLACES[target]), self.scale.width, self.scale.height

    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        cell = self.cell_at(x, y)
        return None if cell is None else CELLS[3 * cell[1] + cell[0]]

    def first_target(self, legal: Collection[str]) -> Target | None:
        return "b2"

    def walk(self, target: Target, right: int, up: int) -> Target:
        column, row = _PLACES[target]
        return CELLS[3 * min(max(row + up, 0), 2) + min(max(column + right, 0), 2)]


def read_move(text: str, view: View | None) -> str:
    """Read a move. A digit is a key of a number pad: 7 is the top left. The row may come first."""
    line = " ".join(text.lower().split())
    if line in set("123456789"):
        return CELLS[int(line) - 1]
    return line[::-1] if line[::-1] in CELLS else line


LESSONS = (
    Lesson(
        told=sentence("Take turns to mark a cell. Three of your marks in a row win."),
        asked=sentence("Complete your row."),
        praised=sentence("Three in a row: you win."),
        otherwise=sentence("That cell is free, but it wins nothing. Complete the row at the top."),
        right="c3",
        moves=("a3", "a1", "b3", "b1"),
    ),
    Lesson(
        told=sentence("Columns and diagonals count, too."),
        asked=sentence("Complete your diagonal."),
        praised=sentence("Three in a diagonal: you win."),
        otherwise=sentence("That cell is free, but it wins nothing. Go from corner to corner."),
        right="c3",
        moves=("a1", "a2", "b2", "b1"),
    ),
    Lesson(
        told=sentence("Your opponent has two in a column and wins with the third."),
        asked=sentence("Stop your opponent."),
        praised=sentence("Well stopped. If nobody gets a line, the game is a draw."),
        otherwise=sentence("After that, your opponent completes the column. Mark the cell above the two."),
        right="b3",
        moves=("a3", "b2", "c1", "b1"),
    ),
    Lesson(
        told=sentence("Now you know it all."),
        asked=sentence("Mark any cell."),
        praised=sentence("That's how to play. Have fun!"),
        by={
            "mouse": sentence("Click a cell, or press Tab, then the arrow keys and Enter."),
            "touch": sentence("Tap a cell."),
            "keys": sentence("Go to a cell with the arrow keys, then press Enter, or click it."),
        },
    ),
)

CLIENT_GAME = ClientGame(
    board=TicTacToeBoard,
    read_move=read_move,
    by_digit=True,
    hint=sentence("three in a row"),
    lessons=LESSONS,
)
