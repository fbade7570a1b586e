"""Minesweeper in a browser: together by every hand, a race, alone, and on fields larger than the screen."""

from __future__ import annotations

import pytest

from tablero_games.minesweeper.grid import grid_of
from tests.harness.addresses import a_site_at
from tests.harness.browser import PHONE, address, browsers, expect, served
from tests.harness.hands import FINGER, KEYBOARD, MOUSE, Hand, a_page_for
from tests.harness.web.minesweeper import Seen, a_race, begun, cell, make_a_table, rest, settled, solve
from tests.harness.web.tables import (
    GAMES,
    by_one_hand_alone,
    by_typing,
    hands_at_addresses,
    said_of,
    state,
    who_has_the_link,
)
from tests.harness.wire import a_server, a_wire


@pytest.mark.parametrize(("hand", "where"), hands_at_addresses(len(GAMES)), ids=said_of)
async def test_a_whole_game_together(hand: Hand, where: str) -> None:
    async with a_server(seconds=120) as server, a_site_at(where, server.port) as site:
        ana = await a_page_for(hand, site.people, site.url, **hand.screens[0])
        await make_a_table(ana, "Together on one field", hand=hand)
        pages = (ana, await who_has_the_link(ana, hand, site))
        await solve(pages, hand, flags=4)
        for page in pages:
            await expect(state(page)).to_contain_text("You win")
            await expect(state(page)).to_contain_text("all safe cells are open")
            await expect(page.get_by_role("gridcell", name="covered")).to_have_count(0)
            await expect(page.get_by_role("gridcell", name="mine")).to_have_count(6)
        await by_one_hand_alone(pages, hand)


async def test_a_whole_game_alone_is_among_the_best_times() -> None:
    async with a_server(seconds=120) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await page.get_by_label("Your name").fill("ana")
        await make_a_table(page, "Alone", hand=FINGER)
        await solve([page], FINGER, flags=4)
        await expect(state(page)).to_contain_text("You win")
        await expect(page.get_by_text("71 of 71")).to_be_visible()
        await expect(state(page)).to_contain_text("s: your best time, number 1 overall")
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "it fits"
        await page.goto(address(server.port) + "top")
        await page.get_by_role("radio", name="Minesweeper").check(force=True)
        await page.get_by_role("button", name="Beginner, no guessing").click()
        best = page.locator(".leaders").get_by_role("listitem").filter(has_text=" s").filter(has_text="ana")
        await expect(best).to_be_visible()


async def test_a_game_alone_from_the_first_page_is_public_so_that_its_time_counts() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as eve:
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Play Minesweeper alone, Beginner").click()
        await expect(state(page)).to_contain_text("Open every cell")
        await eve.hello("eve")
        lobby = await eve.ask("watchLobby")
        assert [line["game"] for line in lobby["rooms"]] == ["minesweeper"]


async def test_a_race_to_its_end_tells_nothing_of_where_the_rival_dug() -> None:
    """Neither a rival nor a spectator who comes late sees it."""
    async with a_server(seconds=120) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port))
        eve = await people.page(ana.url)
        await eve.get_by_role("button", name="Watch").click()
        start = await Seen.on(ben)
        _, safe = start.certain()
        first = min(safe)
        before = await ben.content()
        await cell(ana, first).click()
        await settled(ana)
        opened = sum(look not in ("covered", "flag") for look in (await Seen.on(ana)).looks.values())
        for page in (ben, eve):
            await expect(page.get_by_text(f"{opened} of 71")).to_be_visible()
        assert await Seen.on(ben) == start
        assert set((await Seen.on(eve)).looks.values()) == {"covered"}
        await expect(eve.get_by_text("Each player has a separate board")).to_be_visible()
        await expect(eve.get_by_text("Mines left")).to_be_hidden()
        for page in (ben, eve):
            await expect(page.get_by_role("list", name="Moves")).to_have_text("No move yet.")
            assert "dig " not in await page.content()
        assert (await ben.content()).count(first) == before.count(first)
        await solve([ana], MOUSE, flags=0)
        await expect(state(ana)).to_contain_text("You win")
        await expect(state(ben)).to_contain_text("ana wins")
        for page in (ben, eve):
            await expect(page.get_by_role("gridcell", name="mine")).to_have_count(10)
            await expect(page.get_by_text("71 of 71")).to_be_visible()


