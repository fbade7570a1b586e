"""Where the line mode reads and prints: a terminal with a prompt, or a pipe without."""

from __future__ import annotations

import codecs
import locale
import os
import sys
from collections.abc import Callable
from typing import TextIO

from tablero_games.position import Style
from tablero_protocol.text import without_controls

PROMPT = "> "


class Screen:
    """Prints lines, and keeps the prompt below them on a terminal."""

    def __init__(self, out: TextIO, *, prompt: bool, broken: Callable[[], None]) -> None:
        self._out = out
        self._prompt = PROMPT if prompt else ""
        self._broken = broken
        """Called when nobody reads any more."""
        self._prompted = False
        """The cursor stands behind the prompt."""

    def print(self, line: str) -> None:
        """Whatever a server or a player put into it, the terminal is shown text and obeys nothing."""
        self._write(("\r" if self._prompted else "") + without_controls(line) + "\n" + self._prompt)
        self._prompted = bool(self._prompt)

    def entered(self) -> None:
        """The person at the terminal has ended a line."""
        self._prompted = False

    def prompt(self) -> None:
        if self._prompt and not self._prompted:
            self._write(self._prompt)
            self._prompted = True

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            # What Python still holds back must not fail a second time at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())
            self._broken()


def read_lines(descriptor: int, line: Callable[[str], None], over: Callable[[], None]) -> None:
    """Calls `line` for each line of the input, then `over`. Blocks: run it in a thread of its own."""
    # os.read and not sys.stdin: a thread that is still reading at the end would hold the lock of the latter.
    decoder = codecs.getincrementaldecoder(locale.getpreferredencoding(False))(errors="replace")
    rest = ""
    while chunk := os.read(descriptor, 4096):
        *whole, rest = (rest + decoder.decode(chunk)).split("\n")
        for text in whole:
            line(text.rstrip("\r"))
    if rest:
        line(rest)
    over()


def style_for(out: TextIO) -> Style:
    """The drawing that this output can show."""
    try:
        "✕◉⋅⎢⎥".encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "ascii"
    return "ascii" if os.environ.get("TERM") in ("linux", "dumb") and sys.platform != "win32" else "unicode"
