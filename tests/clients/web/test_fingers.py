"""What a finger shows while it presses, and what becomes of it: a tap, a scroll, a rest, or two fingers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.harness.browser import PHONE, Fingers, address, browsers, expect
from tests.harness.web.minesweeper import Seen, begun, cell, make_a_table
from tests.harness.web.tables import GAMES, by_typing, ghosts, middle, played, state, two_at_a_table
from tests.harness.wire import a_server

_WATCH = """() => {
    const board = document.querySelector(".board-place > *");
    const moves = () => document.querySelectorAll(".moves li:not(.none)").length;
    const before = moves();
    let pressed = false;
    globalThis.gaps = 0;
    const observer = new MutationObserver(() => {
        if (moves() > before) return observer.disconnect();
        const seen = board.querySelector(".ghost") !== null;
        pressed ||= seen;
        if (pressed && !seen) globalThis.gaps += 1;
    });
    observer.observe(document.querySelector(".screen"), {subtree: true, childList: true, attributes: true});
}"""
"""Looks after each change: more often than a frame is painted."""
_PRESS = """(cell, kind) => cell.dispatchEvent(
    new PointerEvent(kind, {pointerType: "touch", isPrimary: true, bubbles: true}))"""
_SCROLL_AND_PRESS = f"""cell => new Promise(done => {{
    addEventListener("scroll", () => done(({_PRESS})(cell, "pointerdown")), {{once: true}});
    scrollBy(0, 20);
}})"""
_LOOK = """cell => {
    const {fill, transform} = getComputedStyle(cell.firstChild);
    return [`${fill} ${transform}`, cell.ariaLabel, cell.lastChild.getAttribute("class") ?? ""];
}"""
"""How it is painted, what it is called, and what is drawn on it."""
_PRESSED = f"""cell => {{
    ({_PRESS})(cell, "pointerdown");
    const look = ({_LOOK})(cell);
    ({_PRESS})(cell, "pointercancel");
    return look;
}}"""
"""Before it rests there."""


@asynccontextmanager
async def at_a_table(game: str = "connect-four") -> AsyncIterator[tuple[Any, Any, Fingers]]:
    """Ana has a phone and is to move."""
    whole = GAMES[game]
    async with a_server(seconds=60) as server, browsers() as people:
        url = address(server.port)
        ana, ben = await two_at_a_table(people, url, whole.title, whole.size, {}, **PHONE)
        await expect(state(ana)).to_contain_text("Your turn")
        yield ana, ben, await Fingers.on(ana)


async def nothing_was_played(ana: Any, ben: Any) -> None:
    """What is typed now is the first move."""
    await by_typing(ana, "6")
    await expect(played(ben)).to_have_text(["6"])


@pytest.mark.parametrize("game", GAMES)
async def test_a_finger_shows_the_move_until_its_answer_comes(game: str) -> None:
    whole = GAMES[game]
    async with at_a_table(game) as (ana, ben, fingers):
        await ana.evaluate(_WATCH)
        await fingers.press(await middle(ana, whole.place.format(move=whole.moves[0])))
        await expect(ghosts(ana)).to_have_count(1)
        await expect(played(ana)).to_have_count(0)
        await fingers.lift()
        await expect(played(ben)).to_have_text(whole.moves[0])
        await expect(ghosts(ana)).to_have_count(0)
        assert await ana.evaluate("() => gaps") == 0


@pytest.mark.parametrize("what", ["scrolls", "goes aside", "is taken away"])
async def test_a_finger_that_does_something_else_plays_nothing(what: str) -> None:
    async with at_a_table() as (ana, ben, fingers):
        column = ana.get_by_role("gridcell", name="Column 3")
        if what == "goes aside":  # where nothing scrolls
            await ana.locator(".board-place svg").evaluate("svg => { svg.style.touchAction = 'none'; }")
        x, y = await middle(ana, "Column 3")
        await fingers.press((x, y))
        await expect(ghosts(ana)).to_have_count(1)
        if what == "is taken away":
            await column.dispatch_event("pointercancel")
        else:
            for far in (20, 60, 100):
                await fingers.move((x, y - far) if what == "scrolls" else (x + far, y))
        await expect(ghosts(ana)).to_have_count(0)
        await fingers.lift()
        if what != "is taken away":
            await nothing_was_played(ana, ben)
            await ben.get_by_role("gridcell", name="Column 1").click()
            await expect(state(ana)).to_contain_text("Your turn")
            await expect(ana.locator(".aim .token")).to_have_count(0)


async def test_a_finger_for_which_a_browser_opens_its_menu_plays_nothing() -> None:
    async with at_a_table() as (ana, ben, fingers):
        await fingers.press(await middle(ana, "Column 3"))
        await expect(ghosts(ana)).to_have_count(1)
        await ana.get_by_role("gridcell", name="Column 3").dispatch_event("contextmenu")
        await expect(ghosts(ana)).to_have_count(0)
        await fingers.lift()
        await nothing_was_played(ana, ben)


async def test_a_finger_that_stops_the_page_shows_nothing_but_what_it_aims_at() -> None:
    async with at_a_table() as (ana, _, _):
        await ana.get_by_role("gridcell", name="Column 3").evaluate(_SCROLL_AND_PRESS)
        await expect(ana.locator(".aim .token")).to_have_count(1)
        assert await ghosts(ana).count() == 0


@pytest.mark.parametrize("beside", [False, True], ids=["on the board", "beside it"])
async def test_a_second_finger_calls_the_move_off(beside: bool) -> None:
    async with at_a_table() as (ana, ben, fingers):
        first = await middle(ana, "Column 3")
        second = (160.0, 30.0) if beside else await middle(ana, "Column 5")
        await fingers.press(first)
        await expect(ghosts(ana)).to_have_count(1)
        await fingers.press(first, second)
        await expect(ghosts(ana)).to_have_count(0)
        await fingers.lift()
        await nothing_was_played(ana, ben)


async def test_a_finger_that_came_before_the_turn_plays_when_it_is_lifted() -> None:
    async with at_a_table() as (ana, ben, fingers):
        await ana.get_by_role("gridcell", name="Column 4").tap()
        await expect(state(ben)).to_contain_text("Your turn")
        await fingers.press(await middle(ana, "Column 3"))
        await expect(ana.locator(".aim .token")).to_have_count(1)
        assert await ghosts(ana).count() == 0
        await ben.get_by_role("gridcell", name="Column 1").click()
        await expect(state(ana)).to_contain_text("Your turn")
        await fingers.lift()
        await expect(played(ben)).to_have_text(["4", "1", "3"])


async def test_a_finger_plans_while_the_rival_thinks() -> None:
    async with at_a_table() as (ana, ben, fingers):
        await ana.get_by_role("gridcell", name="Column 4").tap()
        await expect(state(ben)).to_contain_text("Your turn")
        await fingers.press(await middle(ana, "Column 3"))
        await expect(ana.locator(".aim .token")).to_have_count(1)
        assert await ghosts(ana).count() == 0
        await fingers.lift()
        await expect(ana.get_by_role("button", name="Cancel the planned move")).to_be_visible()
        await expect(ana.locator(".aim .token")).to_have_count(0)


@pytest.mark.parametrize("by_button", [True, False], ids=["by the button", "without it"])
async def test_a_wall_is_asked_about_before_a_press_shows_it_placed(by_button: bool) -> None:
    async with at_a_table("quoridor") as (ana, ben, fingers):
        before = await state(ana).bounding_box()
        if by_button:
            await ana.get_by_role("button", name="Place a wall").tap()
            await expect(state(ana)).to_have_text("Tap a gap between cells.")
            wall = await middle(ana, "Wall b2h")
        else:
            box = await ana.locator("[data-place=b2h]").bounding_box()
            wall = box["x"] + box["width"] * 0.15, box["y"] + box["height"] / 2
        await fingers.press(wall)
        await expect(ana.locator(".aim .wall")).to_have_count(1)
        assert await ghosts(ana).count() == 0
        await fingers.lift()
        await expect(state(ana)).to_have_text("Place it here")
        assert await state(ana).bounding_box() == before
        await expect(ana.locator(".aim .wall")).to_have_count(1)
        await fingers.press(wall)
        await expect(ghosts(ana)).to_have_count(1)
        await fingers.lift()
        await expect(played(ben)).to_have_text(["b2h"])
        await expect(state(ana)).to_contain_text("is thinking")


async def test_a_button_places_the_wall_that_a_tap_shows_and_another_cancels_it() -> None:
    async with at_a_table("quoridor") as (ana, ben, _):
        for _ in range(2):
            await ana.get_by_role("button", name="Place a wall").tap()
            await ana.get_by_role("gridcell", name="Wall b2h").tap()
            await expect(ana.get_by_role("button", name="Place it here")).to_be_visible()
            await expect(ana.get_by_role("button", name="Place a wall")).to_have_count(0)
            await ana.get_by_role("button", name="Cancel").tap()
            await expect(ana.locator(".aim .wall")).to_have_count(0)
            await expect(ana.get_by_role("gridcell", name="e2, free")).to_be_visible()
            await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("button", name="Place a wall").tap()
        await ana.get_by_role("gridcell", name="Wall c3h").tap()
        await ana.get_by_role("button", name="Place it here").tap()
        await expect(played(ben)).to_have_text(["c3h"])
        await expect(ana.get_by_role("button", name="Place a wall")).to_be_visible()
        await expect(ana.locator(".aim .wall")).to_have_count(0)
        await expect(state(ana)).to_contain_text("is thinking")


@asynccontextmanager
async def a_field() -> AsyncIterator[tuple[Any, str, Fingers]]:
    """A page, one of its covered cells, and the fingers there."""
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await make_a_table(page, "Alone")
        await begun(page)
        _, safe = (await Seen.on(page)).certain()
        await cell(page, min(safe)).scroll_into_view_if_needed()
        yield page, min(safe), await Fingers.on(page)


async def test_a_pressed_cell_looks_neither_covered_nor_open_and_tells_nothing() -> None:
    async with a_field() as (page, name, _):
        covered, told, drawn = await cell(page, name).evaluate(_LOOK)
        (opened, _, _) = await page.get_by_role("gridcell", name="empty").first.evaluate(_LOOK)
        pressed, *rest = await cell(page, name).evaluate(_PRESSED)
        assert rest == [told, drawn] == [f"{name}, covered", ""]
        assert len({covered, opened, pressed}) == 3
        assert (await cell(page, name).evaluate(_LOOK))[0] == covered


async def test_a_press_shows_the_flag_while_taps_flag() -> None:
    async with a_field() as (page, name, _):
        await page.get_by_role("button", name="Flags").tap()
        assert (await cell(page, name).evaluate(_PRESSED))[2] == "flag"
        assert (await cell(page, name).evaluate(_LOOK))[2] == ""


async def test_a_cell_that_was_about_to_be_dug_is_flagged_by_a_long_press() -> None:
    async with a_field() as (page, name, fingers):
        box = await cell(page, name).bounding_box()
        await fingers.press((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        await expect(cell(page, name)).to_have_accessible_name(f"{name}, flag")
        await expect(page.locator(".digging")).to_have_count(0)
        await fingers.lift()
        await page.get_by_role("button", name="Flags").tap()
        await cell(page, name).tap()
        await expect(played(page)).to_have_text([f"flag {name}", f"unflag {name}"])


RINGS = """() => [...document.querySelectorAll(".board-place, .board-place *")]
    .filter(each => each.matches(":focus-visible")).map(each => each.outerHTML.slice(0, 80))"""
"""The focus rings that are on a board."""


@pytest.mark.parametrize("game", GAMES)
async def test_no_ring_stays_on_a_board_after_a_finger(game: str) -> None:
    whole = GAMES[game]
    async with at_a_table(game) as (ana, ben, _):
        if game == "quoridor":
            await ana.get_by_role("button", name="Place a wall").tap()
            await ana.get_by_role("gridcell", name="Wall b2h").tap()
            assert await ana.evaluate(RINGS) == []
            await ana.get_by_role("button", name="Cancel").tap()
        await ana.get_by_role("gridcell", name=whole.place.format(move=whole.moves[0])).tap()
        await expect(played(ben)).to_have_count(1)
        assert await ana.evaluate(RINGS) == []


async def test_no_ring_stays_on_a_minefield_after_a_finger() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await make_a_table(page, "Alone")
        await begun(page)
        _, safe = (await Seen.on(page)).certain()
        await cell(page, min(safe)).tap()
        await expect(page.locator(".ghost")).to_have_count(0)
        assert await page.evaluate(RINGS) == []
