"""Minesweeper's fields: the places of the mines, computed from seed, options and first dug cell.

A field has one byte for each cell, as the open cell looks: "0" to "8" for the mines around it, or "*" for a
mine.

Law: the seed is all that anyone needs to compute the field, on any machine, at any time, by SHAKE-256.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import shake_256

from .grid import Cell, Grid, get_surrounding_cells, grid_of
from .options import MinesweeperOptions

COVERED, FLAG, MINE, ZERO = b"#F*0"


def setup(level: MinesweeperOptions, seed: int, cell: Cell) -> bytes:
    """The field of a game in which `cell` is dug first."""
    order = cell_order(level.height * level.width, seed)
    bombs = generate_bombs(level.mines, excluded_cells(level, cell), order)
    return generate_map(level.height, level.width, bombs)


def opening_cell(level: MinesweeperOptions, seed: int) -> Cell:
    """The cell that is open at the start if there is no first dig: the last cell in the seed's order."""
    return cell_order(level.height * level.width, seed)[-1]


def cell_order(count: int, seed: int, label: str = "field") -> list[Cell]:
    """All cells in an order drawn from the seed: each cell gets eight bytes, and the smallest value comes
    first.
    """
    drawn = shake_256(f"tablero minesweeper {label} {seed:x}".encode()).digest(8 * count)
    return sorted(range(count), key=lambda cell: drawn[8 * cell : 8 * cell + 8])


def excluded_cells(level: MinesweeperOptions, cell: Cell) -> list[Cell]:
    """The cells without a mine if `cell` is dug first."""
    return get_surrounding_cells(level.height, level.width, cell) if level.first_dig == "zone" else [cell]


def generate_bombs(nb_bomb: int, excluded_cells: Collection[Cell], order: Sequence[Cell]) -> frozenset[Cell]:
    """The mines: the first cells of the order that are not excluded."""
    allowed = (cell for cell in order if cell not in excluded_cells)
    return frozenset(cell for cell, _ in zip(allowed, range(nb_bomb), strict=False))


def generate_map(height: int, width: int, bombs: Collection[Cell]) -> bytes:
    grid = grid_of(height, width)
    cells = range(height * width)
    return bytes(MINE if cell in bombs else ZERO + get_bomb_neighbor(grid, bombs, cell) for cell in cells)


def get_bomb_neighbor(grid: Grid, bombs: Collection[Cell], cell: Cell) -> int:
    """The number of mines around `cell`."""
    return sum(other in bombs for other in grid.around[cell])


def cells_propagation(grid: Grid, field: bytes, cells: bytearray, to_discover: Iterable[Cell]) -> None:
    """Opens `to_discover` in `cells`, and then, step by step, all cells around a zero, even flagged ones."""
    wave = list(to_discover)
    for cell in wave:
        cells[cell] = field[cell]
    while wave:
        tmp_cells = []
        for cell in wave:
            if field[cell] == ZERO:
                for other in grid.around[cell]:
                    if cells[other] != field[other]:
                        cells[other] = field[other]
                        tmp_cells.append(other)
        wave = tmp_cells


@lru_cache(maxsize=256)
def three_bv(grid: Grid, field: bytes) -> int:
    """3BV: the fewest digs that clear the field: one for each opening, and one for each number that borders
    on no opening.
    """
    cells = bytearray([COVERED]) * len(field)
    openings = 0
    for cell, content in enumerate(field):
        if content == ZERO and cells[cell] == COVERED:
            cells_propagation(grid, field, cells, [cell])
            openings += 1
    return openings + cells.count(COVERED) - field.count(MINE)
