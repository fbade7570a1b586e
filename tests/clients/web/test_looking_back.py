"""Looking back at a game while it goes on."""

from __future__ import annotations

import re
from typing import Any

from tests.clients.web.test_games import by_typing, state, two_at_a_table
from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.wire import a_server, a_wire


def held(page: Any) -> Any:
    return page.locator(".pieces .token")


async def press(page: Any, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def tap(page: Any, column: int) -> None:
    await page.get_by_role("gridcell", name=f"Column {column}").click()


async def test_a_player_steps_back_and_on_while_the_game_goes_on() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(ana.get_by_role("button", name="One move back")).to_be_hidden()
        for page, column in ((ana, 4), (ben, 3), (ana, 4)):
            await expect(state(page)).to_contain_text("Your turn")
            await tap(page, column)
        await expect(state(ben)).to_contain_text("Your turn")
        await expect(ana.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_count(3)
        back = ana.get_by_role("button", name="One move back")
        await back.evaluate("(button) => { button.click(); button.click(); }")  # before the first is answered
        await expect(held(ana)).to_have_count(1)
        await press(ana, "One move on")
        await expect(held(ana)).to_have_count(2)
        await expect(ana.get_by_text("2 of 3. ben: 3")).to_be_visible()
        await press(ana, "To the start of the game")
        await expect(held(ana)).to_have_count(0)
        await expect(ana.get_by_text("At the start")).to_be_visible()
        await tap(ben, 5)  # what is played meanwhile is told, and not shown yet
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(held(ana)).to_have_count(0)
        await tap(ana, 1)  # plays nothing: it was for another position
        await expect(held(ana)).to_have_count(4)
        await expect(ana.get_by_role("button", name="Back to the game")).to_be_hidden()
        await press(ana, "To the start of the game")
        await expect(held(ana)).to_have_count(0)
        await ana.get_by_role("list", name="Moves").get_by_role("button", name="ben: 5").click()
        await expect(held(ana)).to_have_count(4)
        await expect(ana.get_by_text("Back to the game")).to_be_hidden()
        await ana.locator("h1").click()
        await ana.keyboard.press("ArrowLeft")
        await expect(held(ana)).to_have_count(3)
        await ana.keyboard.press("Home")
        await expect(held(ana)).to_have_count(0)
        await press(ana, "Back to the game")
        await expect(held(ana)).to_have_count(4)
        await expect(held(ben)).to_have_count(4)
        await tap(ana, 1)
        await expect(held(ben)).to_have_count(5)
        await press(ana, "One move back")
        await expect(held(ana)).to_have_count(4)  # of which the server was asked anew
        await ana.get_by_role("textbox", name="Say something").press("ArrowLeft")
        await expect(held(ana)).to_have_count(4)


async def test_a_watcher_on_a_phone_looks_back_at_a_private_game() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Quoridor")
        await ana.get_by_role("gridcell", name="e2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")
        eve = await people.page(ana.url, **PHONE)
        await press(eve, "Watch")
        await expect(eve.get_by_role("gridcell", name="e2, ana")).to_be_visible()
        await eve.get_by_role("button", name="One move back").click()
        await expect(eve.get_by_role("gridcell", name="e1, ana")).to_be_visible()
        await expect(eve.get_by_text("At the start")).to_be_visible()
        assert await eve.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_minefield_is_looked_back_at_by_what_its_player_was_shown() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.get_by_role("button", name="Play Minesweeper alone, Beginner").click()
        covered = page.get_by_role("gridcell", name=re.compile("covered$"))
        await expect(covered).to_have_count(81)
        await expect(page.get_by_role("button", name="One move back")).to_be_hidden()
        await by_typing(page, "dig e5")
        await expect(moves(page)).to_have_count(1)
        await expect(page.get_by_role("gridcell", name="e5, covered")).to_have_count(0)
        opened = 81 - await covered.count()
        assert opened >= 9
        free = (await covered.first.get_attribute("aria-label")).split(",")[0]
        await by_typing(page, f"flag {free}")
        await expect(moves(page)).to_have_count(2)
        await press(page, "One move back")
        await expect(covered).to_have_count(81 - opened)
        await expect(page.get_by_role("gridcell", name=f"{free}, covered")).to_be_visible()
        await press(page, "To the start of the game")
        await expect(covered).to_have_count(81)
        await covered.last.click()  # digs nothing: it was for another position
        await expect(page.get_by_role("gridcell", name=f"{free}, flag")).to_be_visible()
        await expect(moves(page)).to_have_count(2)
        await moves(page).first.get_by_role("button").click()
        await expect(page.get_by_role("gridcell", name=f"{free}, covered")).to_be_visible()
        await page.reload()  # from now on it has no more than what it is shown
        await expect(moves(page)).to_have_count(2)
        await expect(moves(page).get_by_role("button")).to_have_count(1)
        await by_typing(page, f"unflag {free}")
        await expect(moves(page)).to_have_count(3)
        await press(page, "To the start of the game")
        await expect(page.get_by_role("gridcell", name=f"{free}, flag")).to_be_visible()
        assert not [url for url in asked if "api/rooms" in url]


async def test_in_a_race_one_looks_back_at_the_own_board_alone() -> None:
    options = {"mode": "race", "width": 9, "height": 9, "mines": 10}
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="minesweeper", seats=2, options=options, seat=1, private=True)
        ana = await people.page(address(server.port) + room["code"])
        await press(ana, "Sit down")
        await expect(state(ana)).to_contain_text("Open every cell")
        await expect(ana.get_by_role("gridcell", name="covered").first).to_be_visible()
        start = await ana.get_by_role("gridcell").evaluate_all(LABELS)
        mine, theirs, *_ = [label.split(",")[0] for label in start if label.endswith("covered")]
        await by_typing(ana, f"flag {mine}")
        await expect(moves(ana)).to_have_count(1)
        await expect(ana.get_by_role("gridcell", name=f"{mine}, flag")).to_be_visible()
        own = await ana.get_by_role("gridcell").evaluate_all(LABELS)
        for ply, move in enumerate((f"flag {theirs}", f"unflag {theirs}", f"flag {theirs}")):
            answer = await ben.ask("playTurn", room=room["room"], seat=1, ply=ply, move=move)
            assert answer["type"] != "refused", answer
        await press(ana, "One move back")
        await expect(ana.get_by_role("gridcell", name=f"{mine}, covered")).to_be_visible()
        assert await ana.get_by_role("gridcell").evaluate_all(LABELS) == start
        await press(ana, "Back to the game")
        await expect(ana.get_by_role("gridcell", name=f"{mine}, flag")).to_be_visible()
        assert await ana.get_by_role("gridcell").evaluate_all(LABELS) == own
        await expect(moves(ana)).to_have_count(1)


LABELS = "cells => cells.map(each => each.getAttribute('aria-label'))"


def moves(page: Any) -> Any:
    return page.get_by_role("list", name="Moves").get_by_role("listitem")
