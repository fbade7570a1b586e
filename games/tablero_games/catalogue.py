"""Every game by name: a new game is one rules file, its test file, and one line here."""

from __future__ import annotations

from .connect_four import ConnectFour
from .dots_and_boxes import DotsAndBoxes
from .minesweeper.rules import Minesweeper
from .position import Game
from .quoridor.rules import Quoridor
from .tic_tac_toe import TicTacToe

_GAMES: list[Game] = [
    TicTacToe(),
    ConnectFour(),
    DotsAndBoxes(),
    Quoridor(),
    Minesweeper(),
]
GAMES: dict[str, Game] = {game.name: game for game in _GAMES}