async def test_a_race_of_three_has_its_board_on_the_screen_of_a_small_laptop() -> None:
    async with (
        a_server(seconds=60) as server,
        browsers() as people,
        a_wire(server) as ben,
        a_wire(server) as cai,
    ):
        await ben.hello("ben")
        await cai.hello("cai")
        options = {"mode": "race", "level": "intermediate"}
        room = await ben.ask("createRoom", game="minesweeper", options=options, seats=3)
        await cai.ask("join", room=room["room"])
        screen = {"width": 1000, "height": 720}
        ana = await people.page(address(server.port) + room["code"], viewport=screen)
        await ana.get_by_role("button", name="Sit down").click()
        await expect(ana.get_by_role("gridcell")).to_have_count(256)
        await expect(ana.locator(".minefield")).to_be_in_viewport(ratio=1)


async def test_who_digs_a_mine_in_a_race_is_out_and_the_others_play_on() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port))
        mines, safe = (await Seen.on(ana)).certain()
        mine = min(mines)
        await cell(ana, mine).click()
        await expect(cell(ana, mine)).to_have_accessible_name(f"{mine}, hit mine")
        await expect(state(ana)).to_contain_text("The game continues")
        await expect(ben.get_by_text("hit a mine, ")).to_be_visible()
        for gone in ("Flags", "Resign", "Play"):
            await expect(ana.get_by_role("button", name=gone, exact=True)).to_be_hidden()
        assert (await Seen.on(ben)).looks[mine] == "covered"
        await cell(ben, min(safe)).click()
        await settled(ben)
        await expect(cell(ben, min(safe))).not_to_have_accessible_name(f"{min(safe)}, covered")
        await ben.get_by_role("button", name="Resign").click()
        await expect(ben.get_by_text("the others keep playing")).to_be_visible()
        await ben.get_by_role("dialog").get_by_role("button", name="Resign").click()
        await expect(state(ana)).to_contain_text("the winner opened most, ")
        await expect(cell(ana, mine)).to_have_accessible_name(f"{mine}, hit mine")
        await expect(ana.get_by_role("gridcell", name=", mine")).to_have_count(9)


async def test_who_is_out_of_a_race_leaves_without_a_question() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port))
        await ana.get_by_role("button", name="Resign").click()
        await ana.get_by_role("dialog").get_by_role("button", name="Resign").click()
        await expect(ben.get_by_text("resigned, ")).to_be_visible()
        await ana.get_by_role("button", name="Leave").click()
        await expect(ana.get_by_role("heading", name="Open tables")).to_be_visible()
        await expect(state(ben)).to_contain_text("Open every cell")


async def test_quick_taps_wait_for_each_other_and_none_is_lost() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await a_race(people, address(server.port))
        covered = [name for name, look in (await Seen.on(ana)).looks.items() if look == "covered"][:12]
        await ana.evaluate(
            """(names) => {
                for (const name of names) {
                    const cell = document.querySelector(`[data-place="${name}"]`);
                    cell.dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}));
                }
            }""",
            covered,
        )
        await expect(ana.get_by_role("gridcell", name="flag")).to_have_count(12)
        await expect(ana.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_text(
            [f"flag {name}" for name in covered]
        )
        await expect(ana.get_by_text("Mines left: -2")).to_be_visible()


async def test_flag_mode_and_chords() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await a_race(people, address(server.port), "Together on one field")
        seen = await Seen.on(ana)
        mines, _ = seen.certain()
        grid, names = grid_of(9, 9), grid_of(9, 9).names
        chord, around = next(
            (name, near)
            for number, name in enumerate(names)
            if seen.looks[name].isdigit()
            and len(near := {names[each] for each in grid.around[number]} & mines) == int(seen.looks[name])
            and any(
                seen.looks[names[each]] == "covered" and names[each] not in mines
                for each in grid.around[number]
            )
        )
        await cell(ana, chord).click()
        await expect(ana.get_by_role("status").get_by_text("needs flags around it")).to_be_visible()
        await ana.get_by_role("button", name="Flags").click()
        for mine in sorted(around):
            await cell(ana, mine).click()
            await expect(cell(ben, mine)).to_have_accessible_name(f"{mine}, flag")
        await cell(ana, min(around)).click()
        await expect(cell(ben, min(around))).to_have_accessible_name(f"{min(around)}, covered")
        await cell(ana, min(around)).click()
        await settled(ana)
        await ana.get_by_role("button", name="Flags").click()
        await cell(ben, min(around)).click()  # a flag is not dug
        covered = ben.get_by_role("gridcell", name="covered")
        before = await covered.count()
        await cell(ben, chord).click()
        await expect(covered).not_to_have_count(before)
        await expect(state(ben)).not_to_contain_text("You lose")


async def test_n_goes_to_the_next_unknown_cell_and_keys_scroll_to_it() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await make_a_table(page, "Alone", size="Expert")
        start = page.locator("[role=gridcell][tabindex='0']")
        await start.focus()
        await page.keyboard.press("n")
        name = await page.evaluate("() => document.activeElement.dataset.place")
        grid = grid_of(16, 30)
        looks = (await Seen.on(page)).looks
        assert looks[name] == "covered"
        assert any(looks[grid.names[each]].isdigit() for each in grid.around[grid.cells[name]])
        for corner in ("a1", "ad16"):
            await KEYBOARD.walk(cell(page, corner))
            await expect(cell(page, corner)).to_be_in_viewport(ratio=0.9)  # its edge lies between two pixels


async def test_an_expert_board_scrolls_within_320_pixels() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await page.get_by_role("button", name="Play Minesweeper alone, Expert").tap()
        await expect(page.get_by_role("gridcell")).to_have_count(480)
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "it fits"
        one, other = [await cell(page, name).bounding_box() for name in ("a1", "b1")]
        assert other["x"] - one["x"] >= 36
        assert await page.evaluate(
            """() => {
                const field = document.querySelector(".minefield");
                field.scrollTo(0, 0);
                return field.scrollWidth > field.clientWidth && field.clientWidth <= innerWidth;
            }"""
        )
        await expect(page.locator(".field")).to_have_class("field cut-right cut-bottom")
        await cell(page, "a9").tap()
        await expect(cell(page, "a9")).to_have_accessible_name("a9, empty")
        await expect(page.get_by_role("timer")).to_contain_text("Time: 0:")


async def test_two_fingers_zoom_a_field_and_play_nothing() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await page.get_by_role("button", name="Play Minesweeper alone, Expert").tap()
        field = page.locator(".minefield")
        await expect(page.get_by_role("gridcell")).to_have_count(480)
        before, place = await cell(page, "p8").bounding_box(), await field.bounding_box()
        middle = {axis: place[axis] + place[side] / 2 for axis, side in (("x", "width"), ("y", "height"))}
        line = await page.context.new_cdp_session(page)

        async def fingers(kind: str, *apart: float) -> None:
            points = [{"x": middle["x"] + each, "y": middle["y"]} for each in apart]
            await line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        async def pinch(begin: float, end: float) -> float:
            """The width of a cell after that."""
            await fingers("touchStart", -begin)
            await fingers("touchStart", -begin, begin)
            for apart in (begin, (begin + end) / 2, end):
                await fingers("touchMove", -apart, apart)
            await fingers("touchEnd")
            return float((await cell(page, "p8").bounding_box())["width"])

        assert await pinch(30, 60) == pytest.approx(2 * before["width"], rel=0.02)
        assert await field.bounding_box() == place, "what is below stays there"
        assert await pinch(90, 9) < before["width"] / 3, "the whole field is seen"
        await expect(page.locator(".field")).to_have_class("field")
        await expect(page.get_by_role("gridcell", name="covered")).to_have_count(480)


async def test_taps_flag_and_holding_digs_also_after_a_reload() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), **PHONE)
        await page.get_by_role("button", name="Play Minesweeper alone, Beginner").tap()
        await page.get_by_role("button", name="Flags").tap()
        await page.reload()
        await expect(page.get_by_role("button", name="Flags")).to_have_attribute("aria-pressed", "true")
        await cell(page, "a1").tap()
        await expect(cell(page, "a1")).to_have_accessible_name("a1, flag")
        await rest(page, "e5", "empty")


