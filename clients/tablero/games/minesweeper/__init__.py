"""The client's knowledge of Minesweeper."""

from __future__ import annotations

from functools import partial

from tablero.catalogue.speech import sentence
from tablero_games.minesweeper.options import LEVELS

from .. import ClientGame, Menu
from .board import MinesweeperBoard, emoji_columns, progress, read_move, side, unseen
from .menu import get_level, run

CLIENT_GAME = ClientGame(
    board=MinesweeperBoard,
    read_move=read_move,
    keys=frozenset({"flag", "chord", "unknown"}),
    hint=sentence("open every cell without a mine"),
    alone={
        "beginner": sentence("alone, 9 by 9 with 10 mines"),
        "intermediate": sentence("alone, 16 by 16 with 40 mines"),
        "expert": sentence("alone, 30 by 16 with 99 mines"),
    },
    against={"mode": "race"},
    side=side,
    progress=progress,
    unseen=unseen,
    menu=Menu(partial(get_level, LEVELS), run),
    emoji_columns=emoji_columns,
)
