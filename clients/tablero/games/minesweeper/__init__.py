"""What a client knows of Minesweeper."""

from __future__ import annotations

from .. import ClientGame
from .board import MinesweeperBoard
from .notation import read_move

CLIENT_GAME = ClientGame(board=MinesweeperBoard, read_move=read_move)
