"""A move that is planned while the rival thinks."""

from __future__ import annotations

import pytest

from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.web.tables import GAMES, a_game, moves, press, state, tap, two_at_a_table
from tests.harness.wire import a_server

CANCEL = "Cancel the planned move"
FILLS = """() => [...new Set([...document.querySelectorAll(".place.cell:not(.aimed) > rect")]
    .map(cell => getComputedStyle(cell).fill))]"""


async def test_a_planned_move_is_played_as_soon_as_it_is_ones_turn() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ben, 3)
        await expect(ben.get_by_role("button", name=CANCEL)).to_contain_text("Planned: 3")
        await expect(moves(ben)).to_have_text(["No move yet."])
        await tap(ana, 4)
        await expect(moves(ana)).to_have_text(["4", "3"])
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(ben.get_by_role("button", name=CANCEL)).to_have_count(0)


@pytest.mark.parametrize("how", ["button", "tap", "key"])
async def test_a_planned_move_can_be_cancelled(how: str) -> None:
    async with a_game() as (ana, ben, _):
        await tap(ben, 3)
        cancel = ben.get_by_role("button", name=CANCEL)
        await expect(cancel).to_be_visible()
        if how == "button":
            await cancel.click()
        elif how == "tap":
            await tap(ben, 3)
        else:
            await ben.keyboard.press("Escape")
        await expect(cancel).to_have_count(0)
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        await expect(moves(ben)).to_have_text(["4"])


async def test_cells_to_plan_for_look_like_all_others_and_steps_of_now_have_dots() -> None:
    async with a_game("Quoridor") as (ana, ben, _):
        for page, steps in ((ana, 3), (ben, 0)):
            await expect(page.locator(".reach")).to_have_count(steps)
            assert await page.evaluate(FILLS) == ["rgba(0, 0, 0, 0)"]
        await ana.get_by_role("gridcell", name="e2, free").click()
        await expect(ben.locator(".reach")).to_have_count(3)
        await expect(ana.locator(".reach")).to_have_count(0)


async def test_another_tap_plans_another_move() -> None:
    async with a_game() as (ana, ben, _):
        await tap(ben, 3)
        await tap(ben, 5)
        await expect(ben.get_by_role("button", name=CANCEL)).to_contain_text("Planned: 5")
        await tap(ana, 4)
        await expect(moves(ana)).to_have_text(["4", "5"])


async def test_a_planned_move_that_cannot_be_played_any_more_is_said_so() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Tic-tac-toe")
        await expect(state(ana)).to_contain_text("Your turn")
        await ben.get_by_role("gridcell", name="b2, free").click()
        await expect(ben.get_by_role("button", name=CANCEL)).to_be_visible()
        await ana.get_by_role("gridcell", name="b2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")
        await expect(ben.get_by_role("status").get_by_text("b2 is no longer possible.")).to_be_visible()
        live = ben.locator("[aria-live=polite]").first
        await expect(live).to_have_text("ana: b2. b2 is no longer possible. Your turn")
        await expect(moves(ben)).to_have_text(["b2"])


async def test_what_is_taken_already_cannot_be_planned() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Tic-tac-toe")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="b2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="b2, ana").click()
        await expect(ana.get_by_role("status").get_by_text("It is ben's turn.")).to_be_visible()
        await expect(ana.get_by_role("button", name=CANCEL)).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
async def test_moves_are_planned_by_touch_in_every_game_of_turns(game: str) -> None:
    whole = GAMES[game]
    async with a_server(seconds=60) as server, browsers() as people:
        url = address(server.port)
        ana, ben = await two_at_a_table(people, url, whole.title, whole.size, **PHONE)
        await expect(state(ana)).to_contain_text("Your turn")
        first, second = (whole.place.format(move=move) for move in whole.moves[:2])
        await ben.get_by_role("gridcell", name=second).tap()
        await expect(ben.get_by_role("button", name=CANCEL)).to_be_visible()
        assert await ben.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        await ana.get_by_role("gridcell", name=first).tap()
        await expect(moves(ana)).to_have_text(list(whole.moves[:2]))


async def test_a_planned_wall_is_laid() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Quoridor")
        await expect(state(ana)).to_contain_text("Your turn")
        await press(ben, "Place a wall")
        await ben.get_by_role("gridcell", name="Wall e4h").click()
        await expect(ben.get_by_role("button", name=CANCEL)).to_contain_text("e4h")
        await ana.get_by_role("gridcell", name="e2, free").click()
        await expect(moves(ana)).to_have_text(["e2", "e4h"])


async def test_watchers_and_racers_plan_nothing() -> None:
    async with a_game() as (ana, _, people):
        eve = await people.page(ana.url)
        await press(eve, "Watch")
        await tap(eve, 3)
        await expect(eve.get_by_text("You're watching.")).to_be_visible()
        await expect(eve.get_by_role("button", name=CANCEL)).to_have_count(0)


@pytest.mark.parametrize(("named", "second"), [("", "Second player"), (" Ben ", "Ben")])
async def test_two_on_one_device_have_names_and_plan_nothing(named: str, second: str) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port))
        await page.get_by_label("Your name").fill("ana")
        await page.get_by_role("button", name="Create a table").click()
        await page.get_by_role("button", name="Open the table").click()
        if named:
            await page.get_by_label("Second player").fill(named)
        await press(page, "Play both seats")
        for ply, move in enumerate(GAMES["tic-tac-toe"].moves):
            whose = second if ply % 2 else "ana"
            await expect(state(page)).to_contain_text(f"It is {whose}'s turn.")
            await page.get_by_role("gridcell", name=f"{move}, free").click()
            await expect(moves(page).last.get_by_role("button")).to_have_accessible_name(f"{whose}: {move}")
        await expect(page.locator(".strip")).to_have_text([second, "ana"])
        await expect(state(page)).to_contain_text("ana wins")
        await expect(page.get_by_role("button", name=CANCEL)).to_have_count(0)
