"""The page at any address: what it loads, where its links lead, and that it comes from here alone."""

from __future__ import annotations

from typing import Any

from tests.clients.web.test_games import state, two_at_a_table
from tests.harness.browser import address, browsers, expect
from tests.harness.proxy import a_proxy
from tests.harness.wire import a_server
from tests.server.wire.test_web_client import MOST_BYTES, MOST_REQUESTS


async def test_everything_works_below_another_path() -> None:
    async with a_server(seconds=60) as server, a_proxy(server.port, "/games") as proxy, browsers() as people:
        top = f"{address(proxy.port)}games/"
        ana, ben = await two_at_a_table(people, top, "Tic-tac-toe")
        assert ana.url.startswith(top)
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="b2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")
        await ben.reload()
        await expect(state(ben)).to_contain_text("Your turn")
        proxy.break_off()
        await ben.get_by_role("gridcell", name="a1, free").click()
        await expect(state(ana)).to_contain_text("Your turn")
        await expect(ben.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_count(2)
        await ben.get_by_role("button", name="Tablero To the start").click()
        assert ben.url == top
        await ben.get_by_role("button", name="Go on").click()
        assert ben.url == ana.url


async def test_a_table_takes_few_requests_and_bytes_and_all_from_here() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page("about:blank")
        asked: list[Any] = []
        page.on("requestfinished", lambda request: asked.append(request))
        sockets: list[Any] = []
        page.on("websocket", lambda socket: sockets.append(socket))
        await page.goto(address(server.port))
        await page.get_by_role("button", name="Make a table").click()
        await page.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text("Waiting for 1 more")).to_be_visible()
        sizes = {request.url: await request.sizes() for request in asked}
        here = {*sizes, *(socket.url.replace("ws", "http", 1) for socket in sockets)}
        assert all(url.startswith(address(server.port)) for url in here)
        on_the_way = {url for url in here if not url.endswith("/api/nearby")}  # asked for by who stays there
        assert len(on_the_way) <= MOST_REQUESTS, here
        assert sum(size["responseBodySize"] for size in sizes.values()) <= MOST_BYTES
        assert await page.context.cookies() == []


async def test_what_cannot_be_fetched_when_it_is_needed_is_said_so() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        people.forgiven += ("Failed to load resource",)
        page = await people.page(address(server.port))
        await page.route("**/screens/forms.js", lambda route: route.abort())
        await page.get_by_role("button", name="Make a table").click()
        await expect(page.get_by_text("Load the page again")).to_be_visible()


async def test_at_the_name_of_a_machine_in_the_network_it_needs_no_secure_context() -> None:
    """Neither a clipboard nor random ids are there at http:// but on this machine."""
    async with (
        a_server(seconds=60) as server,
        browsers("--host-resolver-rules=MAP games 127.0.0.1") as people,
    ):
        ana, ben = await two_at_a_table(people, f"http://games:{server.port}/", "Connect Four")
        assert await ana.evaluate("() => isSecureContext") is False
        await ana.get_by_role("gridcell", name="Column 4").click()
        await expect(state(ben)).to_contain_text("Your turn")


async def test_a_link_can_be_copied_without_a_clipboard() -> None:
    async with (
        a_server(seconds=60) as server,
        browsers("--host-resolver-rules=MAP games 127.0.0.1") as people,
    ):
        page = await people.page(f"http://games:{server.port}/")
        await page.get_by_role("button", name="Make a table").click()
        await page.get_by_role("button", name="Open the table").click()
        await page.get_by_role("button", name="Copy").click()
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        link = page.get_by_label("Link", exact=True)
        assert await link.evaluate("(field) => getSelection().toString()") == await link.input_value()


async def test_a_browser_that_lets_a_page_keep_nothing_can_play() -> None:
    refused = """for (const place of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, place, {get() { throw new DOMException("no", "SecurityError"); }});"""
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page("about:blank")
        await page.add_init_script(refused)
        await page.goto(address(server.port))
        await page.get_by_role("button", name="Make a table").click()
        await page.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text("Waiting for 1 more")).to_be_visible()


async def test_the_page_has_its_name_before_anything_runs() -> None:
    """What is painted first does not wait for the modules."""
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port), java_script_enabled=False)
        await expect(page.get_by_text("Tablero", exact=True)).to_be_visible()
        page = await people.page(address(server.port))
        await expect(page.get_by_role("heading", name="Tablero")).to_be_visible()
        await expect(page.get_by_text("Tablero", exact=True)).to_have_count(1)
