"""A player goes on from another device, on the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero import connect
from tablero.full_screen.app import TableroApp, Visit
from tablero.full_screen.dialogs import Confirm
from tablero.full_screen.options import Preferences, ScreenOptions
from tests.clients.terminal.desk import a_server

from .screens import Shown, a_screen


@pytest.mark.parametrize(("key", "is_the_other"), [("y", True), ("n", False)])
async def test_who_is_somebody_here_already_is_asked(key: str, is_the_other: bool, tmp_path: Path) -> None:
    async with a_server() as url, connect(url, name="Phone") as phone:
        async with a_screen(url, tmp_path):
            pass
        code = (await phone.hand_over()).code
        preferences = Preferences(tmp_path / "screen.toml", ScreenOptions())
        visit = Visit(server=url, name="Ana", hand_over=code)
        app = TableroApp(visit, preferences, theme="dark", glyphs="ascii")
        async with app.run_test() as pilot:
            shown = Shown(app, pilot)
            await shown.until(lambda: isinstance(app.screen, Confirm))
            await shown.press(key)
            await shown.until(lambda: app.doings is not None)
            assert app.doings is not None
            assert (app.doings.client.player.id == phone.player.id) is is_the_other
