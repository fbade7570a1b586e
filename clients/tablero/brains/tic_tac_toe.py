"""Tic-tac-toe by choice index: each cell gets a number (CI) for its value, and the highest is played.

Law: the steps run in their order, 1 to 10. "CI = n" raises a cell to n if it is lower, and "CI = CI + n" adds
n. An occupied cell stays at -10. With this reading the method never misses a win or a block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import ClassVar, TypeVar

from tablero.bot import Bot, Turn
from tablero.brains import Bundled
from tablero_games import Seat
from tablero_games.tic_tac_toe import CELLS, LINES, TicTacToePosition

Cell = str
Line = tuple[Cell, Cell, Cell]
Board = Mapping[Cell, Seat | None]
"""The owner of the token on each cell; None if empty."""
Index = dict[Cell, int]
"""The choice index of every cell."""
Item = TypeVar("Item")


@dataclass(frozen=True)
class Groups:
    """The corners, edges and center, and the lines of three.

    3  corner  edge   corner
    2  edge   center  edge
    1  corner  edge   corner
         a      b      c
    """

    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    diagonals: tuple[Line, ...]
    corners: tuple[Cell, ...] = ("a1", "c1", "a3", "c3")
    edges: tuple[Cell, ...] = ("b1", "a2", "c2", "b3")
    center: Cell = "b2"

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.rows + self.columns + self.diagonals


def _line(cells: Sequence[int]) -> Line:
    first, second, third = (CELLS[cell] for cell in cells)
    return first, second, third


@cache
def get_groups() -> Groups:
    lines = tuple(map(_line, LINES))
    return Groups(rows=lines[:3], columns=lines[3:6], diagonals=lines[6:])


def board_of(cells: str) -> Board:
    """The board of a view: nine characters from a1 to c3, a seat's digit or "."."""
    return {
        cell: None if content == "." else int(content) for cell, content in zip(CELLS, cells, strict=True)
    }


# The ten steps of the choice index


def step_1_empty_board(index: Index, board: Board, player: Seat) -> None:
    """Give corners and center CI = 1 on an empty board, all others 0."""
    if not any(_has_token(board, cell) for cell in CELLS):
        groups = get_groups()
        for cell in (*groups.corners, groups.center):
            _raise_to(1, cell, index, board)


def step_2_occupied_cells(index: Index, board: Board, player: Seat) -> None:
    """Give occupied cells CI = -10, which stays."""
    for cell in CELLS:
        if _has_token(board, cell):
            index[cell] = -10


def step_3_block(index: Index, board: Board, player: Seat) -> None:
    """Give CI = 15 to cells that would win for the rival."""
    for cell in _winner_moves(board, 1 - player):
        _raise_to(15, cell, index, board)


def step_4_win(index: Index, board: Board, player: Seat) -> None:
    """Give CI = 20 to cells that would win for the player."""
    for cell in _winner_moves(board, player):
        _raise_to(20, cell, index, board)


def step_5_center_near_rival(index: Index, board: Board, player: Seat) -> None:
    """Give the center CI = 3 if a token of the rival is around it."""
    groups = get_groups()
    if any(board[cell] == 1 - player for cell in (*groups.corners, *groups.edges)):
        _raise_to(3, groups.center, index, board)


def step_6_opposite_corner(index: Index, board: Board, player: Seat) -> None:
    """Give the opposite corner CI = 3 if the rival has the center and the player just one corner."""
    groups = get_groups()
    own = [corner for corner in groups.corners if board[corner] == player]
    if board[groups.center] == 1 - player and len(own) == 1:
        (opposite,) = (_other_end(line, own[0]) for line in groups.diagonals if own[0] in line)
        _raise_to(3, opposite, index, board)


def step_7_corner_far_from_rival(index: Index, board: Board, player: Seat) -> None:
    """Give CI + 1 to corners without the rival's tokens in their row and column, once the rival has
    a token.
    """
    if not any(board[cell] == 1 - player for cell in CELLS):
        return
    for corner in get_groups().corners:
        if not any(board[cell] == 1 - player for line in _row_and_column(corner) for cell in line):
            _add(1, corner, index, board)


def step_8_row_to_own_corner(index: Index, board: Board, player: Seat) -> None:
    """Give CI + 3 to a corner in a row with an own corner, if the edge between is in an empty column."""
    groups = get_groups()
    _add_along(groups.rows, groups.columns, index, board, player)


def step_9_column_to_own_corner(index: Index, board: Board, player: Seat) -> None:
    """Give CI + 3 to a corner in a column with an own corner, if the edge between is in an empty row."""
    groups = get_groups()
    _add_along(groups.columns, groups.rows, index, board, player)


def step_10_two_winner_moves(index: Index, board: Board, player: Seat) -> None:
    """Give CI = 10 to a corner from which the player would have two winner moves at once."""
    for corner in get_groups().corners:
        if not _has_token(board, corner):
            after = {**board, corner: player}
            if len(_winner_moves(after, player)) >= 2:
                _raise_to(10, corner, index, board)


STEPS: tuple[Callable[[Index, Board, Seat], None], ...] = (
    step_1_empty_board,
    step_2_occupied_cells,
    step_3_block,
    step_4_win,
    step_5_center_near_rival,
    step_6_opposite_corner,
    step_7_corner_far_from_rival,
    step_8_row_to_own_corner,
    step_9_column_to_own_corner,
    step_10_two_winner_moves,
)


