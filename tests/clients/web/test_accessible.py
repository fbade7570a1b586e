"""Every screen is for everybody: checked by axe in each look, enlarged, and played by what is read out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.harness import axe
from tests.harness.browser import PHONE, Browsers, address, browsers, expect, served
from tests.harness.neighbours import announced
from tests.harness.web.guests import a_game, played, two_guests
from tests.harness.web.minesweeper import make_a_table as make_a_minefield
from tests.harness.web.tables import (
    GAMES,
    by_mouse,
    by_the_rules,
    by_typing,
    choose,
    press,
    state,
    two_at_a_table,
)
from tests.harness.wire import RATED, a_server

LOOKS: tuple[dict[str, str], ...] = (
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"color_scheme": "light", "contrast": "more"},
    {"color_scheme": "dark", "contrast": "more"},
)
"""Where colours are forced, computed ones are not those that are seen: that has tests of its own."""
USUAL_LOOK = {"color_scheme": "light", "contrast": "no-preference"}
DESKTOP = {"width": 1280, "height": 800}
TWICE_AS_LARGE = {"width": 640, "height": 400}
"""What a window of that size has room for at a zoom of 200 %."""


async def stands(page: Any, what: str) -> None:
    """This screen has nothing that axe objects to, in any look, and has room when it is enlarged."""
    before = page.viewport_size
    wrong: list[str] = []
    for look in LOOKS:
        await page.emulate_media(**{**USUAL_LOOK, **look})
        await page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
        )  # it is told
        # Looks differ by their colours alone.
        found = await axe.violations(page, only=None if look == LOOKS[0] else "color-contrast")
        wrong += [f"{what} {look}: {each}" for each in found]
    await page.emulate_media(**USUAL_LOOK)
    await page.set_viewport_size(TWICE_AS_LARGE)
    if not await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"):
        wrong.append(f"{what}: has to be scrolled sideways at 200 %")
    await page.set_viewport_size(before)
    assert wrong == []


@asynccontextmanager
async def a_site(**settings: Any) -> AsyncIterator[tuple[str, Browsers]]:
    async with a_server(seconds=120, **settings) as server, browsers() as people:
        yield address(server.port), people


async def test_axe_finds_what_is_wrong() -> None:
    """Else nothing below means anything."""
    async with browsers() as people:
        page = await people.page("about:blank")
        await page.set_content("<html><img src=''><button></button></html>")
        rules = {each.split(":")[0] for each in await axe.violations(page)}
        assert {"image-alt", "button-name", "html-has-lang"} <= rules


async def test_the_ways_in_stand() -> None:
    async with a_site() as (url, people):
        page = await people.page(url, viewport=DESKTOP)
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        await stands(page, "the first page")
        await press(page, "Play now")
        await expect(page.get_by_role("button", name="Stop looking")).to_be_visible()
        await stands(page, "the first page while it seeks")
        await press(page, "Stop looking")
        await press(page, "Settings")
        await stands(page, "the settings")
        await press(page, "Close")
        await press(page, "Create a table")
        await stands(page, "a new table")
        await press(page, "How to play Tic-tac-toe")
        await expect(page.get_by_role("dialog").get_by_role("gridcell").first).to_be_visible()
        await stands(page, "a lesson")
        await page.get_by_role("gridcell", name="c3, free").click()
        await stands(page, "an answer in a lesson")
        await page.keyboard.press("Escape")
        await press(page, "Open the table")
        await press(page, "Show QR code")
        await stands(page, "a table that waits")
        friend = await people.page(page.url, **PHONE)
        await stands(friend, "behind a link")
        lost = await people.page(f"{url}ABCD-EFGH", viewport=DESKTOP)
        await expect(lost.get_by_role("alert")).to_contain_text("No table has this code.")
        await stands(lost, "behind a wrong link")
        handed = await people.page(f"{url}#go=abc", viewport=DESKTOP)
        await stands(handed, "on another device")


async def test_what_one_seeks_and_other_servers_stand() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        told = announced("Tablero on one", 8470, {}, address="192.168.1.7")
        server.neighbours._hear(told.name, told)
        page = await people.page(address(server.port), viewport=DESKTOP)
        await expect(page.get_by_text("Other tables on this network")).to_be_visible()
        await page.get_by_text("Play from a terminal").click()
        await expect(page.locator(".commands code")).to_have_count(1)
        await stands(page, "other servers and what to type")
        await press(page, "Choose a game and a clock")
        await page.get_by_role("dialog").get_by_role("radio", name="Quoridor").check(force=True)
        await stands(page, "what to seek")


async def test_what_is_behind_a_link_stands() -> None:
    async with a_game() as (url, people, ana, _, room):
        page = await people.page(url + room["code"], viewport=DESKTOP)
        await expect(page.get_by_text("Game in progress")).to_be_visible()
        await stands(page, "a game that is on")
        await ana.ask("resign", room=room["room"], seat=0)
        await page.reload()
        await expect(page.get_by_text("The game is over.")).to_be_visible()
        await stands(page, "a game that is over")


async def test_the_computer_on_the_first_page_stands() -> None:
    async with served(bots=True) as server, browsers() as people:
        page = await people.page(server.url, viewport=DESKTOP)
        await expect(page.get_by_text("Bots: 1")).to_be_visible()
        await stands(page, "the first page with bots")


async def test_the_question_for_a_passphrase_stands() -> None:
    async with a_site(entry="passphrase", passphrase="open sesame") as (url, people):
        page = await people.page(url, viewport=DESKTOP)
        await expect(page.get_by_role("dialog")).to_be_visible()
        await stands(page, "the passphrase")


@pytest.mark.parametrize("game", GAMES)
async def test_a_table_stands_while_it_is_played_and_after_the_end(game: str) -> None:
    whole = GAMES[game]
    turns, winner = by_the_rules(game)
    async with a_site() as (url, people):
        ana, ben = await two_at_a_table(people, url, whole.title, whole.size, viewport=DESKTOP)
        for number, (seat, place) in enumerate(turns):
            await expect(state((ana, ben)[seat])).to_contain_text("Your turn")
            if number == 3:
                await press(ana, "Offer a draw")
                await expect(ben.get_by_text("ana offers a draw.")).to_be_visible()
                await stands(ben, "the table with an offer")
            await by_mouse((ana, ben)[seat], place)
        await expect(state((ana, ben)[winner])).to_contain_text("You win")
        await stands(ana, "the table after the end")


async def test_what_a_table_asks_and_says_stands() -> None:
    async with a_site() as (url, people):
        ana, _ = await two_at_a_table(people, url, "Connect Four", viewport=DESKTOP)
        await expect(state(ana)).to_contain_text("Your turn")
        await press(ana, "Resign")
        await stands(ana, "whether one is sure")
        await press(ana, "Stay")
        await press(ana, "More")
        await stands(ana, "the menu of a table")
        await ana.keyboard.press("Escape")
        await choose(ana, "Continue on another device")
        await stands(ana, "the way to another device")
        await press(ana, "Close")
        eve = await people.page(ana.url, viewport=DESKTOP)
        await press(eve, "Watch")
        await expect(eve.get_by_text("Only spectators can read this")).to_be_visible()
        await stands(eve, "the table of a watcher")


async def test_a_minefield_stands() -> None:
    async with a_site() as (url, people):
        page = await people.page(url, viewport=DESKTOP)
        await make_a_minefield(page, "Alone", guessing="May be needed")
        await stands(page, "a minefield")


async def test_a_lost_line_stands() -> None:
    async with served() as server, browsers() as people:
        page = await people.page(server.url, viewport=DESKTOP)
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        await server.kill()
        await expect(page.get_by_text("Connection lost")).to_be_visible()
        await stands(page, "a lost line")


async def test_where_colours_are_forced_the_boards_keep_theirs() -> None:
    """Whose token it is, and where none is, is still to be seen."""
    async with a_site() as (url, people):
        ana, ben = await two_at_a_table(people, url, "Tic-tac-toe", forced_colors="active")
        for page, place in ((ana, "b2"), (ben, "a1"), (ana, "c1"), (ben, "c3")):
            await expect(state(page)).to_contain_text("Your turn")
            await by_mouse(page, f"{place}, free")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.mouse.move(0, 0)
        await axe.still(ana)
        colours = {name: await beside_the_middle(ana, name) for name in ("b2", "c1", "a1", "c3", "b1")}
        assert colours["b2"] == colours["c1"], "of one player"
        assert colours["a1"] == colours["c3"], "of the other"
        assert len(set(colours.values())) == 3, "the third is of nobody"


async def beside_the_middle(page: Any, cell: str) -> bytes:
    """A picture of two by two pixels: of a token between its mark and its rim."""
    box = await page.get_by_role("gridcell", name=f"{cell},").bounding_box()
    middle = (box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    return bytes(
        await page.screenshot(clip={"x": int(middle[0]), "y": int(middle[1]), "width": 2, "height": 2})
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_what_is_pressed_looks_pressed_where_colours_are_forced(scheme: str) -> None:
    async with a_site() as (url, people):
        ana, _ = await two_at_a_table(people, url, "Quoridor", color_scheme=scheme, forced_colors="active")
        await expect(state(ana)).to_contain_text("Your turn")
        button = ana.get_by_role("button", name="Place a wall")
        before = await button.evaluate(_BORDER)
        await button.click()
        assert await button.evaluate(_BORDER) != before


_BORDER = "each => getComputedStyle(each).borderWidth"


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_by_what_is_read_out(game: str) -> None:
    """Who sees nothing hears each move of the other once, knows it, and types the own ones."""
    whole = GAMES[game]
    turns, winner = by_the_rules(game)
    async with a_site() as (url, people):
        pages = await two_at_a_table(people, url, whole.title, whole.size)
        for page in pages:
            await expect(state(page)).not_to_be_empty()
            await page.evaluate(
                """() => {
                    const live = document.querySelector("[aria-live=polite]");
                    window.heard = [live.textContent];
                    const hear = () => window.heard.push(live.textContent);
                    new MutationObserver(hear).observe(live, {childList: true, subtree: true});
                }"""
            )
        before = ""
        for (seat, _), move in zip(turns, whole.moves, strict=True):
            await pages[seat].wait_for_function(
                """move => {
                    const last = window.heard.at(-1);
                    return last.includes(move && `: ${move}`) && last.endsWith("Your turn");
                }""",
                arg=before,
            )
            await by_typing(pages[seat], move)
            before = move
        await pages[winner].wait_for_function("() => window.heard.at(-1).includes('You win')")
        await pages[1 - winner].wait_for_function("() => window.heard.at(-1).includes('wins')")
        for seat, page in enumerate(pages):
            heard = await page.evaluate("() => window.heard")
            told = [sentence.split(": ", 1)[1].split(".")[0] for sentence in heard if ": " in sentence]
            assert told == list(whole.moves), "each move once, the own ones too"
            assert any(("ana", "ben")[1 - seat] in sentence for sentence in heard)


async def test_the_pages_about_people_and_the_replay_stand() -> None:
    async with two_guests() as (server, ana, ben, people):
        for _ in range(3):
            room = await played(ana, ben, **RATED)
        people.forgiven += ("status of 404",)
        url = address(server.port)
        player = await people.page(f"{url}player/ana", viewport=DESKTOP)
        await expect(player.get_by_role("link", name="Replay Tic-tac-toe").first).to_be_visible()
        await stands(player, "a player")
        top = await people.page(f"{url}top", viewport=DESKTOP)
        await expect(top.get_by_role("button", name="blitz")).to_be_visible()
        await stands(top, "the best")
        replay = await people.page(f"{url}replay/{room}", viewport=DESKTOP)
        await expect(replay.get_by_role("grid", name="Tic-tac-toe, board")).to_be_visible()
        await stands(replay, "a replay")
        none = await people.page(f"{url}replay/nowhere", viewport=DESKTOP)
        await expect(none.get_by_role("alert")).to_contain_text("This table is closed or never existed.")
        await stands(none, "a replay that is not there")


async def test_a_planned_move_the_settings_and_who_somebody_is_stand() -> None:
    async with a_site() as (url, people):
        ana, ben = await two_at_a_table(people, url, "Tic-tac-toe")
        await expect(state(ana)).to_contain_text("Your turn")
        await ben.get_by_role("gridcell", name="b2, free").click()
        await expect(ben.get_by_role("button", name="Cancel the planned move")).to_be_visible()
        await stands(ben, "a planned move")
        await press(ben, "Settings")
        await stands(ben, "the settings")
        await press(ben, "Close")
        await press(ben, "ana")
        await expect(
            ben.get_by_role("dialog", name="Player").get_by_text("No rated games yet.")
        ).to_be_visible()
        await stands(ben, "who somebody is")
