"""The lines that say who is at a table: names, what they have, whether they are here, clocks."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.web.tables import state
from tests.harness.wire import a_server, a_wire

SCREENS = [PHONE, {"viewport": {"width": 1280, "height": 800}}]
LONG = "Maximilian-Alexander"
OVERLAPS = """() => [...document.querySelectorAll(".strip")].some((strip) => {
  const clock = strip.querySelector(".clock");
  return clock && clock.getBoundingClientRect().right > strip.getBoundingClientRect().right;
})"""
HIDDEN = """() => {
  const field = document.querySelector(".minefield");
  return field.scrollWidth - field.clientWidth;
}"""


async def width(page: Any, name: str) -> float:
    """How much of a name is seen."""
    return float((await page.get_by_role("button", name=name, exact=True).bounding_box())["width"])


@pytest.mark.parametrize("screen", SCREENS)
async def test_names_have_room_and_news_move_nothing(screen: dict[str, Any]) -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as rival:
        await rival.hello(LONG)
        room = await rival.ask("createRoom", game="quoridor", clock={"base": 180, "increment": 2})
        ana = await people.page(address(server.port) + room["code"], **screen)
        await ana.get_by_role("button", name="Sit down").click()
        news = ana.get_by_text("first move within")
        await expect(news).to_be_visible()
        assert not await news.evaluate("(news) => news.scrollWidth > news.clientWidth + 1"), (
            "it is seen whole"
        )
        assert await width(ana, LONG) > 100
        board = ana.locator("tablero-quoridor")
        before = await board.bounding_box()
        await rival.ask("playTurn", room=room["room"], seat=0, ply=0, move="e2")
        await expect(state(ana)).to_contain_text("Your turn")
        await rival.socket.close()
        await expect(ana.get_by_text("away, ")).to_be_visible()
        assert await board.bounding_box() == before
        assert await width(ana, LONG) > 100


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_race_against_the_clock_shows_all_names_and_one_clock(screen: dict[str, Any]) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(seconds=60))
        people = await stack.enter_async_context(browsers())
        names = ["Bertrand", "Charlotte", "Dimitri"]
        wires = [await stack.enter_async_context(a_wire(server)) for _ in names]
        for wire, name in zip(wires, names, strict=True):
            await wire.hello(name)
        clock = {"base": 300}
        room = await wires[0].ask(
            "createRoom", game="minesweeper", options={"mode": "race"}, seats=4, clock=clock
        )
        for wire in wires[1:]:
            await wire.ask("join", room=room["room"])
        ana = await people.page(address(server.port) + room["code"], **screen)
        await ana.get_by_role("button", name="Sit down").click()
        await expect(ana.get_by_role("gridcell")).to_have_count(81)
        await expect(ana.locator(".clock")).to_have_count(1)
        assert not await ana.evaluate(OVERLAPS)
        for name in names:
            assert await width(ana, name) > 60
        assert await ana.evaluate(HIDDEN) <= 1
