"""How the page looks and sounds, as chosen: themes, palettes, contrast, tones."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.web.colours import apart, contrast
from tests.harness.web.tables import press, state, tap, two_at_a_table
from tests.harness.wire import a_server, a_wire

PAPER = "() => getComputedStyle(document.documentElement).backgroundColor"
PAPERS = {
    ("light", None): "rgb(243, 238, 228)",
    ("dark", None): "rgb(20, 23, 30)",
    ("light", "High contrast"): "rgb(255, 255, 255)",
    ("dark", "High contrast"): "rgb(0, 0, 0)",
    ("light", "Dark"): "rgb(20, 23, 30)",
    ("dark", "Light"): "rgb(243, 238, 228)",
}
PALETTES = {"Red and blue": "ember", "Gold and navy": "gold", "Violet and green": "violet"}
HEARD = """() => {
    window.heard = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
        window.heard.push(this.frequency.value);
        return start.call(this, at);
    };
    window.contexts = 0;
    window.AudioContext = class extends AudioContext {
        constructor(...given) {
            super(...given);
            window.contexts += 1;
        }
    };
}"""


async def choose(page: Any, name: str) -> None:
    await press(page, "Settings")
    await page.get_by_role("dialog").get_by_role("radio", name=name, exact=True).check(force=True)
    await press(page.get_by_role("dialog"), "Close")


@pytest.mark.parametrize(("scheme", "theme"), PAPERS)
async def test_a_theme_is_that_of_the_system_or_the_one_that_was_chosen_and_is_kept(
    scheme: str, theme: str | None
) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), color_scheme=scheme, **PHONE)
        if theme:
            await choose(page, theme)
        assert await page.evaluate(PAPER) == PAPERS[scheme, theme]
        await page.reload()
        await expect(page.get_by_role("button", name="Play now")).to_be_visible()
        assert await page.evaluate(PAPER) == PAPERS[scheme, theme]


async def test_a_system_that_changes_or_asks_for_contrast_is_followed() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), color_scheme="light")
        await expect(page.get_by_role("button", name="Play now")).to_be_visible()
        await page.emulate_media(color_scheme="dark")
        await page.wait_for_function(f"(paper) => ({PAPER})() === paper", arg=PAPERS["dark", None])
        await page.emulate_media(color_scheme="light", contrast="more")
        await page.wait_for_function(
            f"(paper) => ({PAPER})() === paper", arg=PAPERS["light", "High contrast"]
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("palette", PALETTES)
async def test_players_of_any_palette_are_told_apart_by_all_eyes(palette: str, scheme: str) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), color_scheme=scheme)
        await choose(page, palette)
        colours = await page.evaluate(
            """() => {
                const own = getComputedStyle(document.documentElement);
                const seats = Array.from({length: 8}, (_, seat) => `seat-${seat}`);
                const named = ["grid", "paper", "soft", "hole", "mark", ...seats];
                return named.map((name) => own.getPropertyValue(`--${name}`));
            }"""
        )
        grid, paper, soft, hole, mark, *seats = colours
        assert min(contrast(grid, paper), contrast(grid, hole)) > 3, "a free edge or cell"
        assert contrast(soft, hole) > 3, "where a pawn may go"
        assert await page.evaluate("() => document.documentElement.dataset.palette") == PALETTES[palette]
        assert apart(seats[0], seats[1]) > 0.11
        for one, other in combinations(seats, 2):
            assert apart(one, other) > 0.09, (one, other)
        for seat in seats:
            assert min(contrast(seat, hole), contrast(seat, mark)) > 3, seat


async def test_nothing_is_heard_before_somebody_touches_the_page() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        for page in (ana, ben):
            await page.evaluate(f"({HEARD})()")
        await ben.reload()
        await expect(state(ben)).to_contain_text("is thinking")
        await ben.evaluate(f"({HEARD})()")
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        assert await ben.evaluate("() => [window.heard, window.contexts]") == [[], 0]


@pytest.mark.parametrize(("sound", "turns"), [("My turn, results", 1), ("All sounds", 2), ("No sound", 0)])
async def test_what_is_heard_is_what_was_chosen(sound: str, turns: int) -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        await choose(ana, sound)
        await ana.evaluate(f"({HEARD})()")
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        await tap(ben, 4)
        await expect(state(ana)).to_contain_text("Your turn")
        await press(ben, "Resign")
        await ben.get_by_role("dialog").get_by_role("button", name="Resign").click()
        won = [523, 659, 784]
        heard = {0: [], 1: [523, 784, *won], 2: [196, 523, 784, *won]}[turns]
        await ana.wait_for_function("([wanted]) => window.heard.length >= wanted", arg=[len(heard)])
        assert await ana.evaluate("() => window.heard") == heard
        assert (
            await ana.evaluate("() => localStorage.getItem('tablero.sound')")
            == {
                "My turn, results": None,
                "All sounds": "on",
                "No sound": "off",
            }[sound]
        )


LOW = "() => window.heard.filter(pitch => pitch === 988).length"


async def test_a_clock_that_falls_low_is_heard_once_and_by_its_player_alone() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="tic-tac-toe", seats=2, seat=1, clock={"perMove": 1})
        pages = []
        for button in ("Sit down", "Watch"):
            page = await people.page(address(server.port) + room["code"])
            pages.append(page)
            await page.evaluate(f"({HEARD})()")
            await press(page, button)
            await expect(page.get_by_role("grid")).to_be_visible()
        ana, eve = pages
        await ana.get_by_role("gridcell", name="b2").click()
        await expect(state(eve)).to_contain_text("ben is thinking")
        await ben.ask("playTurn", room=room["room"], seat=1, ply=1, move="a1")
        for page in (ana, eve):  # until the time is up
            await expect(page.locator(".verdict")).to_be_visible()
        await ana.wait_for_function(f"({LOW})() === 3")
        assert await eve.evaluate(LOW) == 0


async def test_the_settings_are_reached_from_a_table_and_by_keyboard() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("button", name="Settings").focus()
        await ana.keyboard.press("Enter")
        await expect(ana.get_by_role("dialog").get_by_role("heading", name="Settings")).to_be_visible()
        await ana.get_by_role("radio", name="Same as system").focus()
        await ana.keyboard.press("ArrowDown")
        await ana.keyboard.press("ArrowDown")
        assert await ana.evaluate(PAPER) == PAPERS["dark", None]
        await ana.keyboard.press("Escape")
        await expect(ana.get_by_role("dialog")).to_have_count(0)


async def test_a_page_without_sound_is_no_worse() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page("about:blank")
        await page.add_init_script(
            "delete globalThis.AudioContext; localStorage.setItem('tablero.sound', 'on')"
        )
        await page.goto(address(server.port))
        await press(page, "Create a table")
        await press(page, "Open the table")
        await expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
