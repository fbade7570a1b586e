"""The line being typed at a terminal: takes keys, returns whole lines and the visible part.

Law: this module neither reads nor prints. The terminal doesn't echo, so the typed text can be drawn again
below new output.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

END = None
"""The value for Ctrl-D on an empty line."""

_KEY = re.compile(r"\x1b[\[O][0-?]*[^0-?]|\x1b(?=[^\[O])|[^\x1b]", re.DOTALL)
"""One key as received: a character, or an escape sequence up to its likely end."""
_ARROW = re.compile(r"[\[O](?:\d+(?:;\d+)?)?([ABCDHF])|\[(\d+)~")
_MOST_REMEMBERED = 500
_LONGEST = 1_000
"""Maximum length of a line, more than any command needs."""


class LineEditor:
    """One line with a cursor, and the earlier lines."""

    def __init__(self) -> None:
        self._text = ""
        self._cursor = 0
        self._rest = ""
        """The beginning of a key whose rest has not come yet."""
        self._earlier: list[str] = []
        self._at = 0
        """The index in the earlier lines. After the last one comes the line being typed."""
        self._draft = ""

    def feed(self, keys: str) -> Iterator[str | None]:
        """Take keys, and yield each finished line, or END."""
        keys = self._rest + keys
        self._rest = ""
        at = 0
        while at < len(keys):
            key = _KEY.match(keys, at)
            if key is None:  # the escape sequence is incomplete
                self._rest = keys[at:]
                return
            at = key.end()
            if key[0] in "\r\n":
                yield self._taken()
            elif key[0] == "\x04" and not self._text:
                yield END
            else:
                self._press(key[0])

    def shown(self, width: int) -> tuple[str, int]:
        """The part around the cursor that fits in `width` cells, and the number of cells behind the
        cursor.
        """
        room = width - 1  # the cursor needs a cell, too
        start = end = self._cursor
        while start > 0 and (room := room - _cell(self._text[start - 1])) >= 0:
            start -= 1
        while end < len(self._text) and (room := room - _cell(self._text[end])) >= 0:
            end += 1
        return self._text[start:end], sum(map(_cell, self._text[self._cursor : end]))

    def _taken(self) -> str:
        line = self._text
        if line.strip() and self._earlier[-1:] != [line]:
            self._earlier = [*self._earlier, line][-_MOST_REMEMBERED:]
        self._at, self._draft = len(self._earlier), ""
        self._replace("")
        return line

    def _press(self, key: str) -> None:
        if key.startswith("\x1b"):
            found = _ARROW.fullmatch(key[1:])
            key = _BY_SEQUENCE.get(found[1] or found[2], "") if found else ""
        key = " " if key == "\t" else key
        if action := _ACTIONS.get(key):
            action(self)
        elif key.isprintable() and len(key) == 1 and len(self._text) < _LONGEST:
            self._text = self._text[: self._cursor] + key + self._text[self._cursor :]
            self._cursor += 1

    def _replace(self, text: str) -> None:
        self._text, self._cursor = text, len(text)

    # Keys

    def _go(self, by: int) -> None:
        self._cursor = min(max(self._cursor + by, 0), len(self._text))

    def _erase(self, start: int, end: int) -> None:
        start = max(start, 0)
        self._text = self._text[:start] + self._text[end:]
        self._cursor = start

    def _erase_word(self) -> None:
        before = self._text[: self._cursor].rstrip()
        self._erase(before.rfind(" ") + 1, self._cursor)

    def _recall(self, by: int) -> None:
        if not 0 <= self._at + by <= len(self._earlier):
            return
        if self._at == len(self._earlier):
            self._draft = self._text
        self._at += by
        self._replace(self._earlier[self._at] if self._at < len(self._earlier) else self._draft)


_ACTIONS: dict[str, Callable[[LineEditor], None]] = {
    "\x01": lambda line: line._go(-len(line._text)),
    "\x02": lambda line: line._go(-1),
    "\x04": lambda line: line._erase(line._cursor, line._cursor + 1),
    "\x05": lambda line: line._go(len(line._text)),
    "\x06": lambda line: line._go(1),
    "\x08": lambda line: line._erase(line._cursor - 1, line._cursor),
    "\x0b": lambda line: line._erase(line._cursor, len(line._text)),
    "\x0e": lambda line: line._recall(1),
    "\x10": lambda line: line._recall(-1),
    "\x15": lambda line: line._erase(0, line._cursor),
    "\x17": lambda line: line._erase_word(),
    "\x7f": lambda line: line._erase(line._cursor - 1, line._cursor),
}
"""The keys as in most shells."""

_BY_SEQUENCE = {
    "A": "\x10", "B": "\x0e", "C": "\x06", "D": "\x02", "H": "\x01", "F": "\x05",
    "1": "\x01", "7": "\x01", "4": "\x05", "8": "\x05", "3": "\x04",
}  # fmt: skip
"""Arrows, Home, End and Delete, with the control key of the same action."""


def _cell(character: str) -> int:
    """The number of terminal cells of a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
