"""A Minesweeper board as its player sees it, and the effects of moves on it.

A board has one byte for each cell: "#" covered, "F" flagged, "0" to "8" open, "*" a mine that was dug.

Law: a board contains only open information. The field is read only where a move digs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..refusals import IllegalMove
from .field import COVERED, FLAG, MINE, ZERO, cells_propagation
from .grid import ACTIONS, Cell, Grid


def read_move(grid: Grid, move: str) -> tuple[str, Cell]:
    """The action and the cell of a move; spaces and case don't matter."""
    action, _, name = " ".join(move.split()).lower().partition(" ")
    if action not in ACTIONS:
        raise IllegalMove("noSuchAction", actions=list(ACTIONS), move=move)
    cell = grid.cells.get(name)
    if cell is None:
        raise IllegalMove("noSuchCell", cell=name, last=grid.names[-1])
    return action, cell


def apply_user_action(grid: Grid, field: bytes, cells: bytes, choice: str, cell: Cell) -> bytes:
    """The board after an action. Only a dig or a chord needs the field. Raises IllegalMove."""
    content, name = cells[cell], grid.names[cell]
    if choice == "chord":
        return _dug(grid, field, cells, _around_a_satisfied_number(grid, cells, cell))
    if choice == "unflag":
        if content != FLAG:
            raise IllegalMove("noFlag", cell=name)
        return _with(cells, cell, b"#")
    if content == FLAG:
        raise IllegalMove("flagged", cell=name)
    if content != COVERED:
        raise IllegalMove("openAlready", cell=name)
    return _dug(grid, field, cells, [cell]) if choice == "dig" else _with(cells, cell, b"F")


def _with(cells: bytes, cell: Cell, content: bytes) -> bytes:
    return cells[:cell] + content + cells[cell + 1 :]


def _dug(grid: Grid, field: bytes, cells: bytes, to_discover: list[Cell]) -> bytes:
    if len(to_discover) == 1 and field[cell := to_discover[0]] != ZERO:
        return _with(cells, cell, field[cell : cell + 1])
    opened = bytearray(cells)
    cells_propagation(grid, field, opened, to_discover)
    return bytes(opened)


def _around_a_satisfied_number(grid: Grid, cells: bytes, cell: Cell) -> list[Cell]:
    """The cells that a chord on `cell` digs. Raises IllegalMove."""
    name, number = grid.names[cell], cells[cell] - ZERO
    if not 0 <= number <= 8:
        raise IllegalMove("noOpenNumber", cell=name)
    flags = sum(cells[other] == FLAG for other in grid.around[cell])
    if flags != number:
        raise IllegalMove("wrongFlags", cell=name, number=number, flags=flags)
    if covered := [other for other in grid.around[cell] if cells[other] == COVERED]:
        return covered
    raise IllegalMove("nothingToDig", cell=name)


def legal_moves(grid: Grid, cells: bytes) -> Sequence[str]:
    """All digs, then flags, unflags and chords, each from a1 row by row."""
    covered = [cell for cell, content in enumerate(cells) if content == COVERED]
    flagged = [cell for cell, content in enumerate(cells) if content == FLAG]
    beside_flags = {other for cell in flagged for other in grid.around[cell]}
    chords = [cell for cell in sorted(beside_flags) if _can_chord(grid, cells, cell)]
    listed = zip(ACTIONS, (covered, covered, flagged, chords), strict=True)
    return [grid.moves[action][cell] for action, on in listed for cell in on]


def _can_chord(grid: Grid, cells: bytes, cell: Cell) -> bool:
    around = [cells[other] for other in grid.around[cell]]
    return around.count(FLAG) == cells[cell] - ZERO and COVERED in around


def revealed(cells: bytes) -> int:
    """The number of safe cells that are open."""
    return len(cells) - cells.count(COVERED) - cells.count(FLAG) - cells.count(MINE)


def win(cells: bytes, mines: int) -> bool:
    """Whether every safe cell is open and no mine was dug."""
    return revealed(cells) == len(cells) - mines and not lose(cells)


def lose(cells: bytes) -> bool:
    """Whether a mine was dug."""
    return MINE in cells
