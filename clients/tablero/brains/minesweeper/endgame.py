"""The end of a Minesweeper game, with few possible mine arrangements: the dig that wins in most of them.

Law: the search is complete, so its answer is optimal. If that takes too long, it raises TooManyWays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablero_games.minesweeper.grid import Cell
from tablero_games.minesweeper.solver import Cells, each

from .odds import Puzzle, odds_of

Some = int
"""A set of possible arrangements, one bit each."""
MOST_WORK = 5000
"""Maximum number of situations to look at before giving up."""


class TooManyWays(Exception):
    """The search would look at more than MOST_WORK situations."""


def best_dig(puzzle: Puzzle, around: Sequence[Cells]) -> Cell:
    """The dig that wins in most arrangements, if no cell is surely safe. Raises TooManyWays."""
    return _Endgame(puzzle.covered, list(every_way(puzzle)), around).best_dig()


def every_way(puzzle: Puzzle, mines: Cells = 0) -> Iterator[Cells]:
    """The mines of each possible arrangement, including the known `mines`."""
    odds = odds_of(puzzle)
    mines |= odds.mines
    puzzle = puzzle.with_mines(odds.mines).with_safe(odds.safe)
    if not puzzle.covered:
        yield mines
        return
    cell = puzzle.covered & -puzzle.covered
    yield from every_way(puzzle.with_mines(cell), mines | cell)
    yield from every_way(puzzle.with_safe(cell), mines)


class _Endgame:
    """The search over the possible arrangements. The set of those still possible says which cells
    are open.
    """

    def __init__(self, covered: Cells, ways: Sequence[Cells], around: Sequence[Cells]) -> None:
        self._all: Some = (1 << len(ways)) - 1
        self._mined: dict[Cell, Some] = {}
        """The arrangements in which each cell is a mine."""
        self._shown: dict[Cell, list[Some]] = {}
        """The arrangements by the number that each cell shows."""
        self._won: dict[Some, int] = {}
        for cell in each(covered):
            shown = [0] * 9
            for at, mines in enumerate(ways):
                if not mines >> cell & 1:
                    shown[(around[cell] & mines).bit_count()] |= 1 << at
            self._mined[cell] = self._all & ~sum(shown)
            self._shown[cell] = [some for some in shown if some]

    def best_dig(self) -> Cell:
        _, cell = self._best(self._all)
        return cell

    def _wins(self, some: Some) -> int:
        """The number of these arrangements in which the best play wins."""
        if not some & some - 1:
            return 1
        if (won := self._won.get(some)) is None:
            if len(self._won) >= MOST_WORK:
                raise TooManyWays
            won = self._won[some] = self._told_apart(some) or self._best(some)[0]
        return won

    def _told_apart(self, some: Some) -> int:
        """The number of arrangements won after the numbers on the safe cells are seen; 0 if these numbers say
        nothing new.
        """
        for cell, mined in self._mined.items():
            if not mined & some and some not in (parts := self._after(cell, some)):
                return sum(map(self._wins, parts))
        return 0

    def _best(self, some: Some) -> tuple[int, Cell]:
        """The number of arrangements in which the best unsafe dig wins, and that dig."""
        most, best = 0, -1
        unsafe = [(-(some & ~mined).bit_count(), cell) for cell, mined in self._mined.items() if mined & some]
        for missed, cell in sorted(unsafe):
            if -missed <= most:
                break
            if (wins := sum(map(self._wins, self._after(cell, some)))) > most:
                most, best = wins, cell
        return most, best

    def _after(self, cell: Cell, some: Some) -> list[Some]:
        """These arrangements by the number that `cell` shows, without those in which it is a mine."""
        return [part for shown in self._shown[cell] if (part := some & shown)]
