"""Moves as people write them, read as the game writes them.

Law: what this does not know is passed on as it was typed; the server is the judge.
"""

from __future__ import annotations

import re

from tablero_games.position import View
from tablero_games.tic_tac_toe import CELLS

_WORDS = {"d": "dig", "f": "flag", "u": "unflag", "c": "chord", "o": "dig", "open": "dig"}
_CELL = re.compile(r"[a-z]{1,2}\d{1,2}", re.ASCII)
_TWO_CELLS = re.compile(r"([a-z])(\d{1,2})[\s-]*([a-z])(\d{1,2})", re.ASCII)
_WALL = re.compile(r"([hv])[\s-]*([a-z]\d{1,2})|([a-z]\d{1,2})[\s-]+([hv])", re.ASCII)


def read_move(game: str, text: str, view: View | None = None) -> str:
    """The move that is meant; `view` tells what is done to a cell of Minesweeper that is already open."""
    line = " ".join(text.lower().split())
    match game:
        case "tic-tac-toe":
            return _tic_tac_toe(line)
        case "dots-and-boxes":
            return _edge(line)
        case "quoridor":
            wall = _WALL.fullmatch(line)
            return f"{wall[2] or wall[3]}{wall[1] or wall[4]}" if wall else line
        case "minesweeper":
            return _minesweeper(line, view)
        case "connect-four":
            return line.removeprefix("column ")
    return text.strip()


def _tic_tac_toe(line: str) -> str:
    """A digit is a key of a number pad: 7 is at the top left. The row may come first."""
    if line in set("123456789"):
        return CELLS[int(line) - 1]
    return line[::-1] if line[::-1] in CELLS else line


def _edge(line: str) -> str:
    """An edge may be written as the two dots that it connects."""
    dots = _TWO_CELLS.fullmatch(line)
    if dots is None:
        wall = _WALL.fullmatch(line)
        return f"{wall[2] or wall[3]}{wall[1] or wall[4]}" if wall else line
    (column, row), (other_column, other_row) = sorted([(dots[1], int(dots[2])), (dots[3], int(dots[4]))])
    if row == other_row and ord(other_column) - ord(column) == 1:
        return f"{column}{row}h"
    if column == other_column and other_row - row == 1:
        return f"{column}{row}v"
    return line


def _minesweeper(line: str, view: View | None) -> str:
    """A cell alone is dug, or chorded where a number is open."""
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
