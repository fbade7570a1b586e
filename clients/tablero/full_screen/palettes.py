"""Colours and letters: five themes with the styles of board marks, and plain ASCII for limited terminals.

Law: every meaning of a colour also has a shape, a bracket or an attribute.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from ..catalogue.speech import sentence

THEMES: Final[dict[str, str]] = {
    "dark": sentence("dark"),
    "light": sentence("light"),
    "contrast": sentence("high contrast"),
    "colour-blind": sentence("colour-blind"),
    "mono": sentence("no colours"),
}
"""The name of every theme, and its title."""

_SCREENS: Final[Mapping[str, tuple[str, str, str, str, str]]] = {
    "dark": ("#e4e8ee", "#14181d", "#1c2229", "#4aa3df", "#f0a63a"),
    "light": ("#1d2329", "#fbfaf7", "#efece4", "#14619c", "#a85400"),
    "contrast": ("#ffffff", "#000000", "#000000", "#00ffff", "#ffff00"),
    "colour-blind": ("#f0f0f0", "#101418", "#1a2027", "#56b4e9", "#e69f00"),
    "mono": ("#e0e0e0", "#000000", "#1a1a1a", "#c8c8c8", "#ffffff"),
}
"""Foreground, background, panel, primary and accent of each theme."""

_DARK: Final[Mapping[str, str]] = {
    "label": "#8b97a5",
    "grid": "#39434f",
    "dot": "bold #c9d2dc",
    "edge": "bold #e4e8ee",
    "empty": "#5b6775 on #222932",
    "wall": "bold #f2d06b",
    "seat0": "bold #ffb454 on #2b2a27",
    "seat1": "bold #62c3ff on #1e2d39",
    "disc0": "bold #14181d on #ffb454",
    "disc1": "bold #14181d on #4aa3df",
    "seat2": "bold #c3e88d on #222932",
    "seat3": "bold #e39df0 on #222932",
    "covered": "#8592a1 on #3a4553",
    "open": "#56616f on #1a2027",
    "flag": "bold #ff8a80 on #3a4553",
    "mine": "bold #ffd2cc on #5a1f1f",
    "exploded": "bold #ffffff on #c62828",
    "bracket": "bold #e4e8ee",
    "number1": "#7cb8ff on #1a2027",
    "number2": "#8fd694 on #1a2027",
    "number3": "#ff8a80 on #1a2027",
    "number4": "bold #c0a0ff on #1a2027",
    "number5": "bold #ffb454 on #1a2027",
    "number6": "bold #66d9d0 on #1a2027",
    "number7": "bold #f5f5f5 on #1a2027",
    "number8": "bold #b0bec5 on #1a2027",
    "@cursor": "bold #14181d on #f2d06b",
    "@legal": "bold #8fd694",
    "@last": "underline on #3d5a3a",
    "@win": "bold #14181d on #8fd694",
    "@premove": "bold #e39df0 on #3a2b44",
    "@ghost": "bold #8fd694",
    "@wrong": "bold #ff6b60",
}
_LIGHT: Final[Mapping[str, str]] = {
    "label": "#6a6f76",
    "grid": "#c8ccd0",
    "dot": "bold #30363d",
    "edge": "bold #1d2329",
    "empty": "#9aa0a8 on #efece4",
    "wall": "bold #7a4a00",
    "seat0": "bold #b04a00 on #fbe6d3",
    "seat1": "bold #0b5394 on #dbe9f6",
    "disc0": "bold #ffffff on #c05a00",
    "disc1": "bold #ffffff on #14619c",
    "seat2": "bold #2e7d32 on #efece4",
    "seat3": "bold #7b1fa2 on #efece4",
    "covered": "#5a6169 on #cfcabd",
    "open": "#9aa0a8 on #f7f5ef",
    "flag": "bold #b71c1c on #cfcabd",
    "mine": "bold #7f0000 on #f5c6c2",
    "exploded": "bold #ffffff on #b71c1c",
    "bracket": "bold #1d2329",
    "number1": "#0b4fa8 on #f7f5ef",
    "number2": "#1b6b2a on #f7f5ef",
    "number3": "#b71c1c on #f7f5ef",
    "number4": "bold #4a148c on #f7f5ef",
    "number5": "bold #7a3500 on #f7f5ef",
    "number6": "bold #00606b on #f7f5ef",
    "number7": "bold #000000 on #f7f5ef",
    "number8": "bold #455a64 on #f7f5ef",
    "@cursor": "bold #1d2329 on #ffd24d",
    "@legal": "bold #1b6b2a",
    "@last": "on #e3e0a8",
    "@win": "bold #ffffff on #1b6b2a",
    "@premove": "bold #7b1fa2 on #ead9f2",
    "@ghost": "bold #1b6b2a",
    "@wrong": "bold #b71c1c",
}
_CONTRAST: Final[Mapping[str, str]] = {
    "label": "#ffffff",
    "grid": "#ffffff",
    "dot": "bold #ffffff",
    "edge": "bold #ffffff",
    "empty": "#b0b0b0",
    "wall": "bold #ffff00",
    "seat0": "bold #ffff00",
    "seat1": "bold #00ffff",
    "disc0": "bold #000000 on #ffff00",
    "disc1": "bold #000000 on #00ffff",
    "seat2": "bold #00ff00",
    "seat3": "bold #ff80ff",
    "covered": "#000000 on #b0b0b0",
    "open": "#ffffff",
    "flag": "bold #000000 on #ffff00",
    "mine": "bold #ffffff on #c00000",
    "exploded": "bold #000000 on #ff4040",
    "bracket": "bold #ffffff",
    **{f"number{number}": "bold #ffffff" for number in range(1, 9)},
    "@cursor": "bold #000000 on #ffffff",
    "@legal": "bold #00ff00",
    "@last": "underline",
    "@win": "bold #000000 on #00ff00",
    "@premove": "bold underline #ff80ff",
    "@ghost": "bold #00ff00",
    "@wrong": "bold #ff4040",
}
_COLOUR_BLIND: Final[Mapping[str, str]] = {
    **_DARK,
    "wall": "bold #f0e442",
    "seat0": "bold #e69f00 on #2b2a27",
    "seat1": "bold #56b4e9 on #1e2d39",
    "disc0": "bold #000000 on #e69f00",
    "disc1": "bold #000000 on #56b4e9",
    "seat2": "bold #f0e442 on #222932",
    "seat3": "bold #cc79a7 on #222932",
    "flag": "bold #f0e442 on #3a4553",
    "mine": "bold #ffffff on #704030",
    "exploded": "bold #000000 on #d55e00",
    "number1": "#56b4e9 on #1a2027",
    "number2": "#f0e442 on #1a2027",
    "number3": "#e69f00 on #1a2027",
    "number4": "bold #cc79a7 on #1a2027",
    "@legal": "bold #f0e442",
    "@win": "bold #000000 on #56b4e9",
    "@ghost": "bold #56b4e9",
    "@wrong": "bold #d55e00",
}
"""Colours after Okabe and Ito. No two of them differ only in red and green."""
_MONO: Final[Mapping[str, str]] = {
    "label": "dim",
    "grid": "dim",
    "dot": "bold",
    "edge": "bold",
    "empty": "dim",
    "wall": "bold",
    "seat0": "bold",
    "seat1": "bold",
    "disc0": "bold",
    "disc1": "bold reverse",
    "covered": "reverse dim",
    "flag": "bold reverse",
    "mine": "bold",
    "exploded": "bold reverse",
    "bracket": "bold",
    "@cursor": "reverse",
    "@legal": "bold",
    "@last": "underline",
    "@win": "bold reverse",
    "@premove": "underline italic",
    "@ghost": "bold",
    "@wrong": "bold italic",
}
_BOARDS: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": _DARK,
    "light": _LIGHT,
    "contrast": _CONTRAST,
    "colour-blind": _COLOUR_BLIND,
    "mono": _MONO,
}


def screen_themes() -> list[Theme]:
    """The themes for Textual, with the names of THEMES."""
    themes = []
    for name, (foreground, background, panel, primary, accent) in _SCREENS.items():
        themes.append(
            Theme(
                name=name,
                primary=primary,
                secondary=accent,
                accent=accent,
                warning=accent,
                error="#ff6b60"
                if name in ("dark", "colour-blind")
                else primary
                if name == "mono"
                else "#b71c1c",
                success=primary,
                foreground=foreground,
                background=background,
                surface=background,
                panel=panel,
                dark=name != "light",
            )
        )
    return themes


@cache
def board_style(theme: str, role: str, mark: str) -> Style:
    """The style of a character with `role` in a theme, with its marks."""
    styles = _BOARDS.get(theme, _DARK)
    own = Style.parse(styles.get(role, ""))
    if not mark or (mark == "last" and role.startswith("disc")):
        return own  # a disc keeps its colour; brackets mark the last one
    return own + Style.parse(styles.get(f"@{mark}", ""))


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
