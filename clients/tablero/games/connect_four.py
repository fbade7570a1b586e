"""The board of Connect Four. A target is a column, and the cursor shows where the disc would land."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar

from tablero.catalogue.speech import sentence
from tablero_games.position import View

from ..table_view.board import GridBoard, Marks, Scale, Target
from ..table_view.canvas import Canvas, Mark
from . import ClientGame, Lesson

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFourBoard(GridBoard):
    SCALES: ClassVar = (
        Scale(7, 3), Scale(5, 2, lines=True), Scale(5, 2, lines=False), Scale(3, 1), Scale(3, 1, lines=False),
        Scale(2, 1, lines=False),
    )  # fmt: skip
    LINE_SCALES: ClassVar = (Scale(3, 1, lines=False), Scale(2, 1, lines=False))

    @property
    def columns(self) -> int:
        columns: int = self.view["columns"]
        return columns

    @property
    def rows(self) -> int:
        rows: int = self.view["rows"]
        return rows

    @property
    def column_names(self) -> list[str]:
        return [str(column + 1) for column in range(self.columns)]

    def content(self, column: int, row: int) -> tuple[str, str]:
        stack = self.view["stacks"][column]
        if row >= len(stack):
            return self.glyphs.empty, "empty"
        return self.glyphs.seats[int(stack[row])], f"disc{stack[row]}"

    def draw(self, marks: Marks) -> Canvas:
        canvas = Canvas(self.width, self.height)
        marked: dict[tuple[int, int], Mark] = {}
        last = None
        if marks.last is not None and marks.last.isdecimal():
            column = int(marks.last) - 1
            last = column, len(self.view["stacks"][column]) - 1
            marked[last] = "last"
        if not marks.drop:
            marked |= dict.fromkeys(self._won(), "win")
        for chosen, mark in ((marks.premove, "premove"), (marks.cursor, "cursor")):
            if chosen is not None and (cell := self._landing(int(chosen) - 1)) is not None:
                marked[cell] = "premove" if mark == "premove" else "cursor"
        if marks.drop and last is not None:
            del marked[last]
        self.draw_grid(canvas, marked)
        if marks.drop and last is not None:
            self._lift(canvas, *last, marks.drop)
        self._point(canvas, marks)
        return canvas

    falls = True

    def fall(self, move: str) -> int:
        return self.rows - len(self.view["stacks"][int(move) - 1])

    def _lift(self, canvas: Canvas, column: int, row: int, by: int) -> None:
        """Draw a falling disc `by` cells above its place."""
        glyph, role = self.content(column, row)
        canvas.put(*self.centre(column, row), self.glyphs.empty, "empty")
        x, y = self.corner(column, row)
        canvas.put(x, y, " " * self.scale.width, "empty")
        canvas.put(*self.centre(column, row), self.glyphs.empty, "empty")
        canvas.put(*self.centre(column, min(row + by, self.rows - 1)), glyph, role)

    def _point(self, canvas: Canvas, marks: Marks) -> None:
        """Mark the columns that may be played, and the cursor's column, below the board."""
        for name in self.column_names:
            x, _ = self.centre(int(name) - 1, 0)
            mark: Mark = "cursor" if name == marks.cursor else "legal" if name in marks.legal else ""
            for line, digit in enumerate(name, start=self.bottom):
                canvas.put(x, line, digit, "label", mark)
            if mark == "cursor":
                canvas.enclose(x, self.bottom, mark)

    def _landing(self, column: int) -> tuple[int, int] | None:
        height = len(self.view["stacks"][column])
        return (column, height) if height < self.rows else (column, self.rows - 1)

    def _won(self) -> Iterator[tuple[int, int]]:
        """Every cell of every line that is long enough to win."""
        stacks, connect = self.view["stacks"], self.view["connect"]
        stones = {(x, y): seat for x, stack in enumerate(stacks) for y, seat in enumerate(stack)}
        for (x, y), seat in stones.items():
            for right, up in _DIRECTIONS:
                line = [(x + right * step, y + up * step) for step in range(connect)]
                if all(stones.get(cell) == seat for cell in line):
                    yield from line

    def area(self, target: Target) -> tuple[int, int, int, int]:
        cell = self._landing(int(target) - 1)
        assert cell is not None
        return *self.corner(*cell), self.scale.width, self.scale.height

    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        cell = self.cell_at(x, min(y, self.bottom - 1))
        return None if cell is None else str(cell[0] + 1)

    def first_target(self, legal: Collection[str]) -> Target | None:
        return str(self.columns // 2 + 1)

    def walk(self, target: Target, right: int, up: int) -> Target:
        return str(min(max(int(target) + right, 1), self.columns))


def read_move(text: str, view: View | None) -> str:
    return " ".join(text.lower().split()).removeprefix("column ")


LESSONS = (
    Lesson(
        told=sentence("Take turns to drop a disc. It falls to the lowest free cell of its column."),
        asked=sentence("Drop a disc into column 4, in the middle."),
        praised=sentence("Your disc lies at the bottom. The next disc in this column will lie on it."),
        right="4",
    ),
    Lesson(
        told=sentence("The first player with four discs in a row wins."),
        asked=sentence("Complete your four."),
        praised=sentence("Four in a row: you win."),
        otherwise=sentence("Your three discs at the bottom need a fourth at one of their ends."),
        right="[26]",
        moves=("3", "3", "4", "4", "5", "5"),
    ),
    Lesson(
        told=sentence("Columns and diagonals count, too."),
        asked=sentence("Complete your diagonal."),
        praised=sentence("Four in a diagonal: you win."),
        otherwise=sentence("Your diagonal begins at the bottom left. Which column comes next?"),
        right="4",
        moves=("1", "2", "2", "3", "4", "3", "3", "4", "7", "4"),
    ),
    Lesson(
        told=sentence("Your opponent has three in a column and wins with the fourth."),
        asked=sentence("Stop your opponent."),
        praised=sentence("Well stopped. If the board fills up without four in a row, the game is a draw."),
        otherwise=sentence("After that, your opponent completes the column. Drop your disc on top of it."),
        right="4",
        moves=("1", "4", "2", "4", "7", "4"),
    ),
    Lesson(
        told=sentence("Now you know it all."),
        asked=sentence("Drop a disc into any column."),
        praised=sentence("That's how to play. Have fun!"),
        by={
            "mouse": sentence("Click a column, or press its number after Tab."),
            "touch": sentence("Tap a column."),
            "keys": sentence(
                "Press the number of a column, or select it with the arrow keys and press Enter."
            ),
        },
    ),
)

CLIENT_GAME = ClientGame(
    board=ConnectFourBoard,
    read_move=read_move,
    by_digit=True,
    hint=sentence("four in a row, with discs that fall"),
    lessons=LESSONS,
)
