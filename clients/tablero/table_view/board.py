"""The boards: drawing at the scale that fits, the target under the mouse, and cursor steps.

Law: a board is one position. The rules say which moves are legal, and boards play no moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from tablero_games import GAMES
from tablero_games.position import View, Wording, in_english
from tablero_protocol.text import without_controls

from ..games import client_game
from .canvas import BRACKETS, GLYPHS, Canvas, Glyphs, GlyphSet, Mark

Target: TypeAlias = str
"""A target of the cursor: the name of a cell, a column, an edge or a wall."""
Deed: TypeAlias = Literal["play", "flag", "chord"]
"""An action on a target: the usual one, or another one of the board."""


@dataclass(frozen=True)
class Marks:
    """Marks on a board, in addition to its pieces."""

    cursor: Target | None = None
    legal: Collection[Target] = ()
    last: str | None = None
    """The move before this position."""
    premove: str | None = None
    drop: int = 0
    """The number of cells by which the falling disc is above its place."""


@dataclass(frozen=True)
class Scale:
    """The size of a cell, and whether there are lines between cells."""

    width: int
    height: int
    lines: bool = True


@dataclass
class Board(ABC):
    """One position, laid out. A game's own board measures and draws it."""

    view: View
    glyphs: Glyphs
    scale: Scale
    turned: bool = False
    """Whether the board is seen from the other side, in games with sides."""
    say: Wording = field(default=in_english)
    width: int = field(init=False)
    height: int = field(init=False)
    note: str = field(init=False, default="")
    """A line about the whole board, shown below the seats."""

    SCALES: ClassVar[tuple[Scale, ...]] = (Scale(1, 1),)
    """The scales, largest first."""
    LINE_SCALES: ClassVar[tuple[Scale, ...]] = (Scale(1, 1),)
    """The scales for lines of text, which have no cursor."""
    cursor_on_legal: ClassVar[bool] = False
    """Whether the cursor starts our turn on a legal move."""

    @abstractmethod
    def __post_init__(self) -> None:
        """Measure the board: set `width` and `height`."""

    @abstractmethod
    def draw(self, marks: Marks) -> Canvas: ...

    @abstractmethod
    def area(self, target: Target) -> tuple[int, int, int, int]:
        """The left, top, width and height of a target on the canvas."""

    @abstractmethod
    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        """The target at this point of the canvas, or None; `cursor` is the cursor's last target."""

    @abstractmethod
    def first_target(self, legal: Collection[str]) -> Target | None:
        """The cursor's first target; None if the board has no targets."""

    @abstractmethod
    def walk(self, target: Target, right: int, up: int) -> Target:
        """The target one visible step further. At the border the cursor stays."""

    def move(self, target: Target, deed: Deed = "play") -> str:
        """The move for this target."""
        return target

    def legal_targets(self, legal: Collection[str]) -> Collection[Target]:
        """The targets to mark as playable for these moves."""
        return legal

    def switched(self, target: Target) -> Target:
        """The other kind of target at this place, if there is one."""
        return target

    def rotated(self, target: Target) -> Target:
        """The target at this place in the other direction, if there is one."""
        return target

    def next_unknown(self, target: Target) -> Target:
        return target

    def facts(self, seat: int) -> str:
        """A short fact about a seat: boxes, walls left, open cells."""
        return ""

    falls: ClassVar[bool] = False
    """Whether moves fall to their place."""

    def fall(self, move: str) -> int:
        """The number of cells through which this move's disc falls."""
        return 0


class TextBoard(Board):
    """The board of a game for which no other is defined: the drawing of its rules, and typed moves.

    If the rules are not installed either, this shows the server's drawing.
    """

    def __post_init__(self) -> None:
        style: Any = "ascii" if self.glyphs.seats.isascii() else "unicode"
        game = GAMES.get(self.view.get("game", ""))
        drawn = game.draw(self.view, style, self.say) if game else without_controls(self.view["drawing"])
        self._lines: list[str] = drawn.split("\n")
        self.width, self.height = max(map(len, self._lines)), len(self._lines)

    def draw(self, marks: Marks) -> Canvas:
        canvas = Canvas(self.width, self.height)
        for y, line in enumerate(self._lines):
            canvas.put(0, y, line)
        return canvas

    def area(self, target: Target) -> tuple[int, int, int, int]:
        return 0, 0, 0, 0

    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        return None

    def first_target(self, legal: Collection[str]) -> Target | None:
        return None

    def walk(self, target: Target, right: int, up: int) -> Target:
        return target


class GridBoard(Board):
    """The board of cells in rows and columns, with labels at the left and below.

    A scale without lines has no space between cells.
    """

    @property
    @abstractmethod
    def columns(self) -> int: ...

    @property
    @abstractmethod
    def rows(self) -> int: ...

    @property
    @abstractmethod
    def column_names(self) -> Sequence[str]: ...

    @abstractmethod
    def content(self, column: int, row: int) -> tuple[str, str]:
        """The content of a cell, row 0 the lowest: a glyph and its role."""

    def __post_init__(self) -> None:
        """Measure the board. Row labels end at `left`, column labels begin at `bottom`."""
        lines = int(self.scale.lines)
        self.left = len(str(self.rows)) + 1
        self.width = self.left + self.columns * self.scale.width + lines * (self.columns - 1) + 1
        self.bottom = self.rows * self.scale.height + lines * (self.rows - 1)
        self.height = self.bottom + max(map(len, self.column_names))

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """The place on the canvas of a cell's content."""
        width, height, lines = self.scale.width, self.scale.height, int(self.scale.lines)
        x = self.left + column * (width + lines) + width // 2
        return x, (self.rows - 1 - row) * (height + lines) + height // 2

    def corner(self, column: int, row: int) -> tuple[int, int]:
        """The top left of a cell on the canvas."""
        x, y = self.centre(column, row)
        return x - self.scale.width // 2, y - self.scale.height // 2

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        lines = int(self.scale.lines)
        column = (x - self.left) // (self.scale.width + lines)
        row = self.rows - 1 - y // (self.scale.height + lines)
        inside = x >= self.left and column < self.columns and 0 <= row < self.rows
        return (column, row) if inside else None

    def draw_grid(self, canvas: Canvas, marked: Mapping[tuple[int, int], Mark]) -> None:
        """Draw lines, labels and cells. `marked` cells get their mark and its brackets."""
        if self.scale.lines:
            self._draw_lines(canvas)
        for row in range(self.rows):
            _, y = self.centre(0, row)
            canvas.put(0, y, f"{row + 1:>{self.left - 1}}", "label")
            for column in range(self.columns):
                self._draw_cell(canvas, column, row, marked.get((column, row), ""))
        for column, name in enumerate(self.column_names):
            x, _ = self.centre(column, 0)
            for line, letter in enumerate(name, start=self.bottom):
                canvas.put(x, line, letter, "label")
        wide = self.glyphs.wide and self.wide_cells
        for (
            cell,
            mark,
        ) in marked.items():  # last, as brackets reach into the cell beside where there are no lines
            if mark not in ("", "legal") and self.scale.width >= (4 if wide else 2):
                x, y = self.centre(*cell)
                left, right = (2, 2) if self.scale.width >= 5 else (1, 2 if wide else 1)
                canvas.put(x - left, y, BRACKETS[mark][0], "bracket", mark)
                canvas.put(x + right, y, BRACKETS[mark][1], "bracket", mark)

    wide_cells: ClassVar[bool] = False
    """Whether cells take two columns if the glyphs are wide."""

    def _draw_cell(self, canvas: Canvas, column: int, row: int, mark: Mark) -> None:
        x, y = self.centre(column, row)
        glyph, role = self.content(column, row)
        left, top = x - self.scale.width // 2, y - self.scale.height // 2
        for line in range(self.scale.height):
            canvas.put(left, top + line, " " * self.scale.width, role, mark)
        if self.glyphs.wide and self.wide_cells and not glyph.isascii():
            canvas.put_wide(x, y, glyph, role, mark)
        else:
            canvas.put(x, y, glyph, role, mark)

    def _draw_lines(self, canvas: Canvas) -> None:
        width, height = self.scale.width, self.scale.height
        for column in range(1, self.columns):
            x = self.left + column * (width + 1) - 1
            for y in range(self.bottom):
                canvas.put(x, y, self.glyphs.vertical, "grid")
        for row in range(1, self.rows):
            y = row * (height + 1) - 1
            canvas.put(self.left, y, self.glyphs.horizontal * (self.width - self.left - 1), "grid")
            for column in range(1, self.columns):
                canvas.put(self.left + column * (width + 1) - 1, y, self.glyphs.crossing, "grid")


def board_of(
    game: str,
    view: View,
    room: tuple[int, int] = (0, 0),
    *,
    smaller: int = 0,
    among_lines: bool = False,
    glyphs: GlyphSet = "safe",
    turned: bool = False,
    say: Wording = in_english,
    drawing: str | None = None,
) -> Board:
    """The position at the largest scale that fits into `room`, or at a scale `smaller` steps below that.

    If no scale fits, the smallest is used. `drawing` comes from the server, for a game without rules here.
    """
    kind = client_game(game).board
    if kind is None:
        kind, view = TextBoard, {**view, "game": game, "drawing": drawing or ""}
    scales = kind.LINE_SCALES if among_lines else kind.SCALES
    boards = [kind(view, GLYPHS[glyphs], scale, turned, say) for scale in scales]
    fitting = (at for at, board in enumerate(boards) if board.width <= room[0] and board.height <= room[1])
    return boards[min(next(fitting, len(boards)) + smaller, len(boards) - 1)]
