"""The Quoridor board in bits: where walls fit, where a pawn may go, and whether it still has a way.

A set of cells is an integer with a bit for each cell: a1 is the lowest bit, then come the other cells of row
1, then row 2 and so on. A set of walls is an integer, too. Of the cells that a horizontal wall touches, the
one nearest to a1 gives the wall its bit. For a vertical wall, this bit is moved up by the number of cells.
The point in the middle of a wall is the upper right corner of that cell, so each point also has the bit of a
cell:

            +   |   +             . is the cell that names both walls, + a point that a wall may touch.
                |                 A horizontal wall lies above its cell and the next one to the right,
        +======-|-======+         a vertical wall to the right of its cell and the next one above
              . |                 (not both at once, they would cross).
            +   |   +

Law: all pawns and goals are arguments, so this module does not depend on the number of players or on turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

Cells: TypeAlias = int
"""A set of cells; one cell is a set of one."""
Walls: TypeAlias = int
"""A set of walls; one wall is a set of one."""

COLUMNS = "abcdefghijklmno"


@dataclass(frozen=True, slots=True)
class Board:
    """The masks of one board size, computed once and shared by all positions of that size."""

    size: int
    area: int = field(compare=False, repr=False)
    cells: dict[str, Cells] = field(compare=False, repr=False)
    names: dict[Cells, str] = field(compare=False, repr=False)
    walls: dict[str, Walls] = field(compare=False, repr=False)
    """The walls by name: first the horizontal ones, then the vertical ones."""
    all_cells: Cells = field(compare=False, repr=False)
    bottom: Cells = field(compare=False, repr=False)
    top: Cells = field(compare=False, repr=False)
    left: Cells = field(compare=False, repr=False)
    right: Cells = field(compare=False, repr=False)

    def parted(self, walls: Walls) -> tuple[Cells, Cells]:
        """The cells that name the horizontal walls, and the cells that name the vertical walls."""
        return walls & self.all_cells, walls >> self.area

    def listed(self, cells: Cells) -> list[str]:
        return [self.names[cell] for cell in each(cells)]


@cache
def board_of(size: int) -> Board:
    cells = {f"{COLUMNS[index % size]}{index // size + 1}": 1 << index for index in range(size * size)}
    bottom = (1 << size) - 1
    left = sum(1 << size * row for row in range(size))
    top, right = bottom << size * (size - 1), left << size - 1
    near_walls = [(name, cell) for name, cell in cells.items() if not cell & (top | right)]
    walls = {f"{name}h": cell for name, cell in near_walls}
    walls.update({f"{name}v": cell << size * size for name, cell in near_walls})
    return Board(
        size,
        area=size * size,
        cells=cells,
        names={cell: name for name, cell in cells.items()},
        walls=walls,
        all_cells=(1 << size * size) - 1,
        bottom=bottom,
        top=top,
        left=left,
        right=right,
    )


def each(bits: int) -> Iterator[int]:
    """The members of a set of cells or walls, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


