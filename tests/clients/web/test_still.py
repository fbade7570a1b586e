"""Nothing moves once it is there: a quick finger meets what it aimed at."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.browser import PHONE, Browsers, address, browsers, expect, served
from tests.harness.web.tables import a_game, press, state, tap
from tests.harness.wire import a_server, a_wire

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


TABLES = {"smallest phone": PHONE, **SCREENS}


async def moved(page: Any) -> float:
    """By how much, when two more frames were painted; also right after a tap, which browsers forgive."""
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
    """A player against the computer does not see how to invite a friend."""
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


async def begin_anew(page: Any) -> None:
    """What has moved until now counts no more."""
    await moved(page)
    await page.evaluate("() => { shifts = []; }")


@pytest.mark.parametrize("screen", TABLES)
@pytest.mark.parametrize("game", ["Connect Four", "Quoridor", "Minesweeper"])
async def test_nothing_moves_while_a_table_opens_and_when_its_game_ends(game: str, screen: str) -> None:
    async with served(bots=True, pace="10") as server, browsers() as people:
        page = await people.page("about:blank", **TABLES[screen])
        await page.add_init_script(SHIFTS)
        await page.goto(server.url)
        play = page.get_by_role("button", name=f"Play {game} against the computer, level easy")
        await play.scroll_into_view_if_needed()
        await begin_anew(page)
        await play.click()
        await expect(page.get_by_role("gridcell").first).to_be_visible(timeout=30_000)
        assert await moved(page) <= MOST_MOVED
        resign = page.get_by_role("button", name="Resign")
        if game == "Minesweeper":  # a race begins after its countdown
            await expect(page.get_by_role("timer")).to_be_visible()
        await resign.scroll_into_view_if_needed()
        await begin_anew(page)
        await resign.click()
        await page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        if game != "Minesweeper":  # there the computer plays on
            await expect(page.get_by_role("button", name="Rematch")).to_be_visible()
        else:
            await expect(resign).to_have_count(0)
        assert await moved(page) <= MOST_MOVED


@pytest.mark.parametrize("screen", TABLES)
async def test_nothing_moves_while_a_table_opens_by_its_link(screen: str) -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="quoridor", seat=1)
        page = await people.page("about:blank", **TABLES[screen])
        await page.add_init_script(SHIFTS)
        await page.goto(address(server.port) + room["code"])
        sit = page.get_by_role("button", name="Sit down")
        await expect(sit).to_be_visible()
        await begin_anew(page)
        await sit.click()
        await expect(state(page)).to_contain_text("Your turn")
        await expect(page.get_by_role("grid")).to_be_visible()
        assert await moved(page) <= MOST_MOVED


@pytest.mark.parametrize("screen", TABLES)
async def test_nothing_moves_when_the_last_wall_is_placed(screen: str) -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="quoridor", seat=1, options={"size": 5, "walls": 1})
        page = await people.page(address(server.port) + room["code"], **TABLES[screen])
        await page.get_by_role("button", name="Sit down").click()
        await page.get_by_role("button", name="Place a wall").click()
        wall = page.get_by_role("gridcell", name="Wall b2h")
        await wall.scroll_into_view_if_needed()
        await page.evaluate(SHIFTS)
        await begin_anew(page)
        await wall.click()
        await expect(page.get_by_role("button", name="No walls left")).to_be_disabled()
        await expect(page.get_by_role("button", name="Place a wall")).to_have_count(0)
        assert await moved(page) <= MOST_MOVED


async def test_whoever_cannot_reach_the_server_can_still_choose() -> None:
    async with served() as server, browsers() as people:
        page = await first_page(people, server.url, "desktop")
        await page.route_web_socket("**/ws", lambda line: line.close())
        await page.reload()
        await expect(page.get_by_role("button", name="Create a table")).to_be_visible()


async def test_a_winning_line_is_drawn_once() -> None:
    async with a_game() as (ana, ben, _):
        for ply, column in enumerate((1, 2, 1, 2, 1, 2, 1)):
            await expect(state((ana, ben)[ply % 2])).to_contain_text("Your turn")
            await tap((ana, ben)[ply % 2], column)
        line = await ana.wait_for_selector(".winning", state="attached")
        await ben.get_by_label("Say something").fill("well played")
        await ben.keyboard.press("Enter")
        await expect(ana.get_by_role("list", name="Chat")).to_contain_text("well played")
        await press(ben, "Rematch")
        await expect(ana.get_by_role("button", name="ben wants a rematch")).to_be_visible()
        assert await line.evaluate("line => line.isConnected")


async def test_a_long_name_that_wants_a_rematch_moves_nothing() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        name = "ben-of-the-long-hill"
        await ben.hello(name)
        room = await ben.ask("createRoom", game="tic-tac-toe", seat=1)
        ana = await people.page(address(server.port) + room["code"], viewport={"width": 1440, "height": 900})
        await press(ana, "Sit down")
        await expect(state(ana)).to_contain_text("Your turn")
        await ben.ask("resign", room=room["room"], seat=1)
        asks = ana.locator(".next button")
        await expect(asks).to_have_text("Rematch")
        height = await asks.evaluate("button => button.offsetHeight")
        await ben.ask("offer", room=room["room"], seat=1, what="rematch")
        await expect(asks).to_have_text(f"{name} wants a rematch – Play")
        assert await asks.evaluate("button => button.offsetHeight") == height
