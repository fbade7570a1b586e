"""The client's Minesweeper: a board of cells to dig, flag or chord, its typed moves, and its lines
of text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any, ClassVar

from tablero.catalogue.speech import sentence, translate
from tablero_games import Seat
from tablero_games.minesweeper.drawing import number_to_emoji, reveal_all_cells
from tablero_games.minesweeper.drawing import progress as progress_in
from tablero_games.minesweeper.grid import Grid, column_name, grid_of
from tablero_games.position import View

from ...table_view.board import Deed, GridBoard, Marks, Scale, Target
from ...table_view.canvas import Canvas, Mark

_WORDS = {"d": "dig", "f": "flag", "u": "unflag", "c": "chord", "o": "dig", "open": "dig"}
_CELL = re.compile(r"[a-z]{1,2}\d{1,2}", re.ASCII)
_FRAME = 6
"""Columns beside the cells of a drawing in emoji. Each cell takes two columns."""


class MinesweeperBoard(GridBoard):
    SCALES: ClassVar = (Scale(5, 2, lines=False), Scale(4, 1, lines=False), Scale(2, 1, lines=False))
    LINE_SCALES: ClassVar = (Scale(2, 1, lines=False), Scale(1, 1, lines=False))
    wide_cells = True

    @cached_property
    def _grid(self) -> Grid:
        return grid_of(self.view["height"], self.view["width"])

    @cached_property
    def _rows(self) -> list[str]:
        return reveal_all_cells(self.view) or ["?" * self.view["width"]] * self.view["height"]

    @property
    def columns(self) -> int:
        columns: int = self.view["width"]
        return columns

    @property
    def rows(self) -> int:
        rows: int = self.view["height"]
        return rows

    @property
    def column_names(self) -> list[str]:
        return [column_name(column) for column in range(self.columns)]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.width += 1
        mines = self.view["mines"] - sum(row.count("F") for row in self.view["cells"] or ())
        self.note = translate("mines left: {mines}", mines=mines)

    def content(self, column: int, row: int) -> tuple[str, str]:
        content = self._rows[row][column]
        glyphs = self.glyphs
        known = {
            "#": (glyphs.covered, "covered"),
            "F": (glyphs.flag, "flag"),
            "*": (glyphs.mine, "mine"),
            "X": (glyphs.exploded, "exploded"),
            "0": (" ", "open"),
            "?": (" ", "empty"),
        }
        glyph, role = known.get(content) or (content, f"number{content}")
        if glyphs.wide and content in "012345678":
            glyph = "🌿" if content == "0" else number_to_emoji(int(content))
        return glyph, role

    def draw(self, marks: Marks) -> Canvas:
        canvas = Canvas(self.width, self.height)
        marked: dict[tuple[int, int], Mark] = {}
        last = marks.last.rpartition(" ")[2] if marks.last else ""
        if last in self._grid.cells:
            marked[self._place(last)] = "last"
        if marks.cursor is not None:
            marked[self._place(marks.cursor)] = "cursor"
        self.draw_grid(canvas, marked)
        return canvas

    def area(self, target: Target) -> tuple[int, int, int, int]:
        return *self.corner(*self._place(target)), self.scale.width, self.scale.height

    def target_at(self, x: int, y: int, cursor: Target | None = None) -> Target | None:
        cell = self.cell_at(x, y)
        return None if cell is None else self._name(*cell)

    def first_target(self, legal: Collection[str]) -> Target | None:
        return self._name(self.columns // 2, self.rows // 2)

    def walk(self, target: Target, right: int, up: int) -> Target:
        column, row = self._place(target)
        return self._name(min(max(column + right, 0), self.columns - 1), min(max(row + up, 0), self.rows - 1))

    def move(self, target: Target, deed: Deed = "play") -> str:
        """The move for a cell: dig a covered cell, chord an open number, or flag."""
        column, row = self._place(target)
        content = self._rows[row][column]
        if deed == "flag":
            return f"{'unflag' if content == 'F' else 'flag'} {target}"
        if deed == "chord" or content in "12345678":
            return f"chord {target}"
        return f"dig {target}"

    def legal_targets(self, legal: Collection[str]) -> Collection[Target]:
        return ()  # none are marked: every covered cell may be dug

    def next_unknown(self, target: Target) -> Target:
        """The next covered cell beside an open one, row by row from here. Else the next covered cell."""
        names, cells = self._grid.names, "".join(self._rows)
        here = self._grid.cells[target]
        order = [*range(here + 1, len(names)), *range(here + 1)]
        covered = [cell for cell in order if cells[cell] == "#"]
        known = (cell for cell in covered if any(cells[near].isdigit() for near in self._grid.around[cell]))
        found = next(known, next(iter(covered), here))
        return names[found]

    def facts(self, seat: int) -> str:
        player = self.view["players"][seat]
        safe = self.columns * self.rows - self.view["mines"]
        return f"{100 * player['opened'] // safe if safe else 100} %"

    def _place(self, target: Target) -> tuple[int, int]:
        row, column = divmod(self._grid.cells[target], self.columns)
        return column, row

    def _name(self, column: int, row: int) -> Target:
        return self._grid.names[row * self.columns + column]


def read_move(text: str, view: View | None) -> str:
    """Read a move. A cell without an action is dug, or chorded if it shows a number."""
    line = " ".join(text.lower().split())
    action, _, cell = line.partition(" ")
    if _CELL.fullmatch(line):
        return f"{'chord' if _is_number(line, view) else 'dig'} {line}"
    if action in _WORDS:
        return f"{_WORDS[action]} {cell}"
    if _CELL.fullmatch(action) and cell in {*_WORDS, *_WORDS.values()}:
        return f"{_WORDS.get(cell, cell)} {action}"
    return line


def _is_number(cell: str, view: View | None) -> bool:
    rows = (view or {}).get("cells") or []
    letters = cell.rstrip("0123456789")
    row = int(cell[len(letters) :]) - 1
    column = -1
    for letter in letters:
        column = (column + 1) * 26 + ord(letter) - ord("a")
    return 0 <= row < len(rows) and column < len(rows[row]) and rows[row][column] in "12345678"


def progress(view: View) -> str:
    return progress_in(view, translate)


def side(view: View, seat: Seat) -> str | None:
    """The line of a seat: how many cells it has opened, and why it is out. None in games for one."""
    if view["mode"] == "solo":
        return None
    player = view["players"][seat]
    out = f" ({translate(player['out'])})" if player["out"] else ""
    return f"{player['opened']}{out}"


def unseen(view: View, seat: Seat, who: str, why_ended: Callable[[str], str]) -> str:
    """The line about the progress of a player whose moves are hidden."""
    safe, player = view["width"] * view["height"] - view["mines"], view["players"][seat]
    opened = player["opened"]
    if player["out"]:
        out = sentence("{who} is out ({reason}) with {opened} of {safe} cells open.")
        return translate(out, who=who, reason=why_ended(player["out"]), opened=opened, safe=safe)
    return translate("{who} has opened {opened} of {safe} cells.", who=who, opened=opened, safe=safe)


def why(view: View, outcome: Mapping[str, Any]) -> str | None:
    """Explain why a race in which all are out has this winner."""
    if view["mode"] != "race" or outcome.get("reason") != "out" or not outcome.get("winners"):
        return None
    opened = sorted((player["opened"] for player in view["players"]), reverse=True)
    told = sentence("all are out; the winner opened most, {opened} of {safe} cells")
    if opened[:2] == opened[:1] * 2:
        told = sentence("all are out; the winner opened {opened} of {safe} cells first")
    return translate(told, opened=opened[0], safe=view["width"] * view["height"] - view["mines"])


def emoji_columns(view: View) -> int:
    columns: int = 2 * view["width"] + _FRAME
    return columns
