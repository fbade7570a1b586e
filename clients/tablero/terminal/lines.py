"""Where the line mode reads and prints: a terminal with a prompt, or a pipe without."""

from __future__ import annotations

import codecs
import locale
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import TextIO

from tablero_games.position import Style
from tablero_protocol.text import without_controls

from .editor import LineEditor

PROMPT = "> "


class Screen:
    """Prints lines, and keeps the prompt below them on a terminal, with what has been typed behind it."""

    def __init__(
        self, out: TextIO, *, prompt: bool, broken: Callable[[], None], editor: LineEditor | None = None
    ) -> None:
        self._out = out
        self._prompt = PROMPT if prompt else ""
        self._broken = broken
        """Called when nobody reads any more."""
        self._editor = editor
        """Holds what is being typed where the terminal does not echo it."""
        self._prompted = False
        """The cursor stands behind the prompt."""

    def print(self, line: str) -> None:
        """Whatever a server or a player put into it, the terminal is shown text and obeys nothing."""
        self._write(self._from_the_left() + self._folded(without_controls(line)) + "\n" + self._bottom())
        self._prompted = bool(self._prompt)

    def show_state(self, words: str) -> None:
        """Writes `words` before the prompt, where there is one."""
        if self._prompt:
            self._prompt = f"({without_controls(words)}) {PROMPT}" if words else PROMPT
            if self._editor is not None:
                self.prompt()

    def entered(self, line: str = "") -> None:
        """The person at the terminal has ended a line; it is shown whole, however much of it was visible."""
        if self._editor is not None:
            self._write(self._from_the_left() + self._folded(self._prompt + line) + "\n")
        self._prompted = False

    def prompt(self) -> None:
        if self._prompt and (self._editor is not None or not self._prompted):
            self._write(self._from_the_left() + self._bottom())
            self._prompted = True

    def end(self) -> None:
        """Takes the prompt away: nobody will answer what is typed there."""
        if self._editor is not None:
            self._write(self._from_the_left())

    def _from_the_left(self) -> str:
        if self._editor is not None:
            return "\r\x1b[K"
        return "\r" if self._prompted else ""

    def _bottom(self) -> str:
        if self._editor is None:
            return self._prompt
        shown, behind = self._editor.shown(self._columns() - len(self._prompt))
        return self._prompt + shown + (f"\x1b[{behind}D" if behind else "")

    def _folded(self, text: str) -> str:
        """Folded between words at a terminal, which itself would cut a table's name in two."""
        if self._editor is None:
            return text
        return "\n".join(_fold(line, self._columns()) for line in text.split("\n"))

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._out.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            # What Python still holds back must not fail a second time at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())
            self._broken()


def _fold(line: str, columns: int) -> str:
    if len(line) <= columns:
        return line
    return "\n".join(wrap(line, columns, subsequent_indent="  ", break_on_hyphens=False))


def read_lines(descriptor: int, line: Callable[[str], None], over: Callable[[], None]) -> None:
    """Calls `line` for each line of the input, then `over`. Blocks: run it in a thread of its own."""
    rest = ""
    for text in _read(descriptor):
        *whole, rest = (rest + text).split("\n")
        for each in whole:
            line(each.rstrip("\r"))
    if rest:
        line(rest)
    over()


def read_keys(descriptor: int, keys: Callable[[str], None], over: Callable[[], None]) -> None:
    """Calls `keys` with what is typed, as it is typed, then `over`. Blocks: run it in a thread of its own."""
    for text in _read(descriptor):
        keys(text)
    over()


def _read(descriptor: int) -> Iterator[str]:
    # os.read and not sys.stdin: a thread that is still reading at the end would hold the lock of the latter.
    decoder = codecs.getincrementaldecoder(locale.getpreferredencoding(False))(errors="replace")
    while chunk := _chunk(descriptor):
        yield decoder.decode(chunk)


def _chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the terminal is gone
        return b""


def style_for(out: TextIO) -> Style:
    """The drawing that this output can show."""
    try:
        "✕◉⋅⎢⎥".encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "ascii"
    return "ascii" if os.environ.get("TERM") in ("linux", "dumb") and sys.platform != "win32" else "unicode"


if sys.platform == "win32":

    def editor_for_terminal() -> LineEditor | None:
        return None

    @contextmanager
    def key_by_key(descriptor: int) -> Iterator[None]:
        yield

else:
    import termios

    def editor_for_terminal() -> LineEditor | None:
        """An editor for this terminal, unless it cannot move its cursor: then it echoes by itself."""
        return None if os.environ.get("TERM", "dumb") == "dumb" else LineEditor()

    @contextmanager
    def key_by_key(descriptor: int) -> Iterator[None]:
        """Meanwhile the terminal hands over every key at once and echoes none; Ctrl-C is still Ctrl-C."""
        before = termios.tcgetattr(descriptor)
        within = termios.tcgetattr(descriptor)
        within[3] &= ~(termios.ECHO | termios.ICANON)
        within[6][termios.VMIN], within[6][termios.VTIME] = 1, 0
        termios.tcsetattr(descriptor, termios.TCSADRAIN, within)
        try:
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
