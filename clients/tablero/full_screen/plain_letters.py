"""For terminals that show ASCII alone: every character becomes one that they have, as wide as it was."""

from __future__ import annotations

import unicodedata
from functools import cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


class WithoutColours(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, None if style is None else style.without_color, control)
            for text, style, control in segments
        ]


_LIKE = {
    "…": ".",
    "–": "-",
    "—": "-",
    "’": "'",
    "«": '"',
    "»": '"',
    "•": "*",
    "↑": "^",
    "↓": "v",
    "←": "<",
    "→": ">",
}


class PlainLetters(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(in_ascii(text), style, control) for text, style, control in segments]


@cache
def in_ascii(text: str) -> str:
    return text if text.isascii() else "".join(map(_in_ascii, text))


def _in_ascii(character: str) -> str:
    if character.isascii():
        return character
    width = cell_len(character)
    plain = _LIKE.get(character) or unicodedata.normalize("NFKD", character)[0]
    if "─" <= character <= "╿":
        plain = (
            "|" if "VERTICAL" in (name := unicodedata.name(character)) and "HORIZONTAL" not in name else "-"
        )
    elif "▀" <= character <= "▟":
        plain = " "
    return (plain if plain.isascii() else "?") * width if width else ""
