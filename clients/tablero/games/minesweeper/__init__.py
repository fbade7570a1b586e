"""The client's knowledge of Minesweeper."""

from __future__ import annotations

from functools import partial

from tablero.catalogue.speech import sentence
from tablero_games.minesweeper.options import LEVELS

from .. import ClientGame, Lesson, Menu
from .board import MinesweeperBoard, emoji_columns, progress, read_move, side, unseen, why
from .menu import get_level, run

_SMALL = {"width": 5, "height": 5, "mines": 4}
_SEED = 16
LESSONS = (
    Lesson(
        told=sentence("Open every cell without a mine. The first one you open is always safe."),
        asked=sentence("Open the cell in the middle."),
        praised=sentence("No mine is near this cell, so all cells around it opened by themselves."),
        otherwise=sentence("Please open c3, the cell in the middle."),
        right="dig c3",
        by={
            "mouse": sentence("Click the cell."),
            "touch": sentence("Tap the cell."),
            "keys": sentence("Go to the cell with the arrow keys, then press Enter."),
        },
        options=_SMALL,
        seed=_SEED,
    ),
    Lesson(
        told=sentence("A number counts the mines around it. The 1 on b2 touches one covered cell."),
        asked=sentence("So a3 is a mine. Put a flag on it."),
        praised=sentence("A flag reminds you of a mine, and protects you from opening it."),
        otherwise=sentence("Look at b2: its only covered neighbour is a3. Flag that cell."),
        right="flag a3",
        by={
            "mouse": sentence("Click it with the right button."),
            "touch": sentence("Hold your finger on the cell."),
            "keys": sentence("Go to the cell with the arrow keys, then press f."),
        },
        moves=("dig c3",),
        options=_SMALL,
        seed=_SEED,
    ),
    Lesson(
        told=sentence("The 1 on b3 has its mine: a3. So the other cells around b3 are safe."),
        asked=sentence("Open a4."),
        praised=sentence("Safe, as the numbers said."),
        otherwise=sentence("Careful: only a4 is known to be safe. A mine ends the game."),
        right="(dig a4|chord b3)",
        moves=("dig c3", "flag a3"),
        options=_SMALL,
        seed=_SEED,
    ),
    Lesson(
        told=sentence("The 2 on b4 has both of its flags: the other cells around it are safe."),
        asked=sentence("Open all those cells at once: play the 2 itself."),
        praised=sentence("Three cells in one move."),
        otherwise=sentence("Use the number 2 on b4 itself."),
        right="chord b4",
        by={
            "mouse": sentence("Click the number."),
            "touch": sentence("Tap the number."),
            "keys": sentence("Go to the number, then press c."),
        },
        moves=("dig c3", "flag a3", "flag c5"),
        options=_SMALL,
        seed=_SEED,
    ),
    Lesson(
        told=sentence("You win when every cell without a mine is open, with or without flags."),
        asked=sentence("Open the last safe cell."),
        praised=sentence("You win. In a race, the first player to open all safe cells wins."),
        otherwise=sentence("The last safe cell is in the corner at the top right: e5."),
        right="(dig e5|chord [de]4)",
        moves=("dig c3", "flag a3", "flag c5", "flag d5", "flag e3", "chord b4", "dig e4"),
        options=_SMALL,
        seed=_SEED,
    ),
    Lesson(
        told=sentence("Now you know it all."),
        asked=sentence("Flag or open any cell."),
        praised=sentence("That's how to play. Have fun!"),
        by={
            "mouse": sentence("Click: open, right click: flag, number: open around it; or arrows, Enter, f."),
            "touch": sentence("A tap opens, a long press flags. “Flags” makes taps flag."),
            "keys": sentence("Enter opens, f flags, c opens around a number, n goes to the next cell."),
        },
        moves=("dig c3",),
        options=_SMALL,
        seed=_SEED,
    ),
)

CLIENT_GAME = ClientGame(
    board=MinesweeperBoard,
    read_move=read_move,
    keys=frozenset({"flag", "chord", "unknown"}),
    hint=sentence("open every cell without a mine"),
    levels=frozenset({"pinv-strict"}),
    alone={
        "beginner": sentence("alone, 9 by 9 with 10 mines"),
        "intermediate": sentence("alone, 16 by 16 with 40 mines"),
        "expert": sentence("alone, 30 by 16 with 99 mines"),
    },
    against={"mode": "race"},
    side=side,
    progress=progress,
    unseen=unseen,
    why=why,
    menu=Menu(partial(get_level, LEVELS), run),
    emoji_columns=emoji_columns,
    lessons=LESSONS,
)
