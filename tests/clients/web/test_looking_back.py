"""Looking back at a game while it goes on."""

from __future__ import annotations

from typing import Any

from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.proxy import a_proxy
from tests.harness.web.tables import PROCESS_MS, moves, press, state, tap, two_at_a_table
from tests.harness.wire import a_server, a_wire


def held(page: Any) -> Any:
    return page.locator(".pieces .token")


async def test_a_player_steps_back_and_on_while_the_game_goes_on() -> None:
    async with a_server(seconds=120) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(ana.get_by_role("button", name="Previous move")).to_be_hidden()
        for page, column in ((ana, 4), (ben, 3), (ana, 4)):
            await expect(state(page)).to_contain_text("Your turn")
            await tap(page, column)
        await expect(state(ben)).to_contain_text("Your turn")
        await expect(ana.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_count(3)
        back = ana.get_by_role("button", name="Previous move")
        await back.evaluate("(button) => { button.click(); button.click(); }")  # before the first is answered
        await expect(held(ana)).to_have_count(1, timeout=PROCESS_MS)
        await press(ana, "Next move")
        await expect(held(ana)).to_have_count(2)
        await expect(ana.get_by_text("2 of 3. ben: 3")).to_be_visible()
        await press(ana, "First move")
        await expect(held(ana)).to_have_count(0)
        await expect(ana.get_by_text("At the start")).to_be_visible()
        await tap(ben, 5)  # what is played meanwhile is told, and not shown yet
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(held(ana)).to_have_count(0)
        await tap(ana, 1)  # plays nothing: it was for another position
        await expect(held(ana)).to_have_count(4)
        await expect(ana.get_by_role("button", name="Back to the game")).to_be_hidden()
        await press(ana, "First move")
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
        await press(ana, "Previous move")
        await expect(held(ana)).to_have_count(4, timeout=PROCESS_MS)  # of which the server was asked anew
        await ana.get_by_role("textbox", name="Say something").press("ArrowLeft")
        await expect(held(ana)).to_have_count(4)


_BOXES = {"rows": 1, "columns": 2}
_PLACED = """items => items.map(item => {
    const {left, top} = item.getBoundingClientRect();
    return [left, top, getComputedStyle(item, "::before").content !== "none"];
})"""


async def test_the_list_has_a_line_for_a_move_of_each_and_lights_what_is_pointed_at() -> None:
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="dots-and-boxes", seats=2, seat=0, options=_BOXES)
        await ben.ask("join", room=room["room"], seat=1)
        eve = await people.page(address(server.port) + room["code"])
        await press(eve, "Watch")
        for ply, (seat, move) in enumerate(
            ((0, "a1h"), (1, "a1v"), (0, "b1v"), (1, "a2h"), (1, "b1h"), (0, "c1v"))
        ):
            answer = await ben.ask("playTurn", room=room["room"], seat=seat, ply=ply, move=move)
            assert answer["type"] != "refused", answer
        await expect(moves(eve)).to_have_text(["a1h", "a1v", "b1v", "a2h", "b1h", "c1v"])
        lefts, tops, numbers = zip(*await moves(eve).evaluate_all(_PLACED), strict=True)
        assert [sorted({*lefts}).index(left) for left in lefts] == [0, 1, 0, 1, 1, 0]
        assert [sorted({*tops}).index(top) for top in tops] == [0, 0, 1, 1, 2, 3]
        assert numbers == (True, False, True, False, True, True)
        lit, own = eve.locator(".lit > *"), eve.get_by_role("button", name="ben: a1v")
        await own.hover()
        await expect(lit).to_have_count(1)
        edge = eve.locator(".edge").nth(1)
        assert await lit.get_attribute("d") == await edge.get_attribute("d")
        await eve.locator("h1").hover()
        await expect(lit).to_have_count(0)
        await own.focus()
        await eve.keyboard.press("Tab")
        await expect(lit).to_have_count(1)
        await expect(eve.locator(".looks-back")).to_have_count(0)


async def test_a_pause_is_no_move_to_look_back_at() -> None:
    clock = {"base": 300, "increment": 0}
    async with a_server(seconds=120) as server, browsers() as people, a_wire(server) as ben:
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="tic-tac-toe", seats=2, seat=1, clock=clock, private=True)
        ana = await people.page(address(server.port) + room["code"])
        await press(ana, "Sit down")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="b2").click()
        await expect(moves(ana)).to_have_count(1)
        await ben.ask("playTurn", room=room["room"], seat=1, ply=1, move="a1")
        await expect(moves(ana)).to_have_count(2)
        await ben.ask("offer", room=room["room"], seat=1, what="pause")
        await press(ana, "Accept")
        await expect(state(ana)).to_contain_text("The game is paused.")
        await expect(moves(ana)).to_have_count(2)
        await ana.reload()
        await expect(state(ana)).to_contain_text("The game is paused.")
        await press(ana, "Previous move")
        await expect(ana.get_by_text("1 of 2.")).to_be_visible(timeout=PROCESS_MS)
        await expect(ana.get_by_role("gridcell", name="a1, free")).to_be_visible()
        await ana.get_by_role("gridcell", name="c3").click()  # back to what is, and nothing is played
        await expect(ana.get_by_role("gridcell", name="a1, ben")).to_be_visible()
        await expect(moves(ana)).to_have_count(2)


async def test_what_was_played_while_a_page_was_away_is_looked_back_at_too() -> None:
    """It is told the position alone, and asks what led there."""
    async with (
        a_server(seconds=120, replay_events=0) as server,
        a_proxy(server.port) as proxy,
        browsers() as people,
        a_wire(server) as ben,
    ):
        await ben.hello("ben")
        joined = await ben.ask("createRoom", game="tic-tac-toe", seats=2, private=True)
        await ben.ask("join", room=joined["room"], seat=1)

        async def plays(ply: int, move: str) -> None:
            seat = ply % 2
            answer = await ben.ask("playTurn", room=joined["room"], seat=seat, ply=ply, move=move)
            assert answer["type"] != "refused", answer

        await plays(0, "b2")
        eve = await people.page(address(proxy.port) + joined["code"])
        await press(eve, "Watch")
        await expect(moves(eve)).to_have_count(1)
        proxy.hold()
        for ply, move in enumerate(("a1", "c1", "a3"), 1):
            await plays(ply, move)
        proxy.break_off()
        proxy.flow()
        await expect(moves(eve)).to_have_count(4)
        await press(eve, "Previous move")
        await expect(eve.get_by_text("3 of 4. ben: c1")).to_be_visible(timeout=PROCESS_MS)
        await expect(eve.get_by_role("gridcell", name="a3, free")).to_be_visible()
        await expect(eve.get_by_role("gridcell", name="c1, ben")).to_be_visible()


async def test_a_watcher_on_a_phone_looks_back_at_a_private_game() -> None:
    async with a_server(seconds=120) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Quoridor")
        await ana.get_by_role("gridcell", name="e2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")
        eve = await people.page(ana.url, **PHONE)
        await press(eve, "Watch")
        await expect(eve.get_by_role("gridcell", name="e2, ana")).to_be_visible()
        await eve.get_by_role("button", name="Previous move").click()
        await expect(eve.get_by_role("gridcell", name="e1, ana")).to_be_visible(timeout=PROCESS_MS)
        await expect(eve.get_by_text("At the start")).to_be_visible()
        assert await eve.evaluate("document.documentElement.scrollWidth <= innerWidth")
