"""Moves of Minesweeper as people type them: only a cell, an action's letter and a cell, or the cell first."""

from __future__ import annotations

import re

from tablero_games.position import View

_WORDS = {"d": "dig", "f": "flag", "u": "unflag", "c": "chord", "o": "dig", "open": "dig"}
_CELL = re.compile(r"[a-z]{1,2}\d{1,2}", re.ASCII)


def read_move(text: str, view: View | None) -> str:
    """Read a move; a cell without an action is dug, or chorded if it shows a number."""
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
