"""Nothing moves once it is there: a quick finger meets what it aimed at."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.browser import PHONE, Browsers, browsers, expect, served

SHIFTS = """globalThis.shifts = [];
new PerformanceObserver(list => shifts.push(...list.getEntries().map(each => each.value)))
    .observe({type: "layout-shift", buffered: true});"""
SHARED = """globalThis.shared = false;
new MutationObserver(() => { shared ||= document.querySelector(".share") !== null; })
    .observe(document, {subtree: true, childList: true});"""
MOST_MOVED = 0.01
"""Of the screen, times of its height, as browsers add it up; 0.1 counts as good."""
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {**PHONE, "viewport": {"width": 390, "height": 844}},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}


async def moved(page: Any) -> float:
    """By how much, when two more frames were painted."""
    await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return float(await page.evaluate("() => shifts.reduce((sum, each) => sum + each, 0)"))


async def first_page(people: Browsers, url: str, screen: str) -> Any:
    page = await people.page("about:blank", **SCREENS[screen])
    await page.add_init_script(SHIFTS)
    await page.goto(url)
    await expect(page.get_by_role("heading", name="Open tables")).to_be_visible()
    return page


@pytest.mark.parametrize("screen", SCREENS)
async def test_nothing_moves_when_the_lobby_comes(screen: str) -> None:
    """Without a bot all cards but one have nothing to offer."""
    async with served() as server, browsers() as people:
        page = await first_page(people, server.url, screen)
        await expect(page.get_by_role("heading", name="Minesweeper")).to_be_visible()
        assert await moved(page) <= MOST_MOVED


@pytest.mark.parametrize("screen", SCREENS)
async def test_nothing_moves_for_who_comes_back_to_a_table(screen: str) -> None:
    async with served() as server, browsers() as people:
        page = await first_page(people, server.url, screen)
        await page.get_by_role("button", name="Play Minesweeper alone, Beginner").click()
        await expect(page.get_by_role("grid")).to_be_visible()
        await page.goto(server.url)
        await expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
        assert await moved(page) <= MOST_MOVED


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_board_has_its_place_before_it_comes(screen: str) -> None:
    """Neither does whoever plays the computer see how to ask a friend."""
    async with served(bots=True) as server, browsers() as people:
        page = await first_page(people, server.url, screen)
        await page.evaluate(SHARED)
        await page.get_by_role("button", name="Play Connect Four against the computer, level easy").click()
        await expect(page.get_by_role("grid")).to_be_visible()
        assert not await page.evaluate("() => shared")
        await page.reload()
        await expect(page.get_by_role("grid")).to_be_visible()
        await expect(page.get_by_role("button", name="Resign")).to_be_visible()
        assert await moved(page) <= MOST_MOVED


async def test_whoever_cannot_reach_the_server_can_still_choose() -> None:
    async with served() as server, browsers() as people:
        page = await first_page(people, server.url, "desktop")
        await page.route_web_socket("**/ws", lambda line: line.close())
        await page.reload()
        await expect(page.get_by_role("button", name="Make a table")).to_be_visible()
