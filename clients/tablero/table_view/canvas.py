"""A board as cells of text, each with a character, a role and a mark.

Law: a glyph is one column wide, or two with an empty cell behind. Colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

from tablero_games.drawing import ASCII, UNICODE

GlyphSet: TypeAlias = Literal["ascii", "safe", "rich", "emoji"]
GLYPH_SETS: Final[tuple[GlyphSet, ...]] = ("ascii", "safe", "rich", "emoji")
Role: TypeAlias = str
"""The role of a character: "label", "grid", "empty", "seat0" to "seat7", "number1" to "number8", ..."""
Mark: TypeAlias = Literal["", "legal", "last", "win", "premove", "ghost", "wrong", "cursor"]
"""The mark on a character. Later marks replace earlier ones."""

BRACKETS: Final[dict[Mark, tuple[str, str]]] = {
    "last": ("(", ")"),
    "win": ("*", "*"),
    "premove": ("{", "}"),
    "ghost": (":", ":"),
    "wrong": ("!", "!"),
    "cursor": ("[", "]"),
}
"""The signs left and right of a marked cell, for terminals without colours."""


@dataclass(frozen=True)
class Glyphs:
    seats: str
    empty: str
    legal: str
    horizontal: str
    vertical: str
    crossing: str
    dot: str
    edge_horizontal: str
    edge_vertical: str
    wall_horizontal: str
    wall_vertical: str
    covered: str
    flag: str
    mine: str
    exploded: str
    here: str
    """The sign that points down at a column."""
    wide: bool = False
    """Whether a cell may take two columns."""


_SAFE = Glyphs(
    seats="".join(UNICODE[str(seat)] for seat in range(8)),
    empty="⋅",
    legal="∙",
    horizontal="-",
    vertical="|",
    crossing="+",
    dot="∙",
    edge_horizontal="▬",
    edge_vertical="❚",
    wall_horizontal="▬",
    wall_vertical="❚",
    covered="░",
    flag="⚑",
    mine="✸",
    exploded="✗",
    here="▾",
)
GLYPHS: Final[dict[GlyphSet, Glyphs]] = {
    "ascii": Glyphs(
        seats="".join(ASCII[str(seat)] for seat in range(8)),
        empty=".",
        legal="+",
        horizontal="-",
        vertical="|",
        crossing="+",
        dot="+",
        edge_horizontal="-",
        edge_vertical="|",
        wall_horizontal="=",
        wall_vertical="#",
        covered="#",
        flag="F",
        mine="*",
        exploded="X",
        here="v",
    ),
    "safe": _SAFE,
    "rich": Glyphs(
        seats="✕●▲◆★■♣♠",
        empty="·",
        legal="•",
        horizontal="─",
        vertical="│",
        crossing="┼",
        dot="•",
        edge_horizontal="━",
        edge_vertical="┃",
        wall_horizontal="━",
        wall_vertical="┃",
        covered="▒",
        flag="⚑",
        mine="✹",
        exploded="✖",
        here="▼",
    ),
    "emoji": Glyphs(
        **{**vars(_SAFE), "covered": "⬜", "flag": "🚩", "mine": "💣", "exploded": "💥", "wide": True}
    ),
}


@dataclass(frozen=True)
class Stretch:
    """Adjacent characters that look alike."""

    text: str
    role: Role
    mark: Mark


class Canvas:
    """Cells, counted from the top left. Characters outside the canvas are dropped."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells: list[list[tuple[str, Role, Mark]]] = [
            [(" ", "plain", "")] * width for _ in range(height)
        ]

    def put(self, x: int, y: int, text: str, role: Role = "plain", mark: Mark = "") -> None:
        for at, character in enumerate(text, start=x):
            if 0 <= at < self.width and 0 <= y < self.height:
                self._cells[y][at] = character, role, mark

    def put_wide(self, x: int, y: int, character: str, role: Role, mark: Mark = "") -> None:
        """Put a character that takes two columns."""
        if 0 <= x < self.width - 1 and 0 <= y < self.height:
            self._cells[y][x : x + 2] = [(character, role, mark), ("", role, mark)]

    def mark(self, left: int, top: int, width: int, height: int, mark: Mark) -> None:
        """Mark an area and keep what is drawn on it."""
        for y in range(max(top, 0), min(top + height, self.height)):
            for x in range(max(left, 0), min(left + width, self.width)):
                character, role, _ = self._cells[y][x]
                self._cells[y][x] = character, role, mark

    def enclose(self, x: int, y: int, mark: Mark, reach: int = 1) -> None:
        """Put brackets left and right of a cell, `reach` columns away."""
        left, right = BRACKETS[mark]
        self.put(x - reach, y, left, "bracket", mark)
        self.put(x + reach, y, right, "bracket", mark)

    def runs(self, y: int, left: int = 0, width: int | None = None) -> Iterator[Stretch]:
        """The stretches of a row, or of its part from `left` on."""
        cells = self._cells[y][left : None if width is None else left + width]
        for (role, mark), group in groupby(cells, key=lambda cell: cell[1:]):
            yield Stretch("".join(cell[0] for cell in group), role, mark)

    def text(self) -> str:
        """The text without colours."""
        lines = ("".join(cell[0] for cell in line).rstrip() for line in self._cells)
        return "\n".join(lines)