async def test_a_race_is_counted_down_over_a_covered_field() -> None:
    async with (
        a_server(seconds=60, countdown_seconds=2) as server,
        browsers() as people,
        a_wire(server) as ben,
    ):
        await ben.hello("ben")
        options = {"mode": "race", "level": "beginner"}
        room = await ben.ask("createRoom", game="minesweeper", options=options, seats=2)
        ana = await people.page(address(server.port) + room["code"])
        await ana.get_by_role("button", name="Sit down").click()
        await expect(ana.locator(".countdown")).to_have_text("1")
        await expect(ana.get_by_role("gridcell", name="covered")).to_have_count(81)
        place = await ana.locator(".field").bounding_box()
        await cell(ana, "a1").click()
        await begun(ana)
        await expect(ana.locator(".countdown")).to_be_empty()
        await expect(ana.get_by_role("list", name="Moves")).to_have_text("No move yet.")
        await expect(ana.get_by_role("timer")).to_contain_text("Time: 0:0")
        assert await ana.locator(".field").bounding_box() == place, "the board stays where it was"


async def test_a_field_of_2500_cells_is_painted_where_it_changes() -> None:
    """Each cell once; a flag touches one of them, and the page answers at once."""
    async with (
        a_server(seconds=60) as server,
        browsers() as people,
        a_wire(server) as ben,
    ):
        await ben.hello("ben")
        options = {"width": 50, "height": 50, "mines": 400, "mode": "coop"}
        room = await ben.ask("createRoom", game="minesweeper", options=options, seats=2)
        ana = await people.page(address(server.port) + room["code"])
        await ana.get_by_role("button", name="Sit down").click()
        await expect(ana.get_by_role("gridcell")).to_have_count(2500)
        await by_typing(ana, "dig y25")
        await expect(cell(ana, "y25")).to_have_accessible_name("y25, empty")
        elements = await ana.evaluate("() => document.querySelectorAll('tablero-minesweeper *').length")
        assert elements <= 3 * 2500 + 100
        await ana.evaluate(
            """() => {
                window.painted = new Set();
                new MutationObserver((all) => all.forEach(({target}) => window.painted.add(target)))
                    .observe(document.querySelector(".minefield"),
                        {subtree: true, childList: true, attributes: true});
            }"""
        )
        covered = next(name for name, look in (await Seen.on(ana)).looks.items() if look == "covered")
        await by_typing(ana, f"flag {covered}")
        await expect(cell(ana, covered)).to_have_accessible_name(f"{covered}, flag")
        await settled(ana)
        assert await ana.evaluate("() => window.painted.size") <= 4


async def test_the_computer_races() -> None:
    async with served(bots=True) as server, browsers() as people:
        page = await people.page(server.url)
        await page.get_by_role("button", name="Play Minesweeper against the computer, level hard").click()
        await begun(page)
        await expect(state(page)).to_contain_text("wins", timeout=30_000)


async def test_the_computer_plays_alone_and_is_watched() -> None:
    async with served(bots=True) as server, browsers() as people:
        page = await people.page(server.url)
        await expect(page.get_by_text("Bots: 1")).to_be_visible()  # one that comes later draws the panel anew
        await make_a_table(page, "The computer plays, you watch", "May be needed")
        await page.get_by_role("button", name="pinv-strict").click()
        await expect(page.get_by_role("list", name="Moves").get_by_role("button").first).to_be_visible()
        await expect(page.get_by_role("timer").first).to_contain_text("Time: ")


async def test_a_game_is_gone_on_with_after_a_reload() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, _ = await a_race(people, address(server.port))
        mines, safe = (await Seen.on(ana)).certain()
        await cell(ana, min(mines)).click(button="right")
        await cell(ana, min(safe)).click()
        moves = ana.get_by_role("list", name="Moves").get_by_role("listitem")
        await expect(moves).to_have_count(2)
        seen = await Seen.on(ana)
        await ana.reload()
        await expect(cell(ana, min(mines))).to_have_accessible_name(f"{min(mines)}, flag")
        assert await Seen.on(ana) == seen
        await expect(moves).to_have_count(2)


async def test_a_new_table_is_for_as_many_as_were_chosen() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Create a table").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_label("Players")).to_be_hidden()
        await dialog.get_by_role("radio", name="Minesweeper").check(force=True)
        await dialog.get_by_label("Mode").select_option(label="Alone")
        for asked in ("Players", "Who may join"):
            await expect(dialog.get_by_label(asked)).to_be_hidden()
        await dialog.get_by_label("Mode").select_option(label="Together on one field")
        await dialog.get_by_label("Players").select_option(label="5")
        await dialog.get_by_label("Guessing").select_option(label="Never needed")
        await dialog.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text("Waiting for 4 more players")).to_be_visible()
        await expect(page.get_by_text("Play both seats")).to_have_count(0)  # one hand digs on one board
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "it fits"
