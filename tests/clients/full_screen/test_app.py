"""The full screen as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero import connect
from tablero.catalogue.speech import speak
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.full_screen.palettes import THEMES
from tablero.playing.options import ScreenOptions, load
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen, a_table


async def test_themes_and_glyphs_change_at_once_and_are_kept(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, _):
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
    async with real_server() as url, a_screen(url, tmp_path, options=options) as ana:
        await ana.press("c")
        assert isinstance(ana.app.screen, LobbyScreen)
        await ana.press("z")
        await ana.shows("Up and down: game")


async def test_the_palette_has_themes_and_commands(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        titles = [command.title for command in ana.app.get_system_commands(ana.app.screen)]
        assert {"Theme: dark", "Glyphs: ascii", "Bell", "tonight", "list"} <= set(titles)
        assert "resign" not in titles
        await ana.press("ctrl+p")
        await ana.shows("Search for a command")
        await ana.press(*"theme", "space", *"light", "down", "enter")
        await ana.until(lambda: ana.app.theme == "light")


@pytest.mark.parametrize("language", ["fr", "es"])
async def test_it_speaks_other_languages(language: str, tmp_path: Path) -> None:
    speak(language)
    async with real_server() as url, a_table(url, tmp_path, "quoridor") as (ana, _):
        text = ana.text
        assert ("À toi de jouer." if language == "fr" else "Tu turno.").replace("À", "A") in text
        assert ("Mur" if language == "fr" else "Muro") in text.split("\n")[-1]


async def test_one_comes_back_to_a_game_that_goes_on(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "quoridor") as (ana, ben):
        ben.plays = False
        await ana.press("enter")
        await ana.shows("Ben to move.")
        room = ben.room.id
        await ana.press("ctrl+c")
        await ana.until(lambda: ana.app._exit)
        await ben.room.play("e8")
        async with a_screen(url, tmp_path) as again:
            await again.until(lambda: again.ply >= 0)
            await again.until(lambda: again.table.table is not None and len(again.table.table.moments) == 3)
            assert again.table.queue.table.room is not None
            assert again.table.queue.table.room.id == room


def written_by(ana: Shown, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is sent to the terminal from now on, but for the shape of the mouse."""
    sent: list[str] = []
    monkeypatch.setattr(
        ana.app._driver, "write", lambda text: None if text.startswith("\x1b]22;") else sent.append(text)
    )
    return sent


@pytest.mark.parametrize(
    ("program", "note"), [("xterm", ""), ("WezTerm", "\x1b]9;Tic-tac-toe: Your turn.\x07"), ("tmux", "")]
)
async def test_a_turn_rings_and_shows_a_note_where_the_terminal_knows_how(
    program: str, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM_PROGRAM", program)
    monkeypatch.setenv("TERM", "xterm-256color")
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        ben.plays = False
        sent = written_by(ana, monkeypatch)
        await ana.press("5")
        await ana.shows("Ben to move.")
        assert sent == []
        await ben.room.play("a1")
        await ana.until(lambda: ana.ply == 2)
        assert sent == [f"{note}\x07"]
        await ben.room.say("Hello")
        await ana.shows("Ben: Hello")
        await ana.press("m")
        assert ana.app.preferences.options.bell == "on"
        await ben.room.say("again")
        await ana.shows("Ben: again")
        assert len(sent) == 2


async def test_an_invitation_rings_in_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        real_server() as url,
        connect(url, name="Ben") as ben,
        a_screen(url, tmp_path, options=ScreenOptions(bell="on")) as ana,
    ):
        await ana.shows("Play the computer")
        sent = written_by(ana, monkeypatch)
        room = await ben.create_room("tic-tac-toe")
        assert ana.app.queue is not None
        await ben.invite(room, 1, player=ana.app.queue.client.player.id)
        await ana.shows("Ben invites you")
        await ana.until(lambda: sent == ["\x07"])
