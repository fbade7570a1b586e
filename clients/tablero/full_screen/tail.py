"""A list of lines that shows its end: the news of a table, or its chat."""

from __future__ import annotations

from collections import deque

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

_MOST_LINES = 500


class Tail(Widget):
    DEFAULT_CSS = "Tail { width: 1fr; height: 1fr; }"

    def __init__(self, lines: deque[str] | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: deque[str] = deque(maxlen=_MOST_LINES) if lines is None else lines
        self.above = 0
        """Number of lines scrolled up."""

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.above = 0
        self.refresh()

    def scroll_by(self, lines: int) -> None:
        self.above = max(self.above + lines, 0)
        self.refresh()

    def on_mouse_scroll_up(self, _: events.MouseScrollUp) -> None:
        self.scroll_by(3)

    def on_mouse_scroll_down(self, _: events.MouseScrollDown) -> None:
        self.scroll_by(-3)

    def render(self) -> Content:
        width, height = max(self.size.width, 1), self.size.height
        folded = [part for line in self.lines for part in fold(line, width)]
        self.above = min(self.above, max(0, len(folded) - height))
        end = len(folded) - self.above
        return Content("\n".join(folded[max(0, end - height) : end]))


def fold(text: str, width: int) -> list[str]:
    """The lines of the text, folded between words if possible. Letters count with their width in columns."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        indent = "  " if lines and width > 12 else ""
        if cell_len(f"{line} {word}") <= width and line:
            line = f"{line} {word}"
            continue
        if line:
            lines.append(line)
            indent = "  " if width > 12 else ""
        line = f"{indent}{word}" if lines else word
        while cell_len(line) > width:
            taken = _take(line, width)
            lines.append(taken)
            line = line[len(taken) :]
    return [*lines, line]


def _take(line: str, width: int) -> str:
    taken = ""
    for letter in line:
        if cell_len(taken + letter) > width and taken:
            break
        taken += letter
    return taken
