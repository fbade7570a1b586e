"""A player goes on from another device, or with one more, on the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero import connect
from tablero.client.addresses import page
from tablero.full_screen.app import TableroApp, Visit
from tablero.full_screen.dialogs import Confirm
from tablero.full_screen.hand_over import HandOverPage
from tablero.full_screen.table_screen import TableScreen
from tablero.playing.options import Preferences, ScreenOptions
from tablero.table_view.qr_code import half_blocks
from tablero_protocol.messages import QrCode
from tests.harness.client import real_server
from tests.harness.screens import Shown, a_screen, a_table


@pytest.mark.parametrize(("key", "is_the_other"), [("y", True), ("n", False)])
async def test_who_is_somebody_here_already_is_asked(key: str, is_the_other: bool, tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Phone") as phone:
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
            await shown.until(lambda: app.queue is not None)
            assert app.queue is not None
            assert (app.queue.client.player.id == phone.player.id) is is_the_other


def link_on(shown: Shown) -> str:
    screen = shown.app.screen
    assert isinstance(screen, HandOverPage)
    return screen.link


@pytest.mark.parametrize("glyphs", ["safe", "ascii"])
async def test_a_key_shows_a_link_its_code_and_how_long_it_is_good(glyphs: str, tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe", glyphs=glyphs) as (ana, _):
        await ana.press("g")
        await ana.opens(HandOverPage)
        link = link_on(ana)
        assert link.startswith("http://127.0.0.1:")
        await ana.shows(link)
        await ana.shows("The code works once, for ")
        if glyphs == "safe":
            assert ana.app.queue is not None
            answer = await ana.app.queue.client.ask("showQrCode", link=link)
            assert isinstance(answer, QrCode)
            code = half_blocks(answer.modules)
            at = next(at for at, line in enumerate(ana.text.split("\n")) if code[0] in line)
            left = ana.text.split("\n")[at].index(code[0])
            drawn = [line.ljust(80)[left : left + len(code[0])] for line in ana.text.split("\n")[at:]]
            assert drawn[: len(code)] == code
        assert ana.app.screen.query_one("#code").display is (glyphs == "safe")
        await ana.pilot.resize_terminal(100, 60)
        await ana.until(lambda: ana.app.screen.query_one("#code").display)
        await ana.pilot.resize_terminal(80, 12)
        await ana.until(lambda: not ana.app.screen.query_one("#code").display)
        await ana.shows(link)
        await ana.press("escape")
        await ana.opens(TableScreen)


async def test_a_code_that_is_good_no_more_says_so_and_a_key_makes_another(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path, glyphs="safe") as ana:
        await ana.press("h")
        await ana.opens(HandOverPage)
        screen, link = ana.app.screen, link_on(ana)
        assert isinstance(screen, HandOverPage)
        screen._way = screen._way._replace(until=0)
        await ana.shows("The code has expired. g: new code, Esc: back.")
        assert not screen.query_one("#code").display
        await ana.press("g")
        await ana.shows("The code works once, for ")
        assert link_on(ana) != link
        assert screen.query_one("#code").display


async def test_who_comes_by_it_is_the_same_player_and_is_told_of(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "tic-tac-toe") as (ana, ben):
        await ana.press("g")
        await ana.opens(HandOverPage)
        code = link_on(ana).rpartition("=")[2]
        async with connect(url, hand_over=code, device="phone") as phone:
            await ana.shows("You're also on phone now.")
            [room] = phone.rooms.values()
            assert ana.app.queue is not None
            assert phone.player.id == ana.app.queue.client.player.id
            await room.play("b2", 0, 0)
            await ana.until(lambda: ana.ply == 2)
            await ana.shows("You're playing on another device. Move here to take your seat back.")
            await ana.press("7")
            await ana.until(lambda: ana.ply == 4)
            await ana.shows("Your turn.")
            assert ben.room.table.state == "playing"


async def test_a_link_from_elsewhere_is_followed_in_the_lobby(tmp_path: Path) -> None:
    async with real_server() as url, connect(url, name="Phone") as phone, a_screen(url, tmp_path) as ana:
        room = await phone.create_room("tic-tac-toe")
        code = (await phone.hand_over()).code
        link = page(url, f"#go={code}")
        ana.press_at_once("i", *link, "enter")
        await ana.shows("That player would be")
        await ana.press("y")
        await ana.until(lambda: ana.app.queue and ana.app.queue.client.player.id == phone.player.id)
        await ana.until(lambda: any(isinstance(screen, TableScreen) for screen in ana.app.screen_stack))
        assert ana.table.queue.table.room is not None
        assert ana.table.queue.table.room.id == room.id
