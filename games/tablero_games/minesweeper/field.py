"""Minesweeper's fields: the places of the mines, a pure function of seed, options and first dug cell.

A field is one byte a cell, as the cell looks when it is open: "0" to "8" mines around it, or "*", a mine.
Law: anyone who has the seed can compute the field with nothing but SHAKE-256, on any machine, in any year.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import shake_256

from .grid import Cell, Grid, get_surrounding_cells, grid_of
from .options import MinesweeperOptions

COVERED, FLAG, MINE, ZERO = b"#F*0"


def setup(level: MinesweeperOptions, seed: int, cell: Cell) -> bytes:
    """The field of a game whose first dug cell is `cell`."""
    order = cell_order(level.height * level.width, seed)
    bombs = generate_bombs(level.mines, excluded_cells(level, cell), order)
    return generate_map(level.height, level.width, bombs)


def opening_cell(level: MinesweeperOptions, seed: int) -> Cell:
    """The cell that is open from the start if there is no first dig: the last of the seed's order."""
    return cell_order(level.height * level.width, seed)[-1]


def cell_order(count: int, seed: int, label: str = "field") -> list[Cell]:
    """All cells, shuffled by the seed: each draws eight bytes, and the smallest comes first."""
    drawn = shake_256(f"tablero minesweeper {label} {seed:x}".encode()).digest(8 * count)
    return sorted(range(count), key=lambda cell: drawn[8 * cell : 8 * cell + 8])


def excluded_cells(level: MinesweeperOptions, cell: Cell) -> list[Cell]:
    """Cells without a mine when `cell` is dug first."""
    return get_surrounding_cells(level.height, level.width, cell) if level.first_dig == "zone" else [cell]


def generate_bombs(nb_bomb: int, excluded_cells: Collection[Cell], order: Sequence[Cell]) -> frozenset[Cell]:
    """The first cells of the order, without the excluded ones: later cells take their place."""
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
    """Opens `to_discover` in `cells`, and wave after wave everything around a zero, flagged or not."""
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
    """3BV: the fewest digs that clear the field, one for each opening and each number that touches none."""
    cells = bytearray([COVERED]) * len(field)
    openings = 0
    for cell, content in enumerate(field):
        if content == ZERO and cells[cell] == COVERED:
            cells_propagation(grid, field, cells, [cell])
            openings += 1
    return openings + cells.count(COVERED) - field.count(MINE)
