"""Quoridor: be the first to cross the board, with walls to make the other's way longer.

A position is a maze with the pawns in it. It also stores the places of the pawns since the last wall: walls
are never removed, so only those positions can be repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import Field

from ..position import Game, Options, Outcome, Seat, Style, View, Wording, in_english
from ..refusals import IllegalMove
from ..two_seats import TwoSeats, drawn, outcome_told, won
from .board import Board, Cells, Maze, Walls, board_of, maze_of
from .drawing import drawing
from .refusals import REFUSALS, why_no_move, why_no_step, why_no_wall

MOST_PLIES = 200
"""The number of plies after which a game is drawn."""
REPETITIONS = 3
"""The number of times a position must occur for a draw."""

_GOAL = (won(0, "goal"), won(1, "goal"))
_REPETITION = drawn("repetition", None)
_PLIES = drawn("plies", None)


class QuoridorOptions(Options):
    size: int = Field(9, ge=3, le=15)
    walls: int = Field(10, ge=0, le=20)


@dataclass(frozen=True, slots=True)
class QuoridorPosition(TwoSeats):
    """The walls, the pawns, the earlier places of the pawns, and the outcome if the game is over."""

    maze: Maze
    pawns: tuple[Cells, ...]
    walls_left: tuple[int, ...]
    ply: int = 0
    earlier: tuple[tuple[Cells, ...], ...] = ()
    """The places of the pawns at each earlier ply since the last wall, oldest first."""

    @property
    def next_seat(self) -> Seat:
        return self.ply % len(self.pawns)

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        """Steps, then horizontal walls, then vertical ones, each from a1 row by row."""
        if self.outcome is not None or seat != self.next_seat:
            return ()
        maze = self.maze
        board = maze.board
        moves = board.listed(maze.steps(self.pawns[seat], sum(self.pawns)))
        if self.walls_left[seat]:
            legal = maze.legal_walls(self.pawns, goals_on(board))
            moves += [name for name, wall in board.walls.items() if wall & legal]
        return moves

    def play(self, seat: Seat, move: str) -> Self:
        self.refuse_out_of_turn(seat)
        board = self.maze.board
        name = self.canonical(move)
        if cell := board.cells.get(name):
            return self._step(seat, cell)
        return self._place(seat, board.walls[name])

    def canonical(self, move: str) -> str:
        board, name = self.maze.board, move.strip().lower()
        if name in board.cells or name in board.walls:
            return name
        raise why_no_move(board, move)

    def _step(self, seat: Seat, target: Cells) -> Self:
        pawn, occupied = self.pawns[seat], sum(self.pawns)
        if not target & self.maze.steps(pawn, occupied):
            raise why_no_step(self.maze, pawn, target, occupied)
        pawns = (*self.pawns[:seat], target, *self.pawns[seat + 1 :])
        earlier = (*self.earlier, self.pawns)
        ply = self.ply + 1
        outcome = _ending(self.maze.board, pawns, earlier, ply)
        return type(self)(self.maze, pawns, self.walls_left, ply, earlier, outcome=outcome)

    def _place(self, seat: Seat, wall: Walls) -> Self:
        maze, left = self.maze, self.walls_left
        board = maze.board
        if not left[seat]:
            raise IllegalMove("noWallsLeft")
        if not maze.allows(wall, self.pawns, goals_on(board)):
            raise why_no_wall(maze, wall, self.pawns, goals_on(board))
        left = (*left[:seat], left[seat] - 1, *left[seat + 1 :])
        ply = self.ply + 1
        outcome = _ending(board, self.pawns, (), ply)
        return type(self)(maze.with_wall(wall), self.pawns, left, ply, outcome=outcome)

    def view(self, seat: Seat | None) -> View:
        board = self.maze.board
        names = board.names
        view: View = {
            "size": board.size,
            "ply": self.ply,
            "pawns": [names[pawn] for pawn in self.pawns],
            "walls": [name for name, wall in board.walls.items() if wall & self.maze.walls],
            "wallsLeft": list(self.walls_left),
            "earlier": [[names[pawn] for pawn in pawns] for pawns in self.earlier],
        }
        if self.outcome is not None:
            view["outcome"] = self.outcome.to_json()
        return view


def goals_on(board: Board) -> tuple[Cells, ...]:
    """The cells on which each seat's pawn wins."""
    return board.top, board.bottom


def _ending(
    board: Board, pawns: tuple[Cells, ...], earlier: tuple[tuple[Cells, ...], ...], ply: int
) -> Outcome | None:
    """The outcome of this position after `ply` plies, or None."""
    seats = len(pawns)
    last = (ply - 1) % seats
    if pawns[last] & goals_on(board)[last]:
        return _GOAL[last]
    with_the_same_seat_to_move = earlier[-seats::-seats]
    if with_the_same_seat_to_move.count(pawns) >= REPETITIONS - 1:
        return _REPETITION
    return _PLIES if ply >= MOST_PLIES else None


class Quoridor(Game):
    name = "quoridor"
    title = "Quoridor"
    needs_drawing = False
    options = QuoridorOptions
    example_moves = ("e2", "e3h", "e3v")
    tables = ({}, {"size": 4, "walls": 2}, {"size": 5, "walls": 0})
    refusals = REFUSALS

    def begin(self, seats: int, seed: int, options: Options) -> QuoridorPosition:
        assert isinstance(options, QuoridorOptions)
        board = board_of(options.size)
        middle = board.size // 2
        pawns = (1 << middle, 1 << middle + board.area - board.size)
        return QuoridorPosition(maze_of(board, 0), pawns, (options.walls,) * seats)

    def from_view(self, view: View) -> QuoridorPosition:
        try:
            board = board_of(QuoridorOptions(size=view["size"]).size)
            stood = [view["pawns"], *view["earlier"]]
            pawns, *earlier = [tuple(board.cells[cell] for cell in cells) for cells in stood]
            maze = maze_of(board, sum({board.walls[name] for name in view["walls"]}))
            left, ply = tuple(view["wallsLeft"]), view["ply"]
        except (KeyError, TypeError) as error:
            raise ValueError(f"This is no view of Quoridor: {error!r:.80}.") from error
        if not all(len(set(cells)) == 2 for cells in (pawns, *earlier)):
            raise ValueError("A Quoridor view has two pawns, on different cells.")
        if len(left) != 2 or not all(isinstance(count, int) and count >= 0 for count in (ply, *left)):
            raise ValueError("A Quoridor view counts its plies and the walls left of two seats.")
        if maze.has_conflict() or maze.closed(pawns, goals_on(board)):
            raise ValueError("A Quoridor view has no walls that overlap, cross or close a pawn's last way.")
        outcome = outcome_told(view, _ending(board, pawns, tuple(earlier), ply))
        return QuoridorPosition(maze, pawns, left, ply, tuple(earlier), outcome=outcome)

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        return drawing(view, style, say)
