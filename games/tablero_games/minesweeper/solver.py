"""Clears a minefield by logic, from its opening, or says where logic gets stuck.

Law: nothing is opened that the open numbers do not prove safe; the number of mines is never needed.
A set of cells is a whole number, one bit a cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from .grid import Cell, Grid

Cells = int


class Deduction:
    """The known part of one field. `clear` goes on until all is open or nothing more is certain."""

    def __init__(self, grid: Grid, bombs: Collection[Cell], opening: Cell) -> None:
        self._around, self._near = neighbours_of(grid)
        self._bombs = to_bits(bombs)
        self.unknown: Cells = (1 << len(self._around)) - 1
        """Cells neither open nor proved to be mines."""
        self.open: Cells = 0
        self._changed: list[Cell] = []
        """Numbers to look at again, because something around them became known."""
        self._unsettled: set[Cell] = set()
        """Numbers to compare again with those nearby."""
        self._open(1 << opening)

    def clear(self) -> bool:
        """Whether every safe cell could be opened."""
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
        """The number on a cell less the mines known around it, if `cells` are the unknown ones around it."""
        return (cells & self._bombs).bit_count()

    def _look_at(self, cell: Cell) -> None:
        """Draws conclusions from one number: no mines around it, or nothing but mines."""
        covered = self.unknown_around(cell)
        mines = self._mines_in(covered)
        if mines == 0:
            self._open(covered)
        elif mines == covered.bit_count():
            self._learn(covered)
        else:
            self._unsettled.add(cell)

    def _compare(self, cell: Cell) -> None:
        """Marks as mines the cells that only this number touches, if it lacks that many more than another."""
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
    """The neighbours of each cell, and the cells whose numbers may count a covered cell that it counts."""
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
