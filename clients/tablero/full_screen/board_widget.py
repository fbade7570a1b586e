"""The board on the screen: as large as fits, scrolled if too large, and playable with the mouse."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar, Protocol

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from tablero_games.position import View

from ..table_view.board import Board, Deed, Marks, Target
from ..table_view.canvas import Canvas, GlyphSet
from .palettes import board_style

_FALL_SECONDS = 0.18
"""Seconds for a disc's fall from any height."""


class Picture(Protocol):
    """The content of a board widget: a table or a finished game."""

    cursor: Target | None

    @property
    def game(self) -> str: ...

    @property
    def view(self) -> View: ...

    @property
    def last_move(self) -> str | None: ...

    def board(self, width: int, height: int, glyphs: GlyphSet) -> Board: ...

    def marks(self, board: Board, drop: int = 0) -> Marks: ...

    def point_at(self, target: Target) -> None: ...


class BoardWidget(Widget, can_focus=True):
    DEFAULT_CSS = """
    BoardWidget { width: 1fr; height: 1fr; background: $background; }
    """
    BINDINGS: ClassVar = []

    class Chosen(Message):
        """The mouse chose the target under the cursor."""

        def __init__(self, deed: Deed) -> None:
            super().__init__()
            self.deed = deed

    def __init__(self, glyphs: GlyphSet, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs: GlyphSet = glyphs
        self.table: Picture | None = None
        self.board: Board | None = None
        self.missing: tuple[int, int] | None = None
        """The width and height that the board needs, if there is less."""
        self._canvas: Canvas | None = None
        self._left = self._top = 0
        """The place of the canvas in the widget; negative if the canvas is larger."""
        self._drop = self._height = 0
        """The distance of the last disc from its place, now and at the start."""
        self._lands_at = 0.0
        self._falling: Timer | None = None

    def show(self, table: Picture | None, *, is_new: bool = False) -> None:
        """Draw the table as it is now. A disc that `is_new` falls from above, where discs fall."""
        self.table = table
        self.board = self._canvas = self.missing = None
        if table is not None and table.view:
            width, height = self.size
            self.board = board = table.board(width, height, self.glyphs)
            if is_new and board.falls:
                self._let_fall(table, board)
            self._canvas = canvas = board.draw(table.marks(board, self._drop))
            self._left = max(0, (width - canvas.width) // 2)
            self._top = max(0, (height - canvas.height) // 2)
            if canvas.width > width or canvas.height > height:
                self.missing = canvas.width, canvas.height
                self._follow_cursor(board, table)
        self.refresh()

    def _let_fall(self, table: Picture, board: Board) -> None:
        """Lift the last disc, and move it down step by step."""
        if self._falling is not None:
            self._falling.stop()
            self._falling = None
        move = None if self.app.animation_level == "none" else table.last_move
        self._drop = free = 0 if move is None else board.fall(move)
        if free > 0:
            self._height, self._lands_at = free, monotonic() + _FALL_SECONDS
            self._falling = self.set_interval(_FALL_SECONDS / free, self._fall_on)

    def _fall_on(self) -> None:
        """Move the falling disc by the clock. On a busy machine it takes larger steps and lands in time."""
        left = max(0.0, self._lands_at - monotonic())
        self._drop = int(self._height * left / _FALL_SECONDS)
        if self._drop == 0 and self._falling is not None:
            self._falling.stop()
            self._falling = None
        self.show(self.table)

    def _follow_cursor(self, board: Board, table: Picture) -> None:
        """Scroll a board that is too large, so that the cursor is visible."""
        if table.cursor is None:
            return
        width, height = self.size
        left, top, across, down = board.area(table.cursor)
        if board.width > width:
            self._left = -min(max(left + across // 2 - width // 2, 0), board.width - width)
        if board.height > height:
            self._top = -min(max(top + down // 2 - height // 2, 0), board.height - height)

    def render_line(self, y: int) -> Strip:
        width, canvas = self.size.width, self._canvas
        page = self.rich_style
        row = y - self._top
        if canvas is None or not 0 <= row < canvas.height:
            return Strip.blank(width, page)
        theme = self.app.theme
        segments = [Segment(" " * max(self._left, 0), page)]
        for run in canvas.runs(row, max(-self._left, 0), width):
            style: Style = page + board_style(theme, run.role, run.mark)
            segments.append(Segment(run.text, style))
        return Strip(segments).adjust_cell_length(width, page)

    # Mouse

    def _target(self, event: events.MouseEvent) -> str | None:
        if self.board is None or self.table is None:
            return None
        return self.board.target_at(event.x - self._left, event.y - self._top, self.table.cursor)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show the target under the mouse as if the cursor were there."""
        target = self._target(event)
        if target is not None and self.table is not None and target != self.table.cursor:
            if self.missing is None:  # otherwise the board would scroll away from the mouse
                self.table.point_at(target)
            self.show(self.table)

    def on_click(self, event: events.Click) -> None:
        target = self._target(event)
        if target is None or self.table is None:
            return
        self.table.point_at(target)
        self.show(self.table)
        deed: Deed = "flag" if event.button == 3 else "chord" if event.button == 2 else "play"
        self.post_message(self.Chosen(deed))

    def on_resize(self, _: events.Resize) -> None:
        self.show(self.table)
