"""What the press of a mouse shows before it is let go; test_fingers.py has that of a finger."""

from __future__ import annotations

import re

import pytest

from tests.harness.browser import address, browsers, expect
from tests.harness.web.minesweeper import Seen, a_race, cell
from tests.harness.web.tables import GAMES, a_game, ghosts, middle, played, state, two_at_a_table
from tests.harness.wire import a_server


@pytest.mark.parametrize("game", GAMES)
async def test_a_press_shows_the_move_and_letting_go_plays_it(game: str) -> None:
    whole = GAMES[game]
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), whole.title, whole.size)
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.mouse.move(*await middle(ana, whole.place.format(move=whole.moves[0])))
        await ana.mouse.down()
        await expect(ghosts(ana)).to_have_count(1)
        await expect(played(ana)).to_have_count(0)
        await ana.mouse.up()
        await expect(played(ben)).to_have_text(whole.moves[0])
        await expect(ghosts(ana)).to_have_count(0)


async def test_a_wall_that_is_aimed_at_is_drawn_and_its_groove_is_not_filled() -> None:
    async with a_game("Quoridor") as (ana, _, _people):
        groove = ana.locator("[data-place=e4h]")
        filled = "element => getComputedStyle(element.firstChild).fill"
        box = await groove.bounding_box()
        await ana.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        await expect(ana.locator(".aim .wall")).to_have_count(1)
        await expect(groove).to_have_class(re.compile("aimed"))
        assert await groove.evaluate(filled) == "rgba(0, 0, 0, 0)"
        await ana.mouse.down()
        assert await groove.evaluate(filled) == "rgba(0, 0, 0, 0)"


async def test_a_press_that_is_let_go_elsewhere_plays_nothing() -> None:
    async with a_game() as (ana, ben, _):
        await ana.mouse.move(*await middle(ana, "Column 3"))
        await ana.mouse.down()
        await expect(ghosts(ana)).to_have_count(1)
        await ana.mouse.move(*await middle(ana, "Column 5"))
        await expect(ghosts(ana)).to_have_count(0)
        await ana.mouse.up()
        await ana.get_by_role("gridcell", name="Column 7").click()
        await expect(played(ben)).to_have_text(["7"])


async def test_the_other_button_and_whoever_is_not_to_move_show_nothing() -> None:
    async with a_game() as (ana, ben, _):
        for page, button in ((ana, "right"), (ben, "left")):
            await page.mouse.move(*await middle(page, "Column 3"))
            await page.mouse.down(button=button)
            assert await ghosts(page).count() == 0
            await page.mouse.up(button=button)


async def test_what_is_heard_meanwhile_leaves_the_pressed_move() -> None:
    async with a_game() as (ana, ben, _):
        await ana.mouse.move(*await middle(ana, "Column 3"))
        await ana.mouse.down()
        await ben.get_by_role("textbox", name="Say something").fill("hello ana")
        await ben.keyboard.press("Enter")
        await expect(ana.get_by_role("list", name="Chat").get_by_text("hello ana")).to_be_visible()
        await expect(ghosts(ana)).to_have_count(1)
        await ana.mouse.up()
        await expect(played(ben)).to_have_text(["3"])


async def test_a_cell_that_a_partner_opens_while_it_is_pressed_is_not_dug_around() -> None:
    """A click on the number that is there by then would be another move."""
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port), "Together on one field")
        mines, safe = (await Seen.on(ana)).certain()
        name, mine = min(safe), min(mines)
        await cell(ana, name).hover()
        await ana.mouse.down()
        await expect(ana.locator(".digging")).to_have_count(1)
        await cell(ben, name).click()
        await expect(cell(ana, name)).not_to_have_accessible_name(f"{name}, covered")
        await expect(ana.locator(".digging")).to_have_count(0)
        await ana.mouse.up()
        await cell(ana, mine).click(button="right")
        await expect(played(ana)).to_have_text([f"dig {name}", f"flag {mine}"])
        await expect(ana.get_by_role("status").get_by_text("needs flags around it")).to_have_count(0)
