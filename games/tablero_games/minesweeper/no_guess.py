"""Fields that can be cleared without a guess: drawn from the seed, and repaired where logic gets stuck.

Law: the field depends only on options and seed. A search that is given up gives no field at all.
"""

from __future__ import annotations

from collections.abc import Callable

from ..position import NoFieldFound
from .field import cell_order, excluded_cells, generate_bombs, generate_map, opening_cell
from .grid import Cell, grid_of
from .options import MinesweeperOptions
from .solver import Deduction, each

DRAWS = 100
MENDS = 300
"""The number of fields that are tried, and the number of repairs of each."""

Bombs = frozenset[Cell]


def no_guess_field(level: MinesweeperOptions, seed: int, give_up: Callable[[], bool]) -> bytes:
    """A field that can be cleared by logic from its opening cell. Raises NoFieldFound."""
    size = level.height * level.width
    opening = opening_cell(level, seed)
    free = excluded_cells(level, opening)
    for draw in range(DRAWS):
        order = cell_order(size, seed, f"field{draw or ''}")
        bombs: Bombs | None = generate_bombs(level.mines, free, order)
        for mend in range(MENDS):
            if bombs is None:
                break
            if give_up():
                raise NoFieldFound("No field that needs no guess was found in time; try fewer mines.")
            attempt = Deduction(grid_of(level.height, level.width), bombs, opening)
            if attempt.clear():
                return generate_map(level.height, level.width, bombs)
            bombs = mended(bombs, attempt, cell_order(size, seed, f"mend {draw}.{mend}"))
    raise NoFieldFound("No field with so many mines can be cleared without a guess; try fewer.")


def mended(bombs: Bombs, stuck: Deduction, order: list[Cell]) -> Bombs | None:
    """The mines, moved so that all or none of the unknown cells around one number are mines. None if that is
    impossible.
    """
    number = next((cell for cell in order if stuck.open >> cell & 1 and stuck.unknown_around(cell)), None)
    if number is None:  # the unknown cells are walled off by mines
        return None
    beside = set(each(stuck.unknown_around(number)))
    elsewhere = [cell for cell in order if stuck.unknown >> cell & 1 and cell not in beside]
    # first the cells that no open number counts: a change there affects nothing known
    elsewhere.sort(key=stuck.is_seen)
    room = [cell for cell in elsewhere if cell not in bombs]
    spare = [cell for cell in elsewhere if cell in bombs]
    for moved, into in ((beside & bombs, room), (beside - bombs, spare)):
        if len(into) >= len(moved):
            return bombs ^ moved ^ set(into[: len(moved)])
    return None
