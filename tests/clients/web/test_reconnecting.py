"""A server that is killed, and a line that breaks: the page says so, comes back by itself and plays once."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from tests.harness.browser import address, browsers, expect, served
from tests.harness.processes import done
from tests.harness.web.tables import BACK_SECONDS, LOST, moves, state, tap, two_at_a_table
from tests.harness.wire import a_server


async def test_a_move_tapped_while_the_server_is_dead_is_played_once(tmp_path: Path) -> None:
    async with served(f"sqlite:///{tmp_path}/games.db") as server, browsers() as people:
        ana, ben = await two_at_a_table(people, server.url, "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        await server.kill()
        await expect(ben.get_by_text(LOST)).to_be_visible()
        await tap(ben, 3)
        await tap(ben, 5)
        await expect(ben.get_by_text("Your move will be sent")).to_be_visible()
        await server.start()
        began = monotonic()
        await expect(state(ana)).to_contain_text("Your turn")
        assert monotonic() - began < BACK_SECONDS
        for page in (ana, ben):
            await expect(page.get_by_text(LOST)).not_to_be_visible()
            await expect(moves(page)).to_have_count(2)
            await expect(moves(page).last.get_by_role("button")).to_have_accessible_name("ben: 3")


async def test_a_game_that_the_host_restored_shows_what_the_server_has_and_says_so(tmp_path: Path) -> None:
    file, database = tmp_path / "backup", f"sqlite:///{tmp_path}/games.db"
    async with served(database) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, server.url, "Connect Four")
        for number, column in enumerate((4, 5, 3, 2)):
            if number == 2:
                await done("backup", file, "--database", database)
            await tap((ana, ben)[number % 2], column)
            await expect(moves(ana).last).to_have_text(str(column))
        await server.kill()
        await done("restore", file, "--database", database, "--replace")
        await server.start()
        for page in (ana, ben):
            await expect(page.get_by_text("Connect Four went back to an earlier position")).to_be_visible()
            await expect(moves(page)).to_have_text(["4", "5"])
        for page, column in ((ana, 1), (ben, 7)):
            await tap(page, column)
            await expect(moves(ana).last).to_have_text(str(column))
        await expect(moves(ben)).to_have_text(["4", "5", "1", "7"])


async def test_a_page_that_is_loaded_again_is_at_its_table_again() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await tap(ana, 4)
        await ben.reload()
        await expect(state(ben)).to_contain_text("Your turn")
        await tap(ben, 4)
        await expect(moves(ana)).to_have_count(2)
        await expect(moves(ben)).to_have_count(2)


async def test_two_windows_of_one_person_do_not_throw_each_other_out() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        other = await ana.context.new_page()
        await other.goto(ana.url)
        await expect(state(other)).to_contain_text("Your turn")
        await other.get_by_role("button", name="Play here").click()
        await tap(other, 4)
        await expect(moves(ben)).to_have_count(1)
        await expect(moves(ana)).to_have_count(1)
        await expect(ana.get_by_text(LOST)).not_to_be_visible()


async def test_the_others_see_who_is_away() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        await ben.context.close()
        await expect(ana.get_by_text("away, ")).to_be_visible()


@pytest.mark.parametrize("what", ["win", "draw"])
async def test_whoever_waited_long_enough_may_claim(what: str) -> None:
    async with a_server(seconds=60, absence_seconds=0.5) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await tap(ana, 4)
        await tap(ben, 4)
        await expect(state(ana)).to_contain_text("Your turn")
        await ben.context.close()
        await ana.get_by_role("button", name=f"Claim {'the' if what == 'win' else 'a'} {what}").click()
        await expect(state(ana)).to_contain_text("You win" if what == "win" else "Draw")


async def test_a_page_that_slept_for_an_hour_is_there_again_at_once() -> None:
    """Its line was cut meanwhile, and nothing told it."""
    hide = """hidden => {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    later = "() => { const now = Date.now; Date.now = () => now() + 3_600_000; }"
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ben)).to_contain_text("ana is thinking")
        await ben.evaluate(hide, arg=True)
        await ben.evaluate(later)
        before = {*server.network._connections}
        await ben.evaluate(hide, arg=False)
        await expect(state(ben)).to_contain_text("ana is thinking")
        await tap(ana, 4)
        await expect(state(ben)).to_contain_text("Your turn")
        assert len({*server.network._connections} - before) == 1, "one of the two has a new line"
        await tap(ben, 4)
        await expect(moves(ana)).to_have_count(2)
