"""Lines that are cut without a word, pages that sleep, tabs of one person: nothing is lost or comes twice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from tests.harness.browser import address, browsers, expect
from tests.harness.proxy import Proxy, a_proxy
from tests.harness.tiers import FULL
from tests.harness.web.tables import BACK_SECONDS, LOST, moves, state, tap, two_at_a_table
from tests.harness.wire import Wire, a_server, a_wire

CUT_SECONDS = 30
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@asynccontextmanager
async def through_a_proxy() -> AsyncIterator[tuple[Any, Proxy, Wire, str]]:
    """The page of Ana, who is to move; what she comes through; Ben, who is never cut off; and their room."""
    async with (
        a_server(seconds=120) as server,
        a_wire(server) as ben,
        a_proxy(server.port) as proxy,
        browsers() as people,
    ):
        await ben.hello("ben")
        room = await ben.ask(
            "createRoom", game="connect-four", seat=1, private=True, subscribe=["nextPlayer"]
        )
        ana = await people.page("about:blank")
        await ana.clock.install()
        await ana.goto(address(proxy.port) + room["code"])
        await ana.get_by_role("button", name="Sit down").click()
        await expect(state(ana)).to_contain_text("Your turn")
        yield ana, proxy, ben, room["room"]


async def test_a_board_that_did_not_come_comes_with_the_line() -> None:
    async with (
        a_server(seconds=60) as server,
        a_wire(server) as ben,
        a_proxy(server.port) as proxy,
        browsers() as people,
    ):
        people.forgiven += ("Failed to load resource",)
        await ben.hello("ben")
        room = await ben.ask("createRoom", game="connect-four", seat=1, private=True)
        ana = await people.page("about:blank")
        board = re.compile(r"/boards/connect-four\.js")
        await ana.route(board, lambda route: route.abort())
        await ana.goto(address(proxy.port) + room["code"])
        await ana.get_by_role("button", name="Sit down").click()
        await expect(ana.get_by_text("Reload the page")).to_be_visible()
        await ana.unroute(board)
        proxy.break_off()
        await tap(ana, 4)
        await expect(moves(ana)).to_have_count(1)
        await expect(ana.get_by_text("Reload the page")).to_have_count(0)


async def heard(ben: Wire, ply: int) -> None:
    while not any(each["type"] == "nextPlayer" and each["ply"] == ply for each in ben.heard):
        await ben.hear()


async def test_a_move_into_a_cut_of_half_a_minute_is_played_once() -> None:
    """Nobody closes anything: the page itself finds out. FULL=1 waits for it in real time."""
    async with through_a_proxy() as (ana, proxy, ben, room):
        proxy.hold()
        await tap(ana, 4)
        if FULL:
            await asyncio.sleep(CUT_SECONDS)
        else:
            await ana.clock.run_for(CUT_SECONDS * 1000)
        await expect(ana.get_by_text(LOST)).to_be_visible()
        await expect(ana.get_by_text("Your move will be sent")).to_be_visible()
        proxy.flow()
        began = monotonic()
        await expect(state(ana)).to_contain_text("ben is thinking")
        assert monotonic() - began < BACK_SECONDS
        await expect(ana.get_by_text(LOST)).not_to_be_visible()
        await expect(moves(ana)).to_have_count(1)
        await heard(ben, 1)
        await ben.ask("playTurn", room=room, seat=1, ply=1, move="4")
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(moves(ana)).to_have_count(2)


async def test_a_tab_that_slept_for_an_hour_shows_what_was_played_meanwhile() -> None:
    async with through_a_proxy() as (ana, proxy, ben, room):
        await tap(ana, 4)
        await expect(state(ana)).to_contain_text("ben is thinking")
        await ana.evaluate(HIDE, arg=True)
        proxy.hold()
        await heard(ben, 1)
        await ben.ask("playTurn", room=room, seat=1, ply=1, move="4")
        await ana.clock.fast_forward(3_600_000)
        proxy.break_off()
        proxy.flow()
        await ana.evaluate(HIDE, arg=False)
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(moves(ana)).to_have_count(2)
        await tap(ana, 5)
        await expect(state(ana)).to_contain_text("ben is thinking")
        await heard(ben, 3)


async def test_a_duplicated_tab_throws_nobody_out() -> None:
    """A browser copies what a tab keeps for itself, and so would copy its session."""
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.evaluate("() => sessionStorage.setItem('copied', 'yes')")
        async with ana.context.expect_page() as opened:
            await ana.evaluate("() => { open(location.href); }")
        other = await opened.value
        assert await other.evaluate("() => sessionStorage.getItem('copied')") == "yes"
        await expect(other.get_by_role("button", name="Play here")).to_be_visible()
        await tap(ana, 4)
        for page in (ana, other, ben):
            await expect(moves(page)).to_have_count(1)
            await expect(page.get_by_role("button", name="Reload")).to_have_count(0)
            await expect(page.get_by_text(LOST)).not_to_be_visible()
        await tap(ben, 4)
        await other.get_by_role("button", name="Play here").click()
        await tap(other, 5)
        await expect(moves(ben)).to_have_count(3)
        await expect(moves(ana)).to_have_count(3)
