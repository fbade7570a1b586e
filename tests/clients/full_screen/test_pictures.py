"""What the boards look like on the screen: each game at three sizes, the same in every theme.

WRITE=1 pytest tests/clients/full_screen/test_pictures.py   writes them anew
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablero.full_screen.palettes import THEMES
from tablero_games import GAMES
from tests.clients.terminal.desk import a_server

from .screens import Shown, a_screen, a_table

PLACE = Path(__file__).with_name("pictures")
SIZES = ((40, 14), (80, 24), (132, 43))
MOVES = {
    "tic-tac-toe": ("b2", "a1"),
    "connect-four": ("4", "3"),
    "dots-and-boxes": ("a1h", "a1v"),
    "quoridor": ("e3h", "e8"),
}


def board_on(shown: Shown) -> str:
    region = shown.table.board.region
    lines = shown.text.split("\n")[region.y : region.y + region.height]
    return "\n".join(line[region.x : region.x + region.width].rstrip() for line in lines)


@asynccontextmanager
async def in_mid_game(game: str, url: str, home: Path) -> AsyncIterator[Shown]:
    if game == "minesweeper":
        async with a_screen(url, home) as ana:
            assert ana.app.doings is not None
            ana.app.doings.type("create minesweeper")
            await ana.until(lambda: ana.ply >= 0)
            await ana.types("flag c4")
            await ana.goes_beyond(0)
            yield ana
        return
    async with a_table(url, home, game) as (ana, ben):
        ben.plays = False
        ours, theirs = MOVES[game]
        await ana.types(ours)
        await ana.goes_beyond(0)
        await ben.room.play(theirs)
        await ana.goes_beyond(1)
        yield ana


@pytest.mark.parametrize("game", GAMES)
async def test_a_board_looks_like_this(game: str, tmp_path: Path) -> None:
    file = PLACE / f"{game}.txt"
    pictures: list[str] = []
    async with a_server() as url, in_mid_game(game, url, tmp_path) as ana:
        for size in SIZES:
            await ana.pilot.resize_terminal(*size)
            await ana.until(lambda: ana.table.board._drop == 0)
            seen = set()
            for theme in THEMES:
                ana.app.theme = theme
                await ana.pilot.pause()
                seen.add(board_on(ana))
            assert len(seen) == 1, "a theme changes colours alone"
            pictures.append(f"{size[0]} by {size[1]}\n\n{seen.pop()}\n")
    whole = "\n".join(pictures)
    if os.environ.get("WRITE"):
        PLACE.mkdir(exist_ok=True)
        file.write_text(whole, "utf-8")
    assert whole == file.read_text("utf-8")