def choice_index(board: Board, player: Seat) -> Index:
    """The CI of every cell for `player`."""
    index = dict.fromkeys(CELLS, 0)
    for step in STEPS:
        step(index, board, player)
    return index


# The parts of the steps


def _has_token(board: Board, cell: Cell) -> bool:
    return board[cell] is not None


def _raise_to(least: int, cell: Cell, index: Index, board: Board) -> None:
    if not _has_token(board, cell):
        index[cell] = max(index[cell], least)


def _add(more: int, cell: Cell, index: Index, board: Board) -> None:
    if not _has_token(board, cell):
        index[cell] += more


def _winner_moves(board: Board, player: Seat) -> list[Cell]:
    """The empty cell of each line in which `player` has the other two."""
    missing = []
    for line in get_groups().lines:
        empty = [cell for cell in line if not _has_token(board, cell)]
        if len(empty) == 1 and all(board[cell] == player for cell in line if cell != empty[0]):
            missing.append(empty[0])
    return missing


def _row_and_column(cell: Cell) -> list[Line]:
    groups = get_groups()
    return [line for line in groups.rows + groups.columns if cell in line]


def _other_end(line: Line, end: Cell) -> Cell:
    return line[2] if line[0] == end else line[0]


def _add_along(
    along: Sequence[Line], across: Sequence[Line], index: Index, board: Board, player: Seat
) -> None:
    """Add 3 as in steps 8 and 9, which mirror each other: `along` is the corner's line, `across`
    the edge's.
    """
    groups = get_groups()
    for corner in groups.corners:
        (line,) = (line for line in along if corner in line)
        (edge_line,) = (other for other in across if line[1] in other)
        if board[_other_end(line, corner)] == player and not any(
            _has_token(board, cell) for cell in edge_line
        ):
            _add(3, corner, index, board)


# Choosing a cell


def get_random_item_by_probability(items: Sequence[tuple[Item, float]], random: Random) -> Item:
    """One of the (item, probability) pairs; the probabilities add up to 1."""
    point = random.random()
    for item, probability in items:
        point -= probability
        if point < 0:
            return item
    return items[-1][0]  # rounding


def get_random_empty_cell(board: Board, random: Random) -> Cell:
    return random.choice([cell for cell in CELLS if not _has_token(board, cell)])


def get_ideal_cell(board: Board, player: Seat, random: Random) -> Cell:
    """A cell with the highest CI. Ties are broken at random."""
    return random.choice(ideal_cells(board, player))


def ideal_cells(board: Board, player: Seat) -> list[Cell]:
    index = choice_index(board, player)
    highest = max(index.values())
    return [cell for cell in CELLS if index[cell] == highest]


class ChoiceIndex(Bot):
    """The document's player: it plays the ideal cell with probability `chance`, else any empty cell."""

    game = "tic-tac-toe"
    chance: ClassVar[float]

    def choose(self, turn: Turn) -> Cell:
        board = board_of(turn.view["cells"])
        ideal = partial(get_ideal_cell, board, turn.seat, self.random)
        anywhere = partial(get_random_empty_cell, board, self.random)
        get_cell = get_random_item_by_probability(
            [(ideal, self.chance), (anywhere, 1 - self.chance)], self.random
        )
        return get_cell()


class Perfect(Bot):
    """A brain that knows how every position ends. The ideal player of the document can lose when second."""

    game = "tic-tac-toe"

    def choose(self, turn: Turn) -> Cell:
        assert isinstance(turn.position, TicTacToePosition)
        return self.random.choice(perfect_moves(turn.position, turn.seat))


def perfect_moves(position: TicTacToePosition, seat: Seat) -> list[Cell]:
    """The moves with the best result. Of winning moves, the quickest."""
    values = {move: _value(position.play(seat, move), seat) for move in position.legal_moves(seat)}
    best = max(values.values())
    return [move for move, value in values.items() if value == best]


@cache
def _value(position: TicTacToePosition, seat: Seat) -> int:
    """The value of `position` for `seat` under perfect play: 0 for a draw; a sooner end is further from 0."""
    if (outcome := position.outcome) is not None:
        if not outcome.winners:
            return 0
        return 10 if seat in outcome.winners else -10
    (to_move,) = position.to_move
    values = [_value(position.play(to_move, move), seat) for move in position.legal_moves(to_move)]
    value = max(values) if to_move == seat else min(values)
    return value - (value > 0) + (value < 0)


LEVELS = {
    "easy": Bundled(
        "tic_tac_toe:ChoiceIndex",
        "any empty cell, with no thought",
        settings={"chance": 0.0, "pace_seconds": 1.0},
    ),
    "normal": Bundled(
        "tic_tac_toe:ChoiceIndex",
        "the best cell in 7 of 10 moves, else any",
        "002",
        {"chance": 0.7, "pace_seconds": 0.8},
    ),
    "hard": Bundled(
        "tic_tac_toe:ChoiceIndex",
        "always the cell with the highest choice index",
        "002",
        {"chance": 1.0, "pace_seconds": 0.6},
    ),
    "perfect": Bundled("tic_tac_toe:Perfect", "knows how every position ends and never loses"),
    "expert": Bundled(
        "tic_tac_toe:Perfect", "cannot be beaten: plays as perfect", settings={"pace_seconds": 0.4}
    ),
}
