"""Looking for somebody to play with: what, how long already, and what to do meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

from tablero_protocol.messages import RATED_CLOCK
from tests.harness.browser import PHONE, address, browsers, expect, served
from tests.harness.proxy import a_proxy
from tests.harness.web.guests import a_guest, a_site
from tests.harness.web.tables import state
from tests.harness.wire import PATIENCE, Wire, a_server


async def choose(page: Any, game: str, clock: str | None = None) -> None:
    """By the form, without the computer."""
    await page.get_by_role("button", name="Choose a game and a clock").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("radio", name=game).check(force=True)
    if clock is not None:
        await dialog.get_by_label("Clock").select_option(label=clock)
    await dialog.get_by_label("Play the computer if no one joins").uncheck()
    await dialog.get_by_role("button", name="Play now").click()


async def seeks(wire: Wire) -> list[dict[str, Any]]:
    """What the lobby tells, as soon as somebody seeks something."""
    async with asyncio.timeout(PATIENCE):
        while not (standing := (await wire.ask("watchLobby"))["seeks"]):
            pass
    return list(standing)


async def test_what_is_chosen_is_sought_and_remembered_on_this_device() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port), **PHONE)
        await choose(page, "Connect Four", "5 min")
        [seek] = await seeks(eve)
        assert (seek["game"], seek["clock"], seek["bots"]) == (
            "connect-four",
            {"base": 300, "increment": 0},
            False,
        )
        await expect(page.get_by_text("Connect Four · 5 min", exact=True)).to_be_visible()
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        await page.reload()
        await expect(page.get_by_text("Connect Four · 5 min", exact=True)).to_be_visible()
        await page.get_by_role("button", name="Play now").click()
        await eve.ask("seek", game="connect-four", clock={"base": 300})
        await expect(page.get_by_role("heading", name="Connect Four · 7 × 6 · 5 min")).to_be_visible()


async def test_a_race_can_be_sought_and_has_no_stakes() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port))
        await choose(page, "Minesweeper")
        [seek] = await seeks(eve)
        assert (seek["game"], seek["options"]["mode"]) == ("minesweeper", "race")
        await page.get_by_role("button", name="Choose a game and a clock").click()
        await expect(page.get_by_label("Rated games only")).to_be_hidden()
        slow = page.get_by_role("dialog").locator("option", has_text="30 s a move")
        await expect(slow).to_have_attribute("disabled", "")


async def test_a_rated_game_is_sought_with_the_clock_that_every_client_proposes() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Choose a game and a clock").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("radio", name="Quoridor").check(force=True)
        await dialog.get_by_label("Rated games only").check()
        await dialog.get_by_role("button", name="Play now").click()
        [seek] = await seeks(eve)
        assert (seek["rated"], seek["clock"]) == (True, RATED_CLOCK.model_dump(exclude_none=True))


async def test_another_game_takes_the_place_of_what_was_sought() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Play now").click()
        [any_game] = await seeks(eve)
        assert "game" not in any_game
        await choose(page, "Quoridor")
        async with asyncio.timeout(PATIENCE):
            while [seek.get("game") for seek in await seeks(eve)] != ["quoridor"]:
                pass


async def test_a_seek_in_the_lobby_says_its_clock_and_is_met_by_a_tap() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port))
        await eve.ask("seek", game="quoridor", options={"size": 5}, clock={"base": 180, "increment": 2})
        await expect(
            page.get_by_text("eve wants to play Quoridor · 5 × 5 · 3 min + 2 s a move")
        ).to_be_visible()
        await page.get_by_role("button", name="Play eve").click()
        await expect(page.get_by_role("heading", name="Quoridor · 5 × 5 · 3 min")).to_be_visible()


async def test_after_a_while_the_computer_is_offered_in_their_place() -> None:
    async with served(bots=True) as server, browsers() as people:
        page = await people.page(server.url)
        await expect(page.get_by_text("Bots: 1")).to_be_visible()
        await page.clock.install()
        await choose(page, "Connect Four")
        instead = page.get_by_role("button", name="Play the computer instead")
        await expect(page.get_by_role("timer")).to_have_text("0 s")
        await page.clock.run_for(5_000)
        await expect(page.get_by_role("timer")).to_have_text("5 s")
        await expect(instead).to_be_hidden()
        await page.clock.run_for(6_000)
        await instead.click()
        await expect(page.get_by_role("heading", name="Connect Four")).to_be_visible()
        await expect(page.get_by_text("bot, normal")).to_be_visible()
        await page.clock.resume()
        await expect(state(page)).to_contain_text("Your turn")


async def test_a_seek_outlives_a_line_that_was_cut() -> None:
    async with (
        a_server(seconds=60) as server,
        a_proxy(server.port) as proxy,
        browsers() as people,
        a_guest(server, "eve") as eve,
    ):
        page = await people.page(address(proxy.port))
        await choose(page, "Quoridor")
        [first] = await seeks(eve)
        proxy.break_off()
        async with asyncio.timeout(PATIENCE):
            while (again := (await seeks(eve))[0])["seek"] == first["seek"]:
                pass
        assert again["game"] == "quoridor"
        await expect(page.get_by_role("button", name="Stop looking")).to_be_visible()
