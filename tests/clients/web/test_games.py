"""A whole game of each kind by mouse, by keyboard and by touch, and at each address that people may have.

Minesweeper, which is played by looking at it, has its own in `test_minesweeper.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.addresses import a_site_at
from tests.harness.browser import PHONE, address, browsers, expect, served
from tests.harness.hands import FINGER, KEYBOARD, MOUSE, Hand, a_page_for, used, with_each_hand
from tests.harness.web.tables import (
    GAMES,
    by_mouse,
    by_one_hand_alone,
    by_the_rules,
    hands_at_addresses,
    said_of,
    state,
    two_at_a_table,
    two_of_one_hand,
)
from tests.harness.wire import a_server

_OWN_TURN = """plies => document.querySelector("main").classList.contains("my-turn")
    && document.querySelectorAll(".moves li:not(.none)").length === plies"""
"""Also when two turns follow each other: what was played is shown."""


@pytest.mark.parametrize(
    ("game", "hand", "where"),
    [(game, *both) for number, game in enumerate(GAMES) for both in hands_at_addresses(number)],
    ids=said_of,
)
async def test_a_whole_game(game: str, hand: Hand, where: str) -> None:
    async with a_server(seconds=120) as server, a_site_at(where, server.port) as site:
        pages = await two_of_one_hand(hand, site, GAMES[game])
        turns, winner = by_the_rules(game)
        for ply, (seat, place) in enumerate(turns):
            await pages[seat].wait_for_function(_OWN_TURN, arg=ply)
            await hand.press(pages[seat].get_by_role("gridcell", name=place))
        rival = await pages[1 - winner].locator(".strip .name").first.inner_text()
        await expect(state(pages[winner])).to_contain_text("You win")
        await expect(state(pages[1 - winner])).to_contain_text(f"{rival} wins")
        await by_one_hand_alone(pages, hand)
        await expect(state(pages[1])).to_contain_text("Your turn")


async def a_wall_by_mouse(page: Any) -> None:
    """On its left half, for in the middle a groove crosses it."""
    wall = page.locator('[data-place="b2h"]')
    box = await wall.bounding_box()
    await wall.hover(position={"x": box["width"] * 0.15, "y": box["height"] / 2})
    await wall.click(position={"x": box["width"] * 0.15, "y": box["height"] / 2})


async def a_wall_by_keyboard(page: Any) -> None:
    await KEYBOARD.walk(page.get_by_role("gridcell", name="c1"))
    await page.keyboard.press("w")
    await KEYBOARD.press(page.get_by_role("gridcell", name="Wall b2h"))


async def a_wall_by_touch(page: Any) -> None:
    """Turned there and back; the first tap only shows it."""
    for name in ("Place a wall", "Turn it upright", "Turn it flat"):
        await FINGER.press(page.get_by_role("button", name=name))
    wall = page.get_by_role("gridcell", name="Wall b2h")
    await FINGER.press(wall)
    await expect(state(page)).to_have_text("Place it here")
    await FINGER.press(wall)


WALLS = {MOUSE: a_wall_by_mouse, KEYBOARD: a_wall_by_keyboard, FINGER: a_wall_by_touch}


async def test_the_arrow_keys_walk_along_lines_and_around_corners() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await two_at_a_table(people, address(server.port), "Dots and Boxes", "3 × 3")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="Edge a1h,").focus()
        for key, edge in (
            ("Right", "b1h"), ("Up", "b1v"), ("Up", "b2v"), ("Right", "b2h"), ("Up", "b2v"), ("Left", "a3h"),
            ("Down", "b2v"), ("Down", "b1v"), ("Down", "b1v"), ("Left", "a2h"), ("Left", "a2h"),
        ):  # fmt: skip
            await ana.keyboard.press(f"Arrow{key}")
            await expect(ana.get_by_role("gridcell", name=f"Edge {edge},")).to_be_focused()
        await ana.keyboard.press("Enter")
        await expect(ana.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_text(["a2h"])


@with_each_hand
async def test_a_wall_is_placed_and_the_other_side_sees_it_from_its_own(hand: Hand) -> None:
    async with a_server(seconds=60) as server, a_site_at("this machine", server.port) as site:
        ana, ben = await two_of_one_hand(hand, site, GAMES["quoridor"])
        await expect(state(ana)).to_contain_text("Your turn")
        await WALLS[hand](ana)
        assert set(await used(ana)) == {hand.kind}
        await expect(state(ben)).to_contain_text("Your turn")
        await expect(ben.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_text(["b2h"])
        await expect(ben.get_by_text("walls: 3")).to_be_visible()
        cell = ana.get_by_role("gridcell", name="b2, free")
        await expect(cell).to_be_visible()  # the next move is the pawn's
        if hand is KEYBOARD:
            await expect(cell).to_be_focused()
        await ben.get_by_role("gridcell", name="c5").focus()
        await ben.keyboard.press("w")
        await expect(ben.get_by_role("gridcell", name="Wall b2h, placed")).to_have_count(1)


@with_each_hand
async def test_the_first_move_against_the_computer_takes_two_taps(hand: Hand) -> None:
    async with served(bots=True) as server, browsers() as people:
        page = await a_page_for(hand, people, server.url, **hand.screens[0])
        await hand.press(
            page.get_by_role("button", name="Play Connect Four against the computer, level easy")
        )
        await expect(state(page)).to_contain_text("Your turn")
        await hand.press(page.get_by_role("gridcell", name="Column 4"))
        await expect(page.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_count(2)
        assert hand is KEYBOARD or await used(page) == {hand.kind: 2}


async def test_a_second_edge_waits_for_the_box_that_the_first_one_closes() -> None:
    async with a_server() as server, browsers() as people:
        pages = await two_at_a_table(people, address(server.port), "Dots and Boxes", "3 × 3")
        for ply, move in enumerate(("a1h", "a1v", "b1v")):
            await expect(state(pages[ply % 2])).to_contain_text("Your turn")
            await by_mouse(pages[ply % 2], f"Edge {move}, free")
        ben = pages[1]
        await expect(state(ben)).to_contain_text("Your turn")
        await ben.locator("tablero-dots-and-boxes").evaluate(_BOTH_AT_ONCE, ["a2h", "c3h"])
        for move in ("a2h", "c3h"):
            await expect(ben.get_by_role("gridcell", name=f"Edge {move}, free")).to_have_count(0)


_BOTH_AT_ONCE = """(board, moves) => {
    for (const detail of moves) board.dispatchEvent(new CustomEvent("move", { detail, bubbles: true }));
}"""


@pytest.mark.parametrize("screen", [PHONE, {}])
async def test_whoever_watches_turns_the_board_and_the_players_with_it(screen: dict[str, Any]) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await two_at_a_table(people, address(server.port), "Quoridor")
        eve = await people.page(ana.url, **screen)
        await eve.get_by_role("button", name="Watch").click()
        turn = eve.get_by_role("button", name="Flip the board")

        async def is_first_above() -> tuple[bool, bool]:
            """Whether the first player's name and side are above the other's."""
            names = [eve.locator(".strip", has_text=name) for name in ("ana", "ben")]
            sides = [eve.get_by_role("gridcell", name=f"{cell}, ") for cell in ("e1", "e9")]
            tops = [(await each.bounding_box())["y"] for each in (*names, *sides)]
            return tops[0] < tops[1], tops[2] < tops[3]

        await expect(turn).to_be_visible()
        assert await is_first_above() == (False, False)
        await turn.click()
        assert await is_first_above() == (True, True)
        await turn.click()
        assert await is_first_above() == (False, False)
        await expect(ana.get_by_role("button", name="Resign")).to_be_visible()
        await expect(ana.get_by_role("button", name="Flip the board")).to_be_hidden()
