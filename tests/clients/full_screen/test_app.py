"""The full screen as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.catalogue.speech import speak
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.full_screen.options import ScreenOptions, load
from tablero.full_screen.palettes import THEMES
from tests.clients.terminal.desk import a_server

from .screens import a_screen, a_table


async def test_themes_and_glyphs_change_at_once_and_are_kept(tmp_path: Path) -> None:
    async with a_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, _):
        for theme in (*list(THEMES)[1:], "dark"):
            await ana.press("t")
            await ana.pilot.pause()
            assert ana.app.theme == theme
        await ana.press("5")
        await ana.shows("[ X ]")
        ana.app.choose_glyphs("safe")
        await ana.until(lambda: ana.table.board.glyphs == "safe")
        kept = load(tmp_path / "screen.toml")
        assert (kept.theme, kept.glyphs) == ("dark", "safe")


async def test_keys_can_be_changed(tmp_path: Path) -> None:
    options = ScreenOptions(keys={"play_computer": "z"})
    async with a_server() as url, a_screen(url, tmp_path, options=options) as ana:
        await ana.press("c")
        assert isinstance(ana.app.screen, LobbyScreen)
        await ana.press("z")
        await ana.shows("Up and down: the game")


async def test_the_palette_has_themes_and_commands(tmp_path: Path) -> None:
    async with a_server() as url, a_screen(url, tmp_path) as ana:
        titles = [command.title for command in ana.app.get_system_commands(ana.app.screen)]
        assert {"Theme: dark", "Glyphs: ascii", "Bell", "tonight", "list"} <= set(titles)
        assert "resign" not in titles


@pytest.mark.parametrize("language", ["fr", "es"])
async def test_it_speaks_other_languages(language: str, tmp_path: Path) -> None:
    speak(language)
    async with a_server() as url, a_table(url, tmp_path, "quoridor") as (ana, _):
        text = ana.text
        assert ("À toi de jouer." if language == "fr" else "Tu turno.").replace("À", "A") in text
        assert ("Mur" if language == "fr" else "Muro") in text.split("\n")[-1]


async def test_one_comes_back_to_a_game_that_goes_on(tmp_path: Path) -> None:
    async with a_server() as url, a_table(url, tmp_path, "quoridor") as (ana, ben):
        ben.plays = False
        await ana.press("enter")
        await ana.shows("Ben to move.")
        room = ben.room.id
        await ana.press("ctrl+c")
        await ana.until(lambda: ana.app._exit)
        await ben.room.play("e8")
        async with a_screen(url, tmp_path) as again:
            await again.until(lambda: again.ply >= 0)
            await again.until(lambda: again.table.table is not None and len(again.table.table.moves()) == 2)
            assert again.table.doings.table.room is not None
            assert again.table.doings.table.room.id == room
