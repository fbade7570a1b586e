"""Minesweeper's grid: the names and the neighbours of its cells.

Cell x, y is the number `y * width + x`. Row 0 is the lowest, so cell 0 is a1, at the bottom left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from string import ascii_lowercase

Cell = int
ACTIONS = ("dig", "flag", "unflag", "chord")


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The neighbours and moves of a grid, computed once and shared by all games of that size."""

    height: int
    width: int
    names: tuple[str, ...] = field(repr=False)
    cells: dict[str, Cell] = field(repr=False)
    around: tuple[tuple[Cell, ...], ...] = field(repr=False)
    """The neighbours of each cell, at most eight."""
    moves: dict[str, tuple[str, ...]] = field(repr=False)
    """The move for each cell, by action."""

    def rows(self, cells: bytes) -> list[str]:
        """The rows as strings with one character for each cell, the lowest row first."""
        text, width = cells.decode(), self.width
        return [text[start : start + width] for start in range(0, len(text), width)]


@lru_cache(maxsize=64)
def grid_of(height: int, width: int) -> Grid:
    columns = [column_name(x) for x in range(width)]
    names = tuple(f"{column}{row + 1}" for row in range(height) for column in columns)
    surrounding = [get_surrounding_cells(height, width, cell) for cell in range(height * width)]
    return Grid(
        height,
        width,
        names,
        {name: cell for cell, name in enumerate(names)},
        tuple(tuple(other for other in cells if other != cell) for cell, cells in enumerate(surrounding)),
        {action: tuple(f"{action} {name}" for name in names) for action in ACTIONS},
    )


def column_name(x: int) -> str:
    """The name of a column: a to z, then aa, ab, ..."""
    before, letter = divmod(x, 26)
    return (column_name(before - 1) if before else "") + ascii_lowercase[letter]


def get_surrounding_cells(height: int, width: int, cell: Cell) -> list[Cell]:
    """The cells on the grid in the three-by-three square around `cell`, including `cell`."""
    y, x = divmod(cell, width)
    return [
        res_y * width + res_x
        for res_y in range(max(y - 1, 0), min(y + 2, height))
        for res_x in range(max(x - 1, 0), min(x + 2, width))
    ]
