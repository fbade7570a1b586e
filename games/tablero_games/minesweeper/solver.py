"""Clears a minefield by logic from its opening, or finds where logic gets stuck.

Law: a cell is opened only if the open numbers prove it safe. The total number of mines is never used. A set
of cells is an integer with one bit for each cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from .grid import Cell, Grid

Cells = int


class Deduction:
    """The known part of a field. `clear` continues until everything is open or nothing more is certain."""

    def __init__(self, grid: Grid, bombs: Collection[Cell], opening: Cell) -> None:
        self._around, self._near = neighbours_of(grid)
        self._bombs = to_bits(bombs)
        self.unknown: Cells = (1 << len(self._around)) - 1
        """Cells that are neither open nor proved to be mines."""
        self.open: Cells = 0
        self._changed: list[Cell] = []
        """Open numbers to check again, because a neighbour became known."""
        self._unsettled: set[Cell] = set()
        """Open numbers to compare again with other numbers nearby."""
        self._open(1 << opening)

    def clear(self) -> bool:
        """Opens all cells that logic proves safe. Returns whether every safe cell is now open."""
        while self.unknown & ~self._bombs:
            if self._changed:
                self._look_at(self._changed.pop())
            elif self._unsettled:
                self._compare(self._unsettled.pop())
            else:
                return False
        return True

    def unknown_around(self, cell: Cell) -> Cells:
        return self._around[cell] & self.unknown

    def is_seen(self, cell: Cell) -> bool:
        """Whether an open number counts this cell."""
        return bool(self._around[cell] & self.open)

    def _mines_in(self, cells: Cells) -> int:
        """The number of mines among `cells`. A player knows it too: the clue minus the known neighbouring
        mines.
        """
        return (cells & self._bombs).bit_count()

    def _look_at(self, cell: Cell) -> None:
        """Applies the rule for one number: the unknown cells around it are all safe, or all mines."""
        covered = self.unknown_around(cell)
        mines = self._mines_in(covered)
        if mines == 0:
            self._open(covered)
        elif mines == covered.bit_count():
            self._learn(covered)
        else:
            self._unsettled.add(cell)

    def _compare(self, cell: Cell) -> None:
        """Compares a number with other numbers nearby. If one number needs n mines more than another, and
        counts n cells that the other does not, these are mines.
        """
        ours = self.unknown_around(cell)
        needed = self._mines_in(ours)
        for other in self._near[cell]:
            theirs = self.unknown_around(other) if self.open >> other & 1 else 0
            if not theirs or theirs == ours:
                continue
            here, there = ours & ~theirs, theirs & ~ours
            more = needed - self._mines_in(theirs)
            if more == here.bit_count():
                mines, safe = here, there
            elif -more == there.bit_count():
                mines, safe = there, here
            else:
                continue
            self._unsettled.add(cell)
            self._learn(mines)
            self._open(safe)
            return

    def _open(self, cells: Cells) -> None:
        self.open |= cells
        self._changed.extend(each(cells))
        self._learn(cells)

    def _learn(self, cells: Cells) -> None:
        self.unknown &= ~cells
        for cell in each(cells):
            self._changed.extend(each(self._around[cell] & self.open))


@lru_cache(maxsize=8)
def neighbours_of(grid: Grid) -> tuple[list[Cells], list[list[Cell]]]:
    """The neighbours of each cell, and for each cell the other cells with which it shares a neighbour."""
    around = [to_bits(others) for others in grid.around]
    near = [
        sorted({beyond for other in others for beyond in grid.around[other]} - {cell})
        for cell, others in enumerate(grid.around)
    ]
    return around, near


def to_bits(cells: Collection[Cell]) -> Cells:
    return sum(1 << cell for cell in cells)


def each(cells: Cells) -> Iterator[Cell]:
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest
