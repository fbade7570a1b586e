"""What the screens look like: boards, the lobby, dialogs, a replay, at three sizes and in every theme.

WRITE=1 pytest tests/clients/full_screen/test_pictures.py   writes them anew
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablero import connect
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.full_screen.palettes import THEMES
from tablero.full_screen.replaying import ReplayScreen
from tablero_games import GAMES
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen, a_table
from tests.harness.tiers import FULL

PLACE = Path(__file__).with_name("pictures")
SIZES = ((40, 14), (80, 24), (132, 43))
MOVES = {
    "tic-tac-toe": ("b2", "a1"),
    "connect-four": ("4", "3"),
    "dots-and-boxes": ("a1h", "a1v"),
    "quoridor": ("e3h", "e8"),
}

KEYS: dict[str, tuple[str, ...]] = {
    "lobby": (),
    "computer": ("c",),
    "create": ("n",),
    "join": ("i",),
    "leaderboard": ("b",),
    "filter": ("f",),
    "servers": ("o",),
    "command": ("colon",),
    "help": ("question_mark",),
}
PICTURES = [*GAMES, *KEYS, "replay"]


def screen_on(shown: Shown) -> str:
    """As if the port were always the same."""
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8470", shown.text)


def themes_of(name: str) -> list[str]:
    """Two themes for a picture, so that all pictures together have each; with FULL=1 all themes."""
    themes = list(THEMES)
    first = PICTURES.index(name)
    return themes if FULL else [themes[(first + each) % len(themes)] for each in range(2)]


async def in_themes(shown: Shown, picture: Callable[[Shown], str], name: str) -> str:
    """At three sizes; a theme changes colours alone, which FULL=1 sees at each of them."""
    pictures = []
    for size in SIZES:
        await shown.pilot.resize_terminal(*size)
        await shown.settles()
        seen = {picture(shown)}
        for theme in themes_of(name) if FULL or size == (40, 14) else ():
            shown.app.theme = theme
            await shown.pilot.pause()
            seen.add(picture(shown))
        assert len(seen) == 1, "a theme changes colours alone"
        pictures.append(f"{size[0]} by {size[1]}\n\n{seen.pop()}\n")
    return "\n".join(pictures)


async def compare(name: str, shown: Shown, picture: Callable[[Shown], str]) -> None:
    whole = await in_themes(shown, picture, name)
    file = PLACE / f"{name}.txt"
    if os.environ.get("WRITE"):
        PLACE.mkdir(exist_ok=True)
        file.write_text(whole, "utf-8")
    assert whole == file.read_text("utf-8")


def board_on(shown: Shown) -> str:
    region = shown.table.board.region
    lines = shown.text.split("\n")[region.y : region.y + region.height]
    return "\n".join(line[region.x : region.x + region.width].rstrip() for line in lines)


@asynccontextmanager
async def in_mid_game(game: str, url: str, home: Path) -> AsyncIterator[Shown]:
    if game == "minesweeper":
        async with a_screen(url, home) as ana:
            assert ana.app.queue is not None
            ana.app.queue.type("create minesweeper")
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
    async with real_server() as url, in_mid_game(game, url, tmp_path) as ana:
        await ana.until(lambda: ana.table.board._drop == 0)
        await compare(game, ana, board_on)


@pytest.mark.parametrize("name", KEYS)
async def test_a_screen_looks_like_this(name: str, tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Ben") as ben, a_screen(url, tmp_path) as ana:
        await ben.create_room("quoridor")
        await ana.shows("Ben - free")
        await ana.press(*KEYS[name])
        await compare(name, ana, screen_on)


async def test_a_replay_looks_like_this(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "connect-four") as (ana, ben):
        ben.plays = False
        await ana.press("4")
        await ana.goes_beyond(0)
        await ben.room.play("3")
        await ana.goes_beyond(1)
        await ben.room.resign()
        await ana.shows("You win (resign).")
        await ana.press("q")
        await ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))
        ana.press_at_once("e", *ben.room.id, "enter")
        await ana.opens(ReplayScreen)
        await ana.press("end")
        await ana.shows("Move 3 of 3")
        await compare("replay", ana, screen_on)


async def test_no_size_is_too_small_or_too_large_for_minesweeper_and_dialogs(tmp_path: Path) -> None:
    sizes = [(1, 1), (2, 3), (20, 5), (60, 20), (250, 80), (80, 24)]
    async with real_server() as url, in_mid_game("minesweeper", url, tmp_path) as ana:
        for key in ("escape", "question_mark", "g", "q"):
            await ana.press(key)
            await ana.pilot.pause()
            for size in sizes:
                await ana.pilot.resize_terminal(*size)
                await ana.pilot.pause()
            await ana.press("escape")
        await ana.shows("mines left: 9")
