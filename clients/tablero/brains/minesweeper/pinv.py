"""Minesweeper by the pseudo-inverse of the numbers: the document's bot, with its functions under their names.

Every unknown cell is a variable, 1 for a mine, and every open number is an equation. The solution of least
norm says which cells to flag and which to dig. This is no proof: now and then the bot sets wrong flags.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.bot import Bot, Resign, Turn
from tablero_games.minesweeper.grid import Cell

from .view import GameParam

Matrix = NDArray[np.float64]
Action = tuple[Literal["dig", "flag", "unflag"], Cell]

CERTAIN_MINE = 0.99
CERTAINLY_SAFE = 1e-6
"""Values up to this count as 0. The document says 0, but computed numbers are slightly off."""
NEGLIGIBLE = 1e-10
"""Singular values smaller than this share of the largest count as 0."""


class Matrices(NamedTuple):
    """The equations A * variables = B."""

    A: Matrix
    B: Matrix


def get_cell_ai(height: int, width: int, random: Random) -> Cell:
    """A random cell."""
    x = random.randrange(width)
    y = random.randrange(height)
    return y * width + x


def get_variables(game_param: GameParam) -> list[Cell]:
    """The cells that are neither open nor flagged, the highest row first."""
    width = game_param.width
    return [
        cell
        for y in reversed(range(game_param.height))
        for cell in range(y * width, (y + 1) * width)
        if cell not in game_param.revealed and cell not in game_param.flagged
    ]


def get_matrix_A_B(game_param: GameParam, variables: Sequence[Cell]) -> Matrices:  # noqa: N802
    """One line for each open number beside a variable. If there is any such line, one more line for the
    number of all mines.
    """
    index = {variable: at for at, variable in enumerate(variables)}
    lines: list[tuple[list[int], int]] = []
    for y in reversed(range(game_param.height)):
        for cell in range(y * game_param.width, (y + 1) * game_param.width):
            if cell in game_param.revealed:
                neighbors = game_param.grid.around[cell]
                surrounding_variables = [index[neighbor] for neighbor in neighbors if neighbor in index]
                flag = sum(neighbor in game_param.flagged for neighbor in neighbors)
                if surrounding_variables:
                    lines.append((surrounding_variables, max(0, game_param.map[cell] - ord("0") - flag)))
    if lines:
        lines.append((list(range(len(variables))), max(0, game_param.nb_bombs - len(game_param.flagged))))
    a = np.zeros((len(lines), len(variables)))
    for line, (columns, _) in zip(a, lines, strict=True):
        line[columns] = 1
    return Matrices(a, np.array([mines for _, mines in lines], dtype=np.float64))


def pinv(a: Matrix, b: Matrix) -> Matrix:
    """The pseudo-inverse of A times B. Equal columns have equal values and are computed once."""
    columns, which, counts = np.unique(a, axis=1, return_inverse=True, return_counts=True)
    weights = np.sqrt(counts)
    together: Matrix = np.linalg.pinv(columns * weights, rcond=NEGLIGIBLE) @ b
    values: Matrix = (together / weights)[which]
    return values


def get_cells_actions(game_param: GameParam, variables: Sequence[Cell], matrix: Matrix) -> list[Action]:
    """The actions for variables beside an open cell: flag values near 1, dig values of 0 or less."""
    cells_actions: list[Action] = []
    for cell, number in zip(variables, matrix, strict=True):
        if is_frontier(game_param, cell):
            if number >= CERTAIN_MINE:
                cells_actions.append(("flag", cell))
            elif number <= CERTAINLY_SAFE:
                cells_actions.append(("dig", cell))
    if len(variables) == 1 and not cells_actions:
        cells_actions.append(("dig", variables[0]))
    return cells_actions


def is_frontier(game_param: GameParam, cell: Cell) -> bool:
    """Whether an open cell touches this one."""
    return any(neighbor in game_param.revealed for neighbor in game_param.grid.around[cell])


class Pinv(Bot):
    """The document's `run_ai`, one move at a time. Where its loop would never end, this brain guesses."""

    game = "minesweeper"
    pace_seconds = 0.6  # with its flags, some 30, 120 and 310 moves on the fields of the three levels

    def __init__(self) -> None:
        self.guess = False
        """Whether the last dig was a guess."""
        self._actions: list[Action] = []
        """Moves decided together and not yet played."""
        self._flagged_before: set[Cell] = set()
        """The cells flagged so far. Each is flagged only once; otherwise wrong flags would come and go
        without end.
        """

    def choose(self, turn: Turn) -> str | None:
        game_param = GameParam.of(turn.view)
        self._flagged_before |= game_param.flagged
        self._actions = [action for action in self._actions if _can_be_done(game_param, action)]
        if not self._actions:
            self.guess = False
            self._actions = self.run_ai(game_param)
        if not self._actions:
            return None
        action, cell = self._actions[0]
        return game_param.grid.moves[action][cell]

    def run_ai(self, game_param: GameParam) -> list[Action]:
        """One round of the document's loop: the actions until it computes again."""
        variables = get_variables(game_param)
        if not variables:  # a flag is wrong, or the game would be over
            return [("unflag", cell) for cell in sorted(game_param.flagged)]
        if not game_param.revealed:
            return [("dig", self._first_cell(game_param))]
        matrices = get_matrix_A_B(game_param, variables)
        if not len(matrices.A):
            return [("dig", self._guess_anywhere(variables))]
        matrix = pinv(matrices.A, matrices.B)
        actions = [
            (action, cell)
            for action, cell in get_cells_actions(game_param, variables, matrix)
            if action == "dig" or cell not in self._flagged_before
        ]
        return actions or [("dig", self._guess_beside_numbers(game_param, variables, matrix))]

    def _first_cell(self, game_param: GameParam) -> Cell:
        while True:
            cell = get_cell_ai(game_param.height, game_param.width, self.random)
            if cell not in game_param.flagged:
                return cell

    def _guess_anywhere(self, variables: Sequence[Cell]) -> Cell:
        """Guess where no variable is beside an open cell."""
        self.guess = True
        return self.random.choice(variables)

    def _guess_beside_numbers(self, game_param: GameParam, variables: Sequence[Cell], matrix: Matrix) -> Cell:
        """The variable with the smallest value beside an open cell; of equal ones the lowest, then the
        leftmost.
        """
        self.guess = True
        values = zip(matrix, variables, strict=True)
        return min((round(float(value), 6), cell) for value, cell in values if is_frontier(game_param, cell))[
            1
        ]


class PinvStrict(Pinv):
    """The same bot, which resigns where the document's loop would never end."""

    level = "pinv-strict"

    def run_ai(self, game_param: GameParam) -> list[Action]:
        actions = super().run_ai(game_param)
        if self.guess:
            raise Resign
        return actions


def _can_be_done(game_param: GameParam, action: Action) -> bool:
    """Whether the action is still possible: not done yet, and the cell not opened by a flood or a rival."""
    choice, cell = action
    if choice == "unflag":
        return cell in game_param.flagged
    return cell not in game_param.revealed and cell not in game_param.flagged
