"""Terminal, browser and bot at one table: a seat goes from the terminal to a browser and back."""

from __future__ import annotations

from pathlib import Path

from tablero.client.addresses import page, websocket_url
from tablero.full_screen.hand_over import HandOverPage
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.playing.orders import NewTable
from tests.harness.browser import PHONE, address, browsers, expect, served
from tests.harness.screens import a_screen


async def test_a_seat_goes_to_a_browser_and_back(tmp_path: Path) -> None:
    async with served(bots=True) as server, browsers() as people:
        url = websocket_url(address(server.port))
        async with a_screen(url, tmp_path) as ana:
            lobby = ana.app.screen
            assert isinstance(lobby, LobbyScreen)
            lobby.queue.give(lobby._play, NewTable(game="connect-four", level="easy"))
            await ana.until(lambda: ana.ply >= 0)
            await ana.until(lambda: ana.table.table and ana.table.table.is_our_turn)
            before = ana.ply
            await ana.press("1")
            await ana.until(lambda: ana.ply >= before + 2)

            room = ana.table.queue.table.room
            assert room is not None
            looks_on = await people.page(page(url, f"watch/{room.id}"))
            await expect(looks_on.get_by_text("You're watching.")).to_be_visible()

            await ana.press("g")
            await ana.opens(HandOverPage)
            shown = ana.app.screen
            assert isinstance(shown, HandOverPage)
            phone = await people.page(shown.link, **PHONE)
            await phone.get_by_role("button", name="Continue here").tap()
            await ana.shows("You're also on ")
            before = ana.ply
            await phone.get_by_role("gridcell", name="Column 2").tap()
            await ana.until(lambda: ana.ply >= before + 2)

            await phone.get_by_role("button", name="More").tap()
            await phone.get_by_role("button", name="Continue on another device").tap()
            link = await phone.get_by_role("dialog").get_by_label("Link", exact=True).input_value()
            async with a_screen(url, tmp_path / "elsewhere", name="Else") as other:
                other.press_at_once("i", *link, "enter")
                await other.shows("Cancel")
                await other.press("y")
                await other.until(lambda: other.ply >= 0)
                assert other.table.queue.client.player.id == ana.table.queue.client.player.id
                before = other.ply
                await other.press("3")
                await other.until(lambda: other.ply >= before + 2)
                await ana.until(lambda: ana.ply == other.ply)
            before = ana.ply
            await ana.press("4")
            await ana.goes_beyond(before)