@dataclass(frozen=True, slots=True)
class Maze:
    """A board with walls on it."""

    board: Board
    walls: Walls
    north: Cells = field(compare=False, repr=False)
    """The cells that have an open way to the cell above."""
    east: Cells = field(compare=False, repr=False)
    """The cells that have an open way to the cell on the right."""

    def beside(self, cell: Cells) -> tuple[Cells, Cells, Cells, Cells]:
        """The neighbours above, right, below and left; 0 behind a wall or the edge."""
        size, north, east = self.board.size, self.north, self.east
        return (cell & north) << size, (cell & east) << 1, cell >> size & north, cell >> 1 & east

    def steps(self, pawn: Cells, occupied: Cells) -> Cells:
        """The cells that `pawn` may go to. It can jump over a pawn beside it: straight on, or sideways if a
        wall is behind that pawn.
        """
        targets = 0
        for direction, target in enumerate(self.beside(pawn)):
            if target & occupied:
                around = self.beside(target)
                targets |= around[direction] or around[direction - 1] | around[direction - 3]
            else:
                targets |= target
        return targets & ~occupied

    def has_way(self, pawn: Cells, goal: Cells) -> bool:
        """Whether `pawn` can reach a cell of `goal`; other pawns don't count."""
        size, north, east = self.board.size, self.north, self.east
        seen = pawn
        while not seen & goal:
            wider = (
                seen | (seen & north) << size | (seen & east) << 1 | seen >> size & north | seen >> 1 & east
            )
            if wider == seen:
                return False
            seen = wider
        return True

    def closed(self, pawns: Sequence[Cells], goals: Sequence[Cells]) -> list[int]:
        """The seats whose pawn cannot reach its goal."""
        ways = enumerate(zip(pawns, goals, strict=True))
        return [seat for seat, (pawn, goal) in ways if not self.has_way(pawn, goal)]

    def walls_across_a_way(self, pawn: Cells, goal: Cells) -> Walls:
        """The walls that would cut one of the shortest ways of `pawn`. A way must exist. All other walls
        leave that way open.
        """
        board = self.board
        size, north, east = board.size, self.north, self.east
        waves = self._waves(pawn, goal)
        cell = next(each(waves.pop() & goal))
        crossed_north = crossed_east = 0
        while waves:
            wave = waves.pop()
            if step := cell >> size & north & wave:
                crossed_north |= step
            elif step := cell >> 1 & east & wave:
                crossed_east |= step
            elif step := (cell & north) << size & wave:
                crossed_north |= cell
            else:
                step = (cell & east) << 1 & wave
                crossed_east |= cell
            cell = step
        return crossed_north | crossed_north >> 1 | (crossed_east | crossed_east >> size) << board.area

    def _waves(self, pawn: Cells, goal: Cells) -> list[Cells]:
        """The cells at distance 0, 1, 2, … from `pawn`, until some are in `goal`."""
        size, north, east = self.board.size, self.north, self.east
        wave = pawn
        unseen = self.board.all_cells ^ pawn
        waves = [wave]
        while not wave & goal:
            wave = (wave & north) << size | (wave & east) << 1 | wave >> size & north | wave >> 1 & east
            wave &= unseen
            unseen ^= wave
            waves.append(wave)
        return waves

    def walls_that_fit(self) -> Walls:
        """The walls that neither overlap nor cross others. They may still block a player's last way."""
        board = self.board
        size = board.size
        horizontal, vertical = board.parted(self.walls)
        inside = board.all_cells ^ (board.top | board.right)
        fit_horizontal = inside & ~(horizontal | horizontal << 1 | horizontal >> 1 | vertical)
        fit_vertical = inside & ~(vertical | vertical << size | vertical >> size | horizontal)
        return fit_horizontal | fit_vertical << board.area

    def has_conflict(self) -> bool:
        """Whether any walls overlap or cross."""
        horizontal, vertical = self.board.parted(self.walls)
        overlap = horizontal & horizontal << 1 | vertical & vertical << self.board.size
        return bool(overlap | horizontal & vertical)

    def walls_that_may_close(self) -> Walls:
        """The walls that touch other walls or the edge with two of their three points.

        No other wall can block a way: a closed line of walls around a pawn continues at both ends of the new
        wall.
        """
        board = self.board
        size = board.size
        horizontal, vertical = board.parted(self.walls)
        touched = board.top | board.right
        touched |= horizontal | horizontal << 1 | horizontal >> 1
        touched |= vertical | vertical << size | vertical >> size
        # The left and lower edges have no bits of their own; they come before the first cells.
        to_left, to_right = touched << 1 | board.left, touched >> 1
        below, above = touched << size | board.bottom, touched >> size
        may_horizontal = touched & (to_left | to_right) | to_left & to_right
        may_vertical = touched & (below | above) | below & above
        return may_horizontal & board.all_cells | (may_vertical & board.all_cells) << board.area

    def with_wall(self, wall: Walls) -> Maze:
        return maze_of(self.board, self.walls | wall)

    def allows(self, wall: Walls, pawns: Sequence[Cells], goals: Sequence[Cells]) -> bool:
        """Whether this wall fits and leaves a way to the goal for every pawn."""
        if not wall & self.walls_that_fit():
            return False
        return not wall & self.walls_that_may_close() or not self.with_wall(wall).closed(pawns, goals)

    def legal_walls(self, pawns: Sequence[Cells], goals: Sequence[Cells]) -> Walls:
        """All legal walls, found with few searches: most walls can't block a way, or don't cross the shortest
        way.
        """
        legal = self.walls_that_fit()
        doubtful = legal & self.walls_that_may_close()
        for pawn, goal in zip(pawns, goals, strict=True):
            for wall in each(doubtful & self.walls_across_a_way(pawn, goal)):
                if not self.with_wall(wall).has_way(pawn, goal):
                    legal ^= wall
                    doubtful ^= wall
        return legal


def maze_of(board: Board, walls: Walls) -> Maze:
    horizontal, vertical = board.parted(walls)
    return Maze(
        board,
        walls,
        north=board.all_cells & ~(board.top | horizontal | horizontal << 1),
        east=board.all_cells & ~(board.right | vertical | vertical << board.size),
    )
