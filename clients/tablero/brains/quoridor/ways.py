"""The distances of every cell of a Quoridor board to both goals, and how one more wall changes them.

Law: the rules (`Maze`) say where walls fit and pawns step; this module knows only distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tablero_games.quoridor.board import Board, Cells, Maze, Walls
from tablero_games.quoridor.rules import goals_on


class Distances:
    """The distance of every cell to one goal, without regard to pawns."""

    def __init__(
        self, board: Board, waves: Sequence[Cells], nearer: tuple[Cells, Cells, Cells, Cells], closed: Cells
    ) -> None:
        self.board = board
        self.waves = waves
        """The cells at distance 0, 1, 2, …"""
        self.nearer = nearer
        """The cells from which a step up leads nearer to the goal; then the same for right, down and left."""
        self.closed = closed
        """The cells without a way to the goal."""

    @classmethod
    def to(cls, goal: Cells, maze: Maze) -> Distances:
        """Compute all distances by one search, backwards from the goal (the document's "BFS inversé")."""
        board = maze.board
        size, north, east = board.size, maze.north, maze.east
        up = right = down = left = 0
        wave, unseen = goal, board.all_cells ^ goal
        waves = []
        while wave:
            waves.append(wave)
            goes_up = wave >> size & north & unseen
            goes_right = wave >> 1 & east & unseen
            goes_down = (wave & north) << size & unseen
            goes_left = (wave & east) << 1 & unseen
            up |= goes_up
            right |= goes_right
            down |= goes_down
            left |= goes_left
            wave = goes_up | goes_right | goes_down | goes_left
            unseen ^= wave
        return cls(board, waves, (up, right, down, left), unseen)

    def of(self, cell: Cells) -> int:
        """The number of steps from `cell` to the goal. There must be a way."""
        for distance, wave in enumerate(self.waves):
            if wave & cell:
                return distance
        raise ValueError("A cell without a way has no distance.")

    def shortest_steps(self, cell: Cells) -> int:
        """The number of different first steps of the shortest paths from `cell`."""
        up, right, down, left = self.nearer
        return bool(cell & up) + bool(cell & right) + bool(cell & down) + bool(cell & left)

    @cached_property
    def lengthening(self) -> Walls:
        """The walls that increase a distance: they cut a cell's only step towards the goal."""
        up, right, down, left = self.nearer
        several = up & right | down & left | (up | right) & (down | left)
        across_up = up & ~several | (down & ~several) >> self.board.size
        across_right = right & ~several | (left & ~several) >> 1
        return walls_across(self.board, across_up, across_right)

    def beside(self, wall: Walls) -> Distances:
        """The distances with one more wall, which increases no distance but removes alternatives."""
        board = self.board
        below, before = board.parted(wall)
        below |= below << 1
        before |= before << board.size
        up, right, down, left = self.nearer
        nearer = up & ~below, right & ~before, down & ~(below << board.size), left & ~(before << 1)
        return Distances(board, self.waves, nearer, self.closed)

    def walls_across_the_way(self, pawn: Cells) -> Walls:
        """The walls that would cut the current way: a shortest way that prefers up, then right, then down,
        then left.
        """
        size, goal = self.board.size, self.waves[0]
        up, right, down, _ = self.nearer
        across_up = across_right = 0
        cell = pawn
        while not cell & goal:
            if cell & up:
                across_up |= cell
                cell <<= size
            elif cell & right:
                across_right |= cell
                cell <<= 1
            elif cell & down:
                cell >>= size
                across_up |= cell
            else:
                cell >>= 1
                across_right |= cell
        return walls_across(self.board, across_up, across_right)


def walls_across(board: Board, up: Cells, right: Cells) -> Walls:
    """The walls that would forbid a step up or to the right from these cells. Some of them may not fit."""
    return up | up >> 1 | (right | right >> board.size) << board.area


class Ways:
    """One set of walls: the maze, and the distances to the goal of each seat.

    A search makes one object for each set of walls, so states compare this object instead of the walls.
    """

    def __init__(self, maze: Maze, distances: tuple[Distances, Distances], known: dict[Walls, Ways]) -> None:
        self.maze = maze
        self.distances = distances
        self._known = known
        known[maze.walls] = self

    @classmethod
    def of(cls, maze: Maze) -> Ways:
        """The object with which a search begins."""
        first, second = goals_on(maze.board)
        return cls(maze, (Distances.to(first, maze), Distances.to(second, maze)), {})

    @cached_property
    def fitting(self) -> Walls:
        return self.maze.walls_that_fit()

    @cached_property
    def closing(self) -> Walls:
        """The walls that touch enough others, or the edge, to be able to close a way."""
        return self.maze.walls_that_may_close()

    def with_wall(self, wall: Walls) -> Ways:
        """The ways with one more wall, which must fit. Searches only distances that change."""
        known = self._known.get(self.maze.walls | wall)
        if known is not None:
            return known
        maze = self.maze.with_wall(wall)
        first, second = self.distances
        first_goal, second_goal = goals_on(maze.board)
        first = Distances.to(first_goal, maze) if wall & first.lengthening else first.beside(wall)
        second = Distances.to(second_goal, maze) if wall & second.lengthening else second.beside(wall)
        return Ways(maze, (first, second), self._known)

    def leave_a_way(self, wall: Walls, pawns: tuple[Cells, Cells]) -> bool:
        """Whether both `pawns` still have a way after `wall` is placed; they are in the order of their seats.
        The wall must fit.
        """
        first, second = self.with_wall(wall).distances
        return not (first.closed & pawns[0] or second.closed & pawns[1])
