"""Connect Four by case value: each cell gets a number, which is higher if more own tokens are in line with
the cell.

Law: only the cells where a token would land are compared, columns from left to right. The first of equal
cells wins. A "case" is a cell: x columns from the left and y rows from the floor, both from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from tablero_games import Seat
from tablero_games.connect_four import ConnectFourPosition
from tablero_games.position import View

Case: TypeAlias = tuple[int, int]

VALEUR_MAXIMUM = 20
"""The value of completing four. Any other cell has at most 4 · 2² = 16, the sum of its four directions."""

VECTOR_DIRECTION: dict[str, tuple[int, int]] = {
    "horizontale": (1, 0),
    "verticale": (0, 1),
    "diagonale_gauche": (-1, 1),
    "diagonale_droite": (1, 1),
}


class Grille:
    """The tokens on the board. A search drops tokens into the board and lifts them again."""

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns = columns
        self.rows = rows
        self.connect = connect
        self.tokens: dict[Case, Seat] = {}
        self.heights = [0] * columns

    def cases(self) -> list[Case]:
        """The cell where a token would land, for each column that is not full."""
        return [(x, y) for x, y in enumerate(self.heights) if y < self.rows]

    def drop(self, x: int, player: Seat) -> None:
        self.tokens[x, self.heights[x]] = player
        self.heights[x] += 1

    def lift(self, x: int) -> None:
        """Remove the highest token of the column."""
        self.heights[x] -= 1
        del self.tokens[x, self.heights[x]]


def grille_of(view: View) -> Grille:
    grille = Grille(view["columns"], view["rows"], view["connect"])
    for x, stack in enumerate(view["stacks"]):
        for token in stack:
            grille.drop(x, int(token))
    return grille


def move_of(case: Case) -> str:
    """The move that drops a token on the cell."""
    return str(case[0] + 1)


def valeur_maximum(connect: int) -> int:
    """The value of completing a line of `connect`: more than the sum of the four directions of any other
    cell.
    """
    return max(VALEUR_MAXIMUM, 4 * (connect - 2) ** 2 + 4)


def case_value(grille: Grille, x: int, y: int, player: Seat) -> int:
    """The value of the cell for `player`: 0 if it is occupied."""
    if (x, y) in grille.tokens:
        return 0
    valeur = 0
    for direction in VECTOR_DIRECTION:
        compteur = count_alignement(grille, x, y, player, direction)
        if compteur + 1 >= grille.connect:
            valeur += valeur_maximum(grille.connect)
        else:
            valeur += compteur**2
    return valeur


def count_alignement(grille: Grille, x: int, y: int, player: Seat, direction: str) -> int:
    """The number of `player`'s tokens next to the cell in one line, in both directions together."""
    dx, dy = VECTOR_DIRECTION[direction]
    token_on = grille.tokens.get  # returns None outside the board too
    compteur = 0
    i = 1
    while token_on((x + i * dx, y + i * dy)) == player:
        compteur += 1
        i += 1
    i = 1
    while token_on((x - i * dx, y - i * dy)) == player:
        compteur += 1
        i += 1
    return compteur


def choose_best_case(grille: Grille, player: Seat) -> Case:
    """The cell with the highest value for `player`. At least one column must not be full."""
    return max(grille.cases(), key=_value_to(player, grille))


def choose_case_for_opponent(grille: Grille, player: Seat) -> Case:
    """The expected reply of the opponent: the cell with the lowest value for `player`."""
    return min(grille.cases(), key=_value_to(player, grille))


def _value_to(player: Seat, grille: Grille) -> Callable[[Case], int]:
    def value(case: Case) -> int:
        x, y = case
        return case_value(grille, x, y, player)

    return value


def play(position: ConnectFourPosition, us: Seat = 0) -> Iterator[tuple[Case, ConnectFourPosition]]:
    """Play the document's simulated game. Yields each cell played, and the position after it."""
    while position.outcome is None:
        grille = grille_of(position.view(None))
        ours = position.next_seat == us
        case = choose_best_case(grille, us) if ours else choose_case_for_opponent(grille, us)
        position = position.play(position.next_seat, move_of(case))
        yield case, position
