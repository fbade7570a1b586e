"""The screen of a terminal, as far as the line mode uses it: the text that a person sees."""

from __future__ import annotations

import re
from typing import Any, TextIO, cast

from tablero.playing.board_lines import Size
from tablero.terminal.editor import LineEditor
from tablero.terminal.lines import Screen

_STEP = re.compile(
    r"\x1b\[(?P<count>\d*)(?P<deed>[ADJK])|(?P<look>\x1b\[[\d;]*m|\x1b\]9;[^\x07]*\x07|\x07)|[^\x1b]"
)


class Paper:
    """A terminal's text with unlimited scroll-back; `rows` of it are visible."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.columns, self.rows = columns, rows
        self._lines: list[list[str]] = [[]]
        self._x = self._y = 0

    def write(self, text: str) -> int:
        at = 0
        while at < len(text):
            step = _STEP.match(text, at)
            assert step is not None, f"not known: {text[at : at + 9]!r}"
            self._take(step)
            at = step.end()
        return len(text)

    def flush(self) -> None:
        pass

    def _take(self, step: re.Match[str]) -> None:
        if step["look"]:
            return
        if step["deed"]:
            self._move(step["deed"], int(step["count"] or 1))
        elif step[0] == "\r":
            self._x = 0
        elif step[0] == "\n":
            self._down()
        else:
            self._put(step[0])

    def _move(self, deed: str, count: int) -> None:
        match deed:
            case "A":
                self._y = max(self._y - count, max(len(self._lines) - self.rows, 0))
            case "D":
                self._x = max(self._x - count, 0)
            case "K":
                del self._lines[self._y][self._x :]
            case "J":
                del self._lines[self._y][self._x :]
                del self._lines[self._y + 1 :]

    def _down(self) -> None:
        self._x, self._y = 0, self._y + 1
        if self._y == len(self._lines):
            self._lines.append([])

    def _put(self, character: str) -> None:
        if self._x == self.columns:
            self._down()
        line = self._lines[self._y]
        line += " " * (self._x - len(line))
        line[self._x : self._x + 1] = [character]
        self._x += 1

    @property
    def all(self) -> list[str]:
        """All text, with the part above the screen."""
        return ["".join(line).rstrip() for line in self._lines]

    @property
    def seen(self) -> list[str]:
        return self.all[-self.rows :]


def nothing() -> None:
    pass


class Sized(Screen):
    """A screen whose size a test can change."""

    def __init__(self, paper: Paper, editor: LineEditor | None, **more: Any) -> None:
        super().__init__(cast("TextIO", paper), prompt=True, broken=nothing, editor=editor, **more)
        self.paper = paper

    @property
    def size(self) -> Size:
        return self.paper.columns, self.paper.rows
