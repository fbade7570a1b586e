"""Games that are in no catalogue: each is one file and one line here, and no other code names it."""

from __future__ import annotations

from tablero_games import Game

from .battleship import Battleship
from .four_corners import FourCorners
from .gomoku import Gomoku

EXAMPLES: list[Game] = [
    Gomoku(),
    Battleship(),
    FourCorners(),
]
