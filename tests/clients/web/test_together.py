"""A games night: browsers, a terminal and a bot at one table, at any address, and how few taps it takes."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.harness.addresses import a_site_at, at_each_address
from tests.harness.browser import PHONE, expect, served
from tests.harness.web.tables import by_typing, choose, state, two_at_a_table
from tests.harness.wire import a_server

SECONDS = 60
COUNT = """() => {
    globalThis.taps = 0;
    addEventListener("click", (event) => { globalThis.taps += event.isTrusted; }, true);
}"""


@asynccontextmanager
async def a_terminal(url: str, folder: Path) -> AsyncIterator[Process]:
    words = ("play", url, "--name", "cat")
    settings = {**os.environ, "TABLERO_HOME": str(folder), "TABLERO_LANG": "en"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tablero", *words, stdin=PIPE, stdout=PIPE, env=settings
    )
    try:
        yield process
    finally:
        process.kill()
        await process.communicate()


async def reads(terminal: Process, text: str) -> None:
    assert terminal.stdout is not None
    async with asyncio.timeout(SECONDS):
        while text not in (line := (await terminal.stdout.readline()).decode()):
            assert line, f"it ended before it said {text!r}"


def types(terminal: Process, line: str) -> None:
    assert terminal.stdin is not None
    terminal.stdin.write(f"{line}\n".encode())


@at_each_address
async def test_two_browsers_a_terminal_and_a_bot_race_at_one_table(where: str, tmp_path: Path) -> None:
    """A terminal asks the system what a name means, and the system does not know the one of these tests."""
    async with (
        served(bots=True, pace="1") as server,
        a_site_at(where, server.port) as site,
        a_terminal(server.url if where == "a name" else site.url, tmp_path) as cat,
    ):
        ana = await site.people.page(site.url)
        await expect(ana.get_by_text("Bots: 1")).to_be_visible()
        await ana.get_by_role("button", name="Create a table").click()
        dialog = ana.get_by_role("dialog")
        await dialog.get_by_role("radio", name="Minesweeper").check(force=True)
        await dialog.get_by_label("Players").select_option("4")
        await dialog.get_by_role("button", name="Open the table").click()
        await expect(ana.get_by_text("Waiting for 3 more players")).to_be_visible()
        ben = await site.people.page(ana.url, **PHONE)
        await ben.get_by_role("button", name="Sit down").tap()
        await expect(ana.get_by_text("Waiting for 2 more players")).to_be_visible()
        types(cat, f"join {ana.url.rpartition('/')[2]}")
        await expect(ana.get_by_text("Waiting for 1 more player")).to_be_visible()
        await ana.get_by_role("button", name="easy", exact=True).click()
        for page in (ana, ben):
            await expect(state(page)).to_contain_text("Open every cell")
            await expect(page.get_by_role("button", name="cat")).to_be_visible()
            await expect(page.get_by_text("bot, easy")).to_be_visible()
        for page in (ana, ben):
            cell = page.get_by_role("gridcell", name="covered").first
            name = (await cell.get_attribute("aria-label") or "").split(",")[0]
            await by_typing(page, f"flag {name}")
            await expect(page.get_by_role("gridcell", name=f"{name}, flag")).to_be_visible()
        types(cat, "say mind the mines")
        chat = ana.get_by_role("list", name="Chat")
        await expect(chat.get_by_text("mind the mines", exact=True)).to_be_visible()
        await ana.get_by_role("textbox", name="Say something").fill("thanks, cat")
        await ana.keyboard.press("Enter")
        await reads(cat, "thanks, cat")
        types(cat, "resign")
        for page in (ana, ben):
            await page.get_by_role("button", name="Resign").click()
            await page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        for page in (ana, ben):  # the bot plays on alone
            await expect(page.get_by_text("resigned,")).to_have_count(3)


@at_each_address
async def test_what_people_do_at_a_table_is_done_at_any_address(where: str) -> None:
    """A takeback, a watcher who comes late, and a hand-over to a phone with the seat."""
    async with a_server(seconds=SECONDS) as server, a_site_at(where, server.port) as site:
        ana, ben = await two_at_a_table(site.people, site.url, "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="Column 4").click()
        await expect(state(ben)).to_contain_text("Your turn")
        await ana.get_by_role("button", name="Take back move").click()
        await ben.get_by_role("button", name="Accept").click()
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="Column 3").click()
        eve = await site.people.page(ana.url)
        await eve.get_by_role("button", name="Watch").click()
        await expect(eve.get_by_role("gridcell", name="Column 3, 1 of 6")).to_be_visible()
        await choose(ana, "Continue on another device")
        link = await ana.get_by_role("dialog").get_by_label("Link", exact=True).input_value()
        assert link.startswith(f"{site.url}#go=")
        phone = await site.people.page(link, **PHONE)
        await phone.get_by_role("button", name="Continue here").tap()
        await ben.get_by_role("gridcell", name="Column 3").click()
        await expect(state(phone)).to_contain_text("Your turn")
        await phone.get_by_role("gridcell", name="Column 3").tap()
        for page in (ben, eve):
            await expect(page.get_by_role("gridcell", name="Column 3, 3 of 6")).to_be_visible()
        assert phone.url == ana.url


@at_each_address
async def test_two_who_seek_meet_at_any_address(where: str) -> None:
    async with a_server(seconds=SECONDS) as server, a_site_at(where, server.port) as site:
        pages = [await site.people.page(site.url) for _ in range(2)]
        for page in pages:
            await page.get_by_role("button", name="Play now").click()
        for page in pages:
            await expect(page.get_by_role("button", name="Resign")).to_be_visible()
            assert page.url.startswith(site.url)


async def test_a_friend_with_a_link_sits_after_no_more_than_two_taps() -> None:
    """The first one is on the link; a name is kept, or given by the server."""
    async with a_server(seconds=SECONDS) as server, a_site_at("a name", server.port) as site:
        ana = await site.people.page(site.url)
        await ana.get_by_role("button", name="Create a table").click()
        await ana.get_by_role("button", name="Open the table").click()
        link = await ana.get_by_label("Link", exact=True).input_value()
        ben = await site.people.page("about:blank", **PHONE)
        await ben.add_init_script(f"({COUNT})()")
        await ben.goto(link)
        await ben.get_by_role("button", name="Sit down").tap()
        await expect(ben.get_by_role("grid", name="board")).to_be_visible()
        assert await ben.evaluate("() => globalThis.taps") == 1
        assert await ben.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
