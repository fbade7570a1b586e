"""A Quoridor position for the search, its candidate moves, and the states after them.

A move is one bit. The bits of the walls come first; above them is a bit for each cell that the pawn can step
to. Law: every candidate is legal by the rules. All steps are candidates, and about twenty walls.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

from tablero_games import Seat
from tablero_games.quoridor.board import Board, Cells, Walls, board_of, each
from tablero_games.quoridor.rules import QuoridorPosition, goals_on

from .ways import Ways

Move: TypeAlias = int

STRATEGIC_WALLS = 20
"""Maximum number of walls to try in a state."""


class State(NamedTuple):
    """A position from the view of the player to move."""

    ways: Ways
    pawn: Cells
    other: Cells
    left: int
    others_left: int
    seat: Seat
    """The seat to move."""

    @property
    def is_over(self) -> bool:
        """Whether the last move reached the goal."""
        return bool(self.other & goals_on(self.ways.maze.board)[1 - self.seat])


def state_of(position: QuoridorPosition) -> State:
    seat = position.next_seat
    other = 1 - seat
    return State(
        Ways.of(position.maze),
        position.pawns[seat],
        position.pawns[other],
        position.walls_left[seat],
        position.walls_left[other],
        seat,
    )


def earlier_states(position: QuoridorPosition, root: State) -> frozenset[State]:
    """The earlier states that can occur again: those since the last wall. `root` is the state of
    `position`.
    """
    states = []
    for back, pawns in enumerate(reversed(position.earlier), start=1):
        seat = (root.seat + back) % 2
        left, others_left = position.walls_left[seat], position.walls_left[1 - seat]
        states.append(State(root.ways, pawns[seat], pawns[1 - seat], left, others_left, seat))
    return frozenset(states)


def move_name(board: Board, move: Move) -> str:
    """The move as the rules write it."""
    step = move >> 2 * board.area
    return board.names[step] if step else _wall_names(board.size)[move]


@cache
def _wall_names(size: int) -> dict[Walls, str]:
    return {wall: name for name, wall in board_of(size).walls.items()}


def apply_move(state: State, move: Move) -> State:
    """The state after a candidate move, with the other seat to move."""
    ways, pawn, other, left, others_left, seat = state
    step = move >> 2 * ways.maze.board.area
    if step:
        return State(ways, other, step, others_left, left, 1 - seat)
    return State(ways.with_wall(move), other, pawn, others_left, left - 1, 1 - seat)


def get_all_possible_moves(state: State) -> list[Move]:
    """The steps, nearest to the goal first, then the strategic walls."""
    maze, distances = state.ways.maze, state.ways.distances[state.seat]
    steps = sorted(each(maze.steps(state.pawn, state.pawn | state.other)), key=distances.of)
    return [step << 2 * maze.board.area for step in steps] + strategic_walls(state)


def strategic_walls(state: State) -> list[Walls]:
    """The walls near the ways: across the other's current way first, then across our own, then elsewhere.

    Within each group, those nearest to the other's pawn come first. A wall needs a search only if it cuts a
    current way and touches enough other walls to close it.
    """
    ways, pawn, other, left, _, seat = state
    if not left:
        return []
    across_others = ways.fitting & ways.distances[1 - seat].walls_across_the_way(other)
    across_own = ways.fitting & ways.distances[seat].walls_across_the_way(pawn) & ~across_others
    across = across_others | across_own
    doubtful = across & ways.closing
    pawns = (pawn, other) if seat == 0 else (other, pawn)
    rings = rings_around(other, ways.maze.board.size)
    chosen: list[Walls] = []
    for group in (across_others, across_own, ways.fitting & ~across):
        for ring in rings:
            for wall in each(group & ring):
                if not wall & doubtful or ways.leave_a_way(wall, pawns):
                    chosen.append(wall)
                    if len(chosen) == STRATEGIC_WALLS:
                        return chosen
    return chosen


@cache
def rings_around(cell: Cells, size: int) -> tuple[Walls, ...]:
    """All walls in rings around `cell`, the nearest first."""
    board = board_of(size)
    row, column = divmod(cell.bit_length() - 1, size)
    rings = [0] * (2 * size)
    for wall in board.walls.values():
        wall_row, wall_column = divmod((wall.bit_length() - 1) % board.area, size)
        rings[int(abs(wall_row + 0.5 - row) + abs(wall_column + 0.5 - column))] |= wall
    return tuple(rings)
