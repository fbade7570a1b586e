"""Connect Four boards for tests of brains, from drawings (top row first, seat 0 is X)."""

from __future__ import annotations

from random import Random
from typing import Any

from tablero import Turn
from tablero.brains.connect_four.case_value import Grille, grille_of
from tablero_games import GAMES
from tablero_games.connect_four import ConnectFourPosition
from tablero_protocol.messages import NextPlayer

GAME = GAMES["connect-four"]
SIZES: list[dict[str, Any]] = [
    {},
    {"columns": 4, "rows": 4, "connect": 3},
    {"columns": 4, "rows": 12, "connect": 5},
    {"columns": 12, "rows": 4, "connect": 12},
    {"columns": 9, "rows": 5, "connect": 6},
]


def grille(drawing: str, connect: int = 4) -> Grille:
    """A board with the drawn rows and columns, for either player to move."""
    rows = drawing.split()
    drawn = Grille(len(rows[0]), len(rows), connect)
    for y, row in enumerate(reversed(rows)):
        for x, token in enumerate(row):
            if token != ".":
                assert drawn.heights[x] == y, f"a token floats in {drawing}"
                drawn.drop(x, "XO".index(token))
    return drawn


def a_turn(drawing: str, connect: int = 4) -> Turn:
    """The turn of the player to move on the drawn board."""
    board = grille(drawing, connect)
    stacks = ["".join(str(board.tokens[x, y]) for y in range(high)) for x, high in enumerate(board.heights)]
    options = {"columns": board.columns, "rows": board.rows, "connect": connect}
    position = GAME.from_view({**options, "stacks": stacks})
    (seat,) = position.to_move
    ply = len(board.tokens)
    event = NextPlayer(
        room="r", seq=ply, ply=ply, seats=[seat], seat=seat, view=position.view(seat), last=None
    )
    return Turn(event, GAME.name, options)


def random_positions(seed: int, count: int, **options: Any) -> list[ConnectFourPosition]:
    """Positions of random games that are not over."""
    dice = Random(seed)
    found: list[ConnectFourPosition] = []
    while len(found) < count:
        position = GAME.start(**options)
        assert isinstance(position, ConnectFourPosition)
        while position.outcome is None and len(found) < count:
            found.append(position)
            seat = position.next_seat
            position = position.play(seat, dice.choice(position.legal_moves(seat)))
    return found


def grille_at(position: ConnectFourPosition) -> Grille:
    return grille_of(position.view(None))
