"""The way to a server, and what to do where there is none."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tablero import connect
from tablero.client.dns_answers import FoundServer
from tablero.full_screen import way_in
from tablero.full_screen.app import TableroApp, Visit
from tablero.full_screen.dialogs import AskLine, Choose, Confirm
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.playing import nearby
from tablero.playing.options import Preferences, ScreenOptions
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen, a_table


def nowhere() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"ws://127.0.0.1:{free.getsockname()[1]}/ws"


def app_for(url: str, home: Path) -> TableroApp:
    preferences = Preferences(home / "screen.toml", ScreenOptions())
    return TableroApp(Visit(server=url, name="Ana"), preferences, theme="dark", glyphs="ascii")


class PretendedServer:
    """Begins at once, because a real one listens there already."""

    def __init__(self) -> None:
        self.is_running = False

    async def start(self, url: str) -> None:
        self.is_running = True

    async def stop(self) -> None:
        self.is_running = False


async def test_with_nothing_running_one_is_offered(tmp_path: Path) -> None:
    app = app_for(nowhere(), tmp_path)
    async with app.run_test() as pilot:
        shown = Shown(app, pilot)
        await shown.shows("No server is running on this computer.")
        assert "Start a server here, with bots, and play" in shown.text
        await shown.press("down", "down", "down", "enter")
        await shown.until(lambda: not app.is_running or app._exit)
    assert app.return_value == 0


async def test_servers_of_the_network_are_listed_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with real_server() as url:
        port = int(url.rpartition(":")[2].partition("/")[0])
        found = FoundServer("Ben's den", port, ("127.0.0.1",), "/", False)
        monkeypatch.setattr(nearby, "find", lambda seconds: [found])
        app = app_for(nowhere(), tmp_path)
        async with app.run_test() as pilot:
            shown = Shown(app, pilot)
            await shown.shows(f"Ben's den 127.0.0.1:{port}")
            await shown.press("end", "enter")
            await shown.until(lambda: isinstance(app.screen, LobbyScreen))
            assert app.visit.server == url


async def test_it_begins_and_ends_with_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with real_server() as url:
        began: list[PretendedServer] = []

        class Begins(PretendedServer):
            async def start(self, address: str) -> None:
                began.append(self)
                app.visit = Visit(server=url, name="Ana")
                await super().start(address)

        monkeypatch.setattr(way_in, "LocalServer", Begins)
        app = app_for(nowhere(), tmp_path)
        async with app.run_test() as pilot:
            shown = Shown(app, pilot)
            await shown.shows("Start a server here")
            await shown.press("enter")
            await shown.until(lambda: isinstance(app.screen, LobbyScreen))
            async with connect(url, name="Ben"):
                await shown.shows("Ben")
                await shown.press("q")
                await shown.shows("Still on your server: Ben.")
                await shown.press("n")
                assert began[0].is_running
            await shown.until(lambda: isinstance(app.screen, LobbyScreen) and "Ben" not in shown.text)
            await shown.press("q")
            await shown.until(lambda: app._exit)
        assert not began[0].is_running


async def test_without_the_servers_packages_a_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(way_in, "missing_for_a_server", lambda: "aiohttp")
    app = app_for(nowhere(), tmp_path)
    async with app.run_test() as pilot:
        shown = Shown(app, pilot)
        await shown.shows("pip install 'tablero[server]'")
        assert "Start a server here" not in shown.text


async def test_a_passphrase_is_asked_for(tmp_path: Path) -> None:
    async with real_server(entry="passphrase", passphrase="open sesame") as url:
        app = app_for(url, tmp_path)
        async with app.run_test() as pilot:
            shown = Shown(app, pilot)
            await shown.until(lambda: isinstance(app.screen, AskLine))
            await shown.press(*"open", "space", *"sesame", "enter")
            await shown.until(lambda: isinstance(app.screen, LobbyScreen))


async def test_one_goes_to_another_server_and_it_is_remembered(tmp_path: Path) -> None:
    async with real_server() as one, real_server() as other, a_screen(one, tmp_path) as ana:
        await ana.press("o")
        await ana.until(lambda: isinstance(ana.app.screen, Choose))
        await ana.press("end", "enter")
        await ana.until(lambda: isinstance(ana.app.screen, AskLine))
        await ana.press(*"nonsense", "colon", *"//x", "enter")
        await ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))
        await ana.press("o", "end", "enter")
        await ana.until(lambda: isinstance(ana.app.screen, AskLine))
        address = other.removeprefix("ws://").removesuffix("/ws")
        await ana.press(*address.replace(":", "|").replace("|", "\0").split("\0")[0])
        await ana.press("colon", *address.rpartition(":")[2], "enter")
        await ana.until(lambda: ana.app.preferences.options.servers[:2] == (other, one))


async def test_leaving_the_program_in_a_game_asks(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, _):
        await ana.press("ctrl+q")
        await ana.until(lambda: isinstance(ana.app.screen, Confirm))
        await ana.press("n")
        assert not ana.app._exit
        await ana.press("ctrl+c")
        await ana.until(lambda: ana.app._exit)
