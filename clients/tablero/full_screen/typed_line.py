"""The line at a table into which a move or a command is typed; it is there while somebody types."""

from __future__ import annotations

from textual.widgets import Input

from ..catalogue.speech import translate


class TypedLine(Input):
    DEFAULT_CSS = """
    TypedLine { height: 1; border: none; padding: 0 1; display: none; background: $background; }
    """

    def __init__(self) -> None:
        super().__init__(id="line", select_on_focus=False)

    def open(self, before: str) -> None:
        """Comes with what is typed already, and takes the very next key."""
        self.placeholder = translate("a move, or a command: help names them all")
        self.value = before
        self.display = True
        self.screen.set_focus(self)
        self.cursor_position = len(before)

    def close(self) -> None:
        self.value = ""
        self.display = False
