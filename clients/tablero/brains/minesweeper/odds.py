"""The probability that each covered cell is a mine: exact, from all possible arrangements of mines.

Law: all arrangements that fit the open numbers and the number of mines are equally likely. Integers decide
what is certain; a float only says how uncertain the rest is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate
from math import comb

from tablero_games.minesweeper.grid import Cell
from tablero_games.minesweeper.solver import Cells, each, neighbours_of, to_bits

from .component import Constraint, Ways, components
from .view import GameParam

NO_MINES: Ways = {0: 1}
SAYS_NOTHING: frozenset[Constraint] = frozenset({(0, 0)})


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A field as a player knows it: the number of mines under covered cells, and the numbers that
    count them.
    """

    covered: Cells
    mines: int
    constraints: frozenset[Constraint]

    def with_mines(self, cells: Cells) -> Puzzle:
        """The puzzle when `cells` are known to be mines."""
        if not cells:
            return self
        left = {(among & ~cells, mines - (among & cells).bit_count()) for among, mines in self.constraints}
        return Puzzle(self.covered & ~cells, self.mines - cells.bit_count(), frozenset(left - SAYS_NOTHING))

    def with_safe(self, cells: Cells) -> Puzzle:
        """The puzzle when `cells` are known to be safe, but their numbers are not known."""
        if not cells:
            return self
        left = {(among & ~cells, mines) for among, mines in self.constraints}
        return Puzzle(self.covered & ~cells, self.mines, frozenset(left - SAYS_NOTHING))

    def opened(self, cell: Cell, around: Cells, number: int) -> Puzzle:
        """The puzzle when `cell` is open and shows `number`."""
        left = self.with_safe(1 << cell)
        said = {(around & left.covered, number)} - SAYS_NOTHING
        return Puzzle(left.covered, left.mines, left.constraints | said)


@dataclass(frozen=True, slots=True)
class Odds:
    """The cells that are certain, and the odds of all others."""

    ways: int
    """The number of possible arrangements."""
    safe: Cells
    """The cells with no mine in any arrangement."""
    mines: Cells
    """The cells with a mine in every arrangement."""
    boxes: tuple[tuple[Cells, float], ...]
    """All covered cells with their odds, in groups of equal odds."""
    work: int = 0
    """Number of steps that the count took."""

    def likely(self) -> dict[Cell, float]:
        """The probability of a mine for each covered cell."""
        return {cell: chance for cells, chance in self.boxes for cell in each(cells)}


def puzzle_of(game: GameParam) -> Puzzle:
    """The puzzle as a player knows it; flags are ignored."""
    around, _ = neighbours_of(game.grid)
    covered = (1 << len(game.map)) - 1 ^ to_bits(game.revealed)
    constraints = {
        (cells, game.map[cell] - ord("0")) for cell in game.revealed if (cells := around[cell] & covered)
    }
    return Puzzle(covered, game.nb_bombs, frozenset(constraints))


def odds_of(puzzle: Puzzle) -> Odds:
    puzzle, safe, mines = settled(puzzle)
    parts = components(puzzle.constraints)
    far = puzzle.covered  # cells beside no open number
    for part in parts:
        for cells, _ in part.boxes:
            far &= ~cells
    before = list(accumulate((part.ways for part in parts), _together, initial=NO_MINES))
    behind = list(accumulate((part.ways for part in reversed(parts)), _together, initial=NO_MINES))
    far_ways = _far_ways(far.bit_count(), puzzle.mines, before[-1])
    total = sum(number * far_ways[here] for here, number in before[-1].items())
    if not total:
        return Odds(0, 0, 0, ())
    counted = []
    for at, part in enumerate(parts):
        others = _together(before[at], behind[len(parts) - 1 - at])
        weights = {
            here: sum(number * far_ways[here + more] for more, number in others.items()) for here in part.ways
        }
        for cells, in_box in part.boxes:
            counted.append((cells, sum(number * weights[here] for here, number in in_box.items())))
    if far:
        left = puzzle.mines
        in_far = sum(number * (left - here) * far_ways[here] for here, number in before[-1].items())
        counted.append((far, in_far))
    counted += [(cells, number) for cells, number in ((safe, 0), (mines, total * mines.bit_count())) if cells]
    safe = sum(cells for cells, in_box in counted if not in_box)
    mines = sum(cells for cells, in_box in counted if in_box == total * cells.bit_count())
    boxes = tuple((cells, in_box / (total * cells.bit_count())) for cells, in_box in counted)
    return Odds(total, safe, mines, boxes, sum(part.work for part in parts))


def settled(puzzle: Puzzle) -> tuple[Puzzle, Cells, Cells]:
    """Three results: the puzzle without the numbers whose cells are all mines or all safe, these safe cells,
    and these mines.
    """
    all_safe = all_mines = 0
    while True:
        safe = mines = 0
        for among, number in puzzle.constraints:
            if not number:
                safe |= among
            elif number == among.bit_count():
                mines |= among
        if not safe | mines:
            return puzzle, all_safe, all_mines
        puzzle = puzzle.with_mines(mines).with_safe(safe)
        all_safe |= safe
        all_mines |= mines


def _together(one: Ways, other: Ways) -> Ways:
    """The ways for two independent parts together, by the number of mines in both."""
    both: Ways = defaultdict(int)
    for mines, number in one.items():
        for more, ways in other.items():
            both[mines + more] += number * ways
    return both


def _far_ways(size: int, mines: int, near: Ways) -> Ways:
    """For each number of mines near open numbers, the number of ways to place the other mines in `size`
    cells.
    """
    return {here: comb(size, mines - here) if here <= mines else 0 for here in near}
