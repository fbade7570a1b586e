"""The page at any address: what it loads, where its links lead, and that it comes from here alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablero_server.app import Server
from tests.harness.addresses import a_site_at, at_each_address
from tests.harness.browser import address, browsers, expect
from tests.harness.web.first_page import MOST_BYTES, MOST_REQUESTS
from tests.harness.web.languages import LOCALES, in_a_language, speaking, title_of
from tests.harness.web.tables import state, two_at_a_table
from tests.harness.wire import a_server, a_wire

WHILE_THERE = (
    "/api/nearby",
    "/screens/talk.js",
    "/later-texts.js",
    *(f"/later/{each}.json" for each in LOCALES),
)
"""What is asked for on the first page by who stays there, and at a table once it can be played."""
FIELD_MS = 30_000
"""Until a field was found: a process has to start for it."""


async def test_everything_works_below_another_path() -> None:
    async with a_server(seconds=60) as server, a_site_at("a path", server.port) as site:
        ana, ben = await two_at_a_table(site.people, site.url, "Tic-tac-toe")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="b2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")
        await ben.reload()
        await expect(state(ben)).to_contain_text("Your turn")
        site.proxy.break_off()
        await ben.get_by_role("gridcell", name="a1, free").click()
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(ben.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_count(2)
        await ben.get_by_role("button", name="Tablero Home").click()
        assert ben.url == site.url
        await ben.get_by_role("button", name="Continue").click()
        assert ben.url == ana.url


@asynccontextmanager
async def counted(page: Any, server: Server) -> AsyncIterator[None]:
    """What the page asks for meanwhile is little, and all of it from this server."""
    asked: list[Any] = []
    page.on("requestfinished", lambda request: asked.append(request))
    sockets: list[Any] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    yield
    sizes = {request.url: await request.sizes() for request in asked}
    here = {*sizes, *(socket.url.replace("ws", "http", 1) for socket in sockets)}
    assert all(url.startswith(address(server.port)) for url in here)
    on_the_way = {url for url in here if not url.endswith(WHILE_THERE)}
    assert len(on_the_way) <= MOST_REQUESTS, here
    assert sum(size["responseBodySize"] for size in sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("language", ["en", *LOCALES])
async def test_a_field_by_the_form_takes_few_requests_and_bytes_in_a_language(language: str) -> None:
    say = speaking(language)
    async with a_server(seconds=60) as server, browsers() as people:
        page = await in_a_language(people, "about:blank", language)
        async with counted(page, server):
            await page.goto(address(server.port))
            await page.get_by_role("button", name=say("makeTable")).click()
            await page.get_by_role("radio", name=title_of(language, "minesweeper")).check(force=True)
            await page.get_by_label(say("howToPlay")).select_option(label=say("alone"))
            await page.get_by_role("button", name=say("openTable")).click()
            await expect(page.get_by_role("gridcell").first).to_be_visible(timeout=FIELD_MS)
        assert await page.context.cookies() == []


@pytest.mark.parametrize("language", ["en", *LOCALES])
async def test_a_table_by_its_link_takes_few_requests_and_bytes_in_a_language(language: str) -> None:
    say = speaking(language)
    async with a_server(seconds=60) as server, browsers() as people, a_wire(server) as ana:
        await ana.hello("ana")
        options = {"mode": "race", "level": "beginner"}
        room = await ana.ask("createRoom", game="minesweeper", options=options, seats=2, private=True)
        page = await in_a_language(people, "about:blank", language)
        async with counted(page, server):
            await page.goto(address(server.port) + room["code"])
            await page.get_by_role("button", name=say("sitDown")).click()
            await expect(page.get_by_role("gridcell").first).to_be_visible(timeout=FIELD_MS)


async def test_what_cannot_be_fetched_when_it_is_needed_is_said_so() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven += ("Failed to load resource",)
        page = await people.page(address(server.port))
        await page.route("**/screens/forms.js", lambda route: route.abort())
        await page.get_by_role("button", name="Create a table").click()
        await expect(page.get_by_text("Reload the page")).to_be_visible()


@at_each_address
async def test_a_link_is_copied_with_a_clipboard_or_without(where: str) -> None:
    """Where the page has none, what is selected is copied as by the keyboard."""
    async with a_server(seconds=60) as server, a_site_at(where, server.port) as site:
        page = await site.people.page(site.url)
        await page.get_by_role("button", name="Create a table").click()
        await page.get_by_role("button", name="Open the table").click()
        await page.get_by_role("button", name="Copy").click()
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        url = await page.get_by_label("Link", exact=True).input_value()
        assert url == page.url
        assert await page.evaluate("() => getSelection().toString()") == url
        said = page.get_by_role("textbox", name="Say something")
        await said.press("Control+v")
        await expect(said).to_have_value(url)


async def test_a_browser_that_lets_a_page_keep_nothing_can_play() -> None:
    refused = """for (const place of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, place, {get() { throw new DOMException("no", "SecurityError"); }});"""
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page("about:blank")
        await page.add_init_script(refused)
        await page.goto(address(server.port))
        await expect(page.get_by_text("you lose your name and seats")).to_be_visible()
        await page.get_by_role("button", name="Create a table").click()
        await page.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()


async def test_the_page_has_its_name_before_anything_runs() -> None:
    """What is painted first does not wait for the modules."""
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), java_script_enabled=False)
        await expect(page.get_by_text("Tablero", exact=True)).to_be_visible()
        page = await people.page(address(server.port))
        await expect(page.get_by_role("heading", name="Tablero")).to_be_visible()
        await expect(page.get_by_text("Tablero", exact=True)).to_have_count(1)
