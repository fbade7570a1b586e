"""The board of Quoridor. A target is a cell, or in wall mode a wall, which is shown before it is placed."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from tablero.catalogue.speech import sentence, translate_plural
from tablero_games import Seat
from tablero_games.position import View
from tablero_games.quoridor.board import COLUMNS

from ..table_view.board import Board, Marks, Scale, Target
from ..table_view.canvas import Canvas, Mark
from ..table_view.notation import direction_last
from . import ClientGame, Lesson


class QuoridorBoard(Board):
    """The board of Quoridor: cells with grooves of one character between them, turned for the seat that plays
    downwards.

    A scale without lines has no grooves between rows. There a wall underlines the cells above it.
    """

    SCALES: ClassVar = (Scale(5, 2), Scale(3, 1), Scale(1, 1))
    LINE_SCALES: ClassVar = (Scale(3, 1), Scale(3, 1, lines=False), Scale(1, 1))
    cursor_on_legal = True  # on the next step, not on the wall that was just placed

    def __post_init__(self) -> None:
        self.size: int = self.view["size"]
        self._left = len(str(self.size)) + 1
        self._row_height = self.scale.height + self.scale.lines
        self.width = self._left + self.size * (self.scale.width + 1)
        self.height = self.size * self._row_height + (not self.scale.lines)

    def _seen(self, column: int, row: int) -> tuple[int, int]:
        """The visible column, from the left, and row, from the top."""
        if self.turned:
            return self.size - 1 - column, row
        return column, self.size - 1 - row

    def _corner(self, column: int, row: int) -> tuple[int, int]:
        x, y = self._seen(column, row)
        return self._left + x * (self.scale.width + 1), y * self._row_height

    def draw(self, marks: Marks) -> Canvas:
        canvas = Canvas(self.width, self.height)
        for row in range(self.size):
            for column in range(self.size):
                self._draw_cell(canvas, column, row, marks)
            y = self._corner(0, row)[1] + self.scale.height // 2
            canvas.put(0, y, f"{row + 1:>{self._left - 1}}", "label")
        for column in range(self.size):
            x = self._corner(column, 0)[0] + self.scale.width // 2
            canvas.put(x, self.height - 1, COLUMNS[column], "label")
        for wall in sorted(self.view["walls"], key=lambda wall: wall == marks.last):
            self._draw_wall(canvas, wall, "last" if wall == marks.last else "")
        for wall, is_cursor in ((marks.premove, False), (marks.cursor, True)):
            if wall is not None and _is_wall(wall):
                mark: Mark = "premove"
                if is_cursor:
                    mark = "ghost" if not marks.legal or wall in marks.legal else "wrong"
                self._draw_wall(canvas, wall, mark)
        if not self.scale.lines and marks.last is not None and not _is_wall(marks.last):
            self._draw_brackets(canvas, marks.last)
        return canvas

    def _draw_brackets(self, canvas: Canvas, last: Target) -> None:
        """Draw the brackets again, because underlined walls may have covered them."""
        left, top = self._corner(*_place(last))
        mark: Mark = "last" if self.view.get("outcome") is None else "win"
        canvas.enclose(left + self.scale.width // 2, top, mark)

    def _draw_cell(self, canvas: Canvas, column: int, row: int, marks: Marks) -> None:
        name = f"{COLUMNS[column]}{row + 1}"
        pawns = self.view["pawns"]
        mark: Mark = "legal" if name in marks.legal else ""
        if name == marks.last:
            mark = "last" if self.view.get("outcome") is None else "win"
        if name == marks.premove:
            mark = "premove"
        if name == marks.cursor:
            mark = "cursor"
        glyph, role = (self.glyphs.legal if mark == "legal" else self.glyphs.empty), "empty"
        if name in pawns:
            seat = pawns.index(name)
            glyph, role = self.glyphs.seats[seat], f"seat{seat}"
        left, top = self._corner(column, row)
        for line in range(self.scale.height):
            canvas.put(left, top + line, " " * self.scale.width, role, mark)
        x, y = left + self.scale.width // 2, top + self.scale.height // 2
        canvas.put(x, y, glyph, role, mark)
        if mark not in ("", "legal"):
            canvas.enclose(x, y, mark)

    def _draw_wall(self, canvas: Canvas, wall: Target, mark: Mark) -> None:
        left, top, width, height = self.area(wall)
        glyph = self.glyphs.wall_horizontal if wall[-1] == "h" else self.glyphs.wall_vertical
        if mark == "wrong":
            glyph = "x"
        elif mark in ("ghost", "premove"):
            glyph = ":" if mark == "ghost" else "~"
        if wall[-1] == "h" and not self.scale.lines:
            self._underline(canvas, left, top, width, mark)
        else:
            for y in range(top, top + height):
                canvas.put(left, y, glyph * width, "wall", mark)
        if mark == "last":
            canvas.enclose(left + width // 2, top + height // 2, mark, reach=max(width // 2, 1))

    def _underline(self, canvas: Canvas, left: int, top: int, width: int, mark: Mark) -> None:
        """Underline everything except the middle of a cell."""
        for x in range(left, left + width):
            if (x - self._left) % (self.scale.width + 1) != self.scale.width // 2:
                canvas.put(x, top, "_", "wall", mark)

    def area(self, target: Target) -> tuple[int, int, int, int]:
        column, row = _place(target)
        x, y = self._corner(column, row)
        width, height = self.scale.width, self.scale.height
        if not _is_wall(target):
            return x, y, width, height
        if target[-1] == "h":
            left = min(x, self._corner(column + 1, row)[0])
            below = y + height - (not self.scale.lines)
            return left, (below if self.turned else y - 1), 2 * width + 1, 1
        top = min(y, self._corner(column, row + 1)[1])
        return (x - 1 if self.turned else x + width), top, 1, height + self._row_height

    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        """The cell at a point. In a groove, the wall that begins or ends there."""
        across, x_inside = divmod(x - self._left, self.scale.width + 1)
        down, y_inside = divmod(y, self._row_height)
        if not (0 <= across < self.size and 0 <= down < self.size):
            return None
        in_column, in_row = x_inside < self.scale.width, y_inside < self.scale.height
        column, row = self._cell_seen_at(across, down)
        if in_column and in_row:
            return f"{COLUMNS[column]}{row + 1}"
        if not in_column and not in_row:
            kind = cursor[-1] if cursor is not None and _is_wall(cursor) else "h"
        else:
            kind = "h" if in_column else "v"
        # A groove has the name of the cell below or to its left.
        if kind == "h" or not in_row:
            row -= 0 if self.turned else 1
        if kind == "v" or not in_column:
            column -= 1 if self.turned else 0
        return self._wall_at(column, row, kind)

    def _cell_seen_at(self, across: int, down: int) -> tuple[int, int]:
        if self.turned:
            return self.size - 1 - across, down
        return across, self.size - 1 - down

    def _wall_at(self, column: int, row: int, kind: str) -> Target:
        most = self.size - 2
        return f"{COLUMNS[min(max(column, 0), most)]}{min(max(row, 0), most) + 1}{kind}"

    def first_target(self, legal: Collection[str]) -> Target | None:
        """The legal step that leads furthest ahead; without one, the middle cell."""
        steps = [move for move in legal if not _is_wall(move)]
        if not steps:
            middle = self.size // 2
            return f"{COLUMNS[middle]}{middle + 1}"
        ahead = min if self.turned else max
        return ahead(steps, key=lambda cell: int(cell[1:]))

    def walk(self, target: Target, right: int, up: int) -> Target:
        column, row = _place(target)
        if self.turned:
            right, up = -right, -up
        if _is_wall(target):
            return self._wall_at(column + right, row + up, target[-1])
        last = self.size - 1
        return f"{COLUMNS[min(max(column + right, 0), last)]}{min(max(row + up, 0), last) + 1}"

    def switched(self, target: Target) -> Target:
        """The wall ahead of a cell, or the cell of a wall."""
        column, row = _place(target)
        if _is_wall(target):
            return target[:-1]
        return self._wall_at(column, row - 1 if self.turned else row, "h")

    def rotated(self, target: Target) -> Target:
        if not _is_wall(target):
            return self.switched(target)
        return target[:-1] + ("v" if target[-1] == "h" else "h")

    def legal_targets(self, legal: Collection[str]) -> Collection[Target]:
        return set(legal)

    def facts(self, seat: int) -> str:
        return f"{self.glyphs.wall_vertical}{self.view['wallsLeft'][seat]}"


def _is_wall(target: Target) -> bool:
    return target[-1] in "hv"


def _place(target: Target) -> tuple[int, int]:
    return COLUMNS.index(target[0]), int(target[1:-1] if _is_wall(target) else target[1:]) - 1


def read_move(text: str, view: View | None) -> str:
    return direction_last(" ".join(text.lower().split()))


def side(view: View, seat: Seat) -> str:
    return translate_plural("{number} wall", "{number} walls", view["wallsLeft"][seat])


_SMALL = {"size": 5, "walls": 3}
LESSONS = (
    Lesson(
        told=sentence("Be the first to reach the opposite row. A pawn goes one cell, not diagonally."),
        asked=sentence("Go one cell up, towards the top row."),
        praised=sentence("Three more steps, and you reach the top row."),
        otherwise=sentence("Your pawn, at the bottom, should come closer to the top row."),
        right="c2",
        by={
            "mouse": sentence("Click a cell with a dot."),
            "touch": sentence("Tap a cell with a dot."),
            "keys": sentence("Go to the cell with the arrow keys, then press Enter."),
        },
        options=_SMALL,
    ),
    Lesson(
        told=sentence("Instead of moving, you can place a wall. Two cells long, it stops both pawns."),
        asked=sentence("Place a wall right in front of the other pawn, below it."),
        praised=sentence("Now that pawn has to walk around your wall. Walls stay to the end."),
        otherwise=sentence("The wall should lie flat, right below the pawn that comes from the top."),
        right="[bc]3h",
        by={
            "mouse": sentence("Point at the gap between two rows and click."),
            "touch": sentence("Tap “Place a wall”, then the corner of four cells, then the corner again."),
            "keys": sentence(
                "Press w for a wall, move it with the arrow keys, rotate it with r, press Enter."
            ),
        },
        moves=("c2", "c4"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("If the pawns stand face to face, you can jump over the other one."),
        asked=sentence("Jump over the other pawn."),
        praised=sentence("Two cells in one turn. If a wall is behind that pawn, you jump to the side."),
        otherwise=sentence("Go to the cell behind the other pawn."),
        right="c4",
        moves=("c2", "c4", "a1h", "c3"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("Every pawn must keep a way to its goal. The other pawn has one, at the right."),
        asked=sentence("Make that way longer with an upright wall right of d3 and d4."),
        praised=sentence("Now the way is long. One cell higher, the wall would close it: not allowed."),
        otherwise=sentence("The upright wall should be right of the cells d3 and d4."),
        right="d3v",
        by={
            "mouse": sentence("Point at the gap between the columns d and e, and click."),
            "touch": sentence("Tap “Place a wall”, then “Turn it upright”, then tap the place twice."),
            "keys": sentence("Press w for a wall, rotate it with r, and place it with Enter."),
        },
        moves=("a3h", "b5", "c3h", "c5"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("The first pawn on the opposite row wins, on any cell of it."),
        asked=sentence("Reach the top row."),
        praised=sentence("You are across: you win."),
        otherwise=sentence("You are one step away from the top row. Go up."),
        right="c5",
        moves=("c2", "b5", "c3", "b4", "c4", "b3"),
        options=_SMALL,
    ),
    Lesson(
        told=sentence("Now you know it all. In each turn you move or place a wall."),
        asked=sentence("Place any wall."),
        praised=sentence("That's how to play. Have fun!"),
        otherwise=sentence("A good step. Now try a wall."),
        right=".*[hv]",
        by={
            "mouse": sentence("Click a gap. By keyboard: Tab, w for a wall, arrow keys, r to rotate, Enter."),
            "touch": sentence("Tap “Place a wall”, then a corner of four cells; a second tap places it."),
            "keys": sentence("w: pawn or wall, r: rotate the wall, Enter: play. You can also use the mouse."),
        },
        moves=("c2", "c4"),
        options=_SMALL,
    ),
)

CLIENT_GAME = ClientGame(
    board=QuoridorBoard,
    read_move=read_move,
    keys=frozenset({"switch", "rotate", "turn"}),
    hint=sentence("cross the board and build walls"),
    side=side,
    lessons=LESSONS,
)
