"""Input and output of the line mode: a terminal with a prompt, or a pipe without."""

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

from ..playing.board_lines import Lay, Size, text_of
from ..playing.options import call
from .colours import coloured, rows_of
from .editor import LineEditor

PROMPT = "> "


class Screen:
    """A screen that prints lines, and keeps the prompt and the typed text below them on a terminal.

    If the cursor can be moved, the newest board stays right above the prompt, and lines appear above the
    board.
    """

    def __init__(
        self,
        out: TextIO,
        *,
        prompt: bool,
        broken: Callable[[], None],
        editor: LineEditor | None = None,
        colours: bool = False,
        later: Callable[[Callable[[], None]], None] = lambda call: call(),
    ) -> None:
        self._out = out
        self._prompt = PROMPT if prompt else ""
        self._broken = broken
        """The callback for a closed output."""
        self._editor = editor
        """The editor of the typed text, if the terminal doesn't echo."""
        self._prompted = False
        """Whether the cursor is behind the prompt."""
        self._colours = colours
        self._later = later
        """Function that calls its argument after all current output."""
        self._lay: Lay | None = None
        self._board: list[str] = []
        """The newest board, between the printed lines and the prompt."""
        self._waiting: list[str] = []
        """Lines to print above the board."""

    def print(self, line: str) -> None:
        """Print a line. Control characters from servers and players are removed."""
        text = self._folded(without_controls(line))
        if self._board:
            self._waiting.append(text)
            if len(self._waiting) == 1:
                self._later(self._print_waiting)
            return
        self._write(self._from_the_left() + text + "\n" + self._bottom())
        self._prompted = bool(self._prompt)

    def _print_waiting(self) -> None:
        """Print the waiting lines above the board. If they would not be visible, they replace it."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        before = self._from_the_left()
        text = "\n".join(waiting) + "\n"
        if text.count("\n") > self.size[1] - self._height() - 1:
            self._lay, self._board = None, []
        self._write(before + text + self._bottom())

    def show_board(self, lay: Lay, told: str) -> None:
        """Show the newest board in place of the one before. `told` goes above it."""
        self._print_waiting()
        before = self._from_the_left()
        text = self._folded(without_controls(told)) + "\n" if told else ""
        self._lay = lay
        self._draw()
        if self._height() < self.size[1]:
            self._write(before + text + self._bottom())
            return
        drawn = "".join(f"{line}\n" for line in self._board)
        self._lay, self._board = None, []
        self._write(before + drawn + text + self._bottom())

    def keep_board(self) -> None:
        """Leave the board on the screen. Further output follows below."""
        self._print_waiting()
        self._lay, self._board = None, []

    def resized(self) -> None:
        """Draw the board again, after the terminal's size changed or another program wrote there."""
        if self._editor is not None:
            before = self._from_the_left()
            if self._lay is not None:
                self._draw()
            self._write(before + self._bottom())

    def _draw(self) -> None:
        assert self._lay is not None
        lines = self._lay(self.size)
        drawn = coloured(lines) if self._colours else text_of(lines)
        self._board = drawn.split("\n")

    def _height(self) -> int:
        """The number of rows of the board at the terminal's current width."""
        return rows_of(self._board, self.size[0])

    def show_state(self, words: str) -> None:
        """Show `words` before the prompt, if there is one."""
        if self._prompt:
            self._prompt = f"({without_controls(words)}) {PROMPT}" if words else PROMPT
            if self._editor is not None:
                self.prompt()

    def entered(self, line: str = "") -> None:
        """Print the whole line that the person has finished, even if only a part of it was visible."""
        self._print_waiting()
        if self._editor is not None:
            typed = self._folded(self._prompt + line) + "\n"
            self._write(self._from_the_left() + typed + "".join(f"{line}\n" for line in self._board))
        self._prompted = False

    def prompt(self) -> None:
        if self._prompt and (self._editor is not None or not self._prompted):
            self._write(self._from_the_left(above_board=False) + self._prompt_line())
            self._prompted = True

    def ring(self, why: str) -> None:
        self._write(call(why, os.environ))

    def end(self) -> None:
        """Remove the prompt, because input is no longer answered."""
        self._print_waiting()
        if self._editor is not None:
            self._write(self._from_the_left(above_board=False))

    def _from_the_left(self, *, above_board: bool = True) -> str:
        if self._editor is None:
            return "\r" if self._prompted else ""
        height = self._height() if above_board else 0
        return f"\r\x1b[{height}A\x1b[J" if height else "\r\x1b[K"

    def _bottom(self) -> str:
        return "".join(f"{line}\n" for line in self._board) + self._prompt_line()

    def _prompt_line(self) -> str:
        if self._editor is None:
            return self._prompt
        shown, behind = self._editor.shown(self.size[0] - len(self._prompt))
        return self._prompt + shown + (f"\x1b[{behind}D" if behind else "")

    def _folded(self, text: str) -> str:
        """The text folded between words. A terminal itself would cut words in two."""
        if self._editor is None:
            return text
        return "\n".join(_fold(line, self.size[0]) for line in text.split("\n"))

    @property
    def size(self) -> Size:
        """The size of the terminal."""
        try:
            columns, rows = os.get_terminal_size(self._out.fileno())
        except (OSError, ValueError):
            return 80, 24
        return columns or 80, rows or 24

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            # Python's unwritten output must not fail a second time at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())
            self._broken()


def _fold(line: str, columns: int) -> str:
    if len(line) <= columns:
        return line
    return "\n".join(wrap(line, columns, subsequent_indent="  ", break_on_hyphens=False))


def read_lines(descriptor: int, line: Callable[[str], None], over: Callable[[], None]) -> None:
    """Call `line` for each line of the input, then `over`. Blocks: run it in a separate thread."""
    rest = ""
    for text in _read(descriptor):
        *whole, rest = (rest + text).split("\n")
        for each in whole:
            line(each.rstrip("\r"))
    if rest:
        line(rest)
    over()


def read_keys(descriptor: int, keys: Callable[[str], None], over: Callable[[], None]) -> None:
    """Call `keys` with the characters as they are typed, then `over`. Blocks: run it in a separate thread."""
    for text in _read(descriptor):
        keys(text)
    over()


def _read(descriptor: int) -> Iterator[str]:
    # os.read instead of sys.stdin: a thread that still reads at the end would hold the lock of sys.stdin.
    decoder = codecs.getincrementaldecoder(locale.getpreferredencoding(False))(errors="replace")
    while chunk := _chunk(descriptor):
        yield decoder.decode(chunk)


def _chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the terminal is gone
        return b""


def style_for(out: TextIO) -> Style:
    """The style that this output can show."""
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
        """An editor for this terminal; None if the cursor can't be moved and the terminal echoes."""
        return None if os.environ.get("TERM", "dumb") == "dumb" else LineEditor()

    @contextmanager
    def key_by_key(descriptor: int) -> Iterator[None]:
        """Let the terminal pass on every key at once, without echo. Ctrl-C still interrupts."""
        before = termios.tcgetattr(descriptor)
        within = termios.tcgetattr(descriptor)
        within[3] &= ~(termios.ECHO | termios.ICANON)
        within[6][termios.VMIN], within[6][termios.VTIME] = 1, 0
        termios.tcsetattr(descriptor, termios.TCSADRAIN, within)
        try:
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
