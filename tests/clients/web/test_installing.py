"""The page as an application of its device: its manifest, and the copy that a worker keeps."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.games import client_game
from tablero_games import GAMES
from tablero_server.http.web_client import web_client
from tests.harness.addresses import a_site_at
from tests.harness.browser import address, browsers, expect, served
from tests.harness.web.languages import LOCALES, in_a_language, speaking, title_of
from tests.harness.web.tables import state, two_at_a_table
from tests.harness.wire import a_server

SETTLED_MS = 5_000
WORKS = {"service_workers": "allow"}
READY = """() => Promise.race([
    navigator.serviceWorker.ready.then(() => true),
    new Promise((done) => setTimeout(done, 20_000)),
])"""


async def a_settled_page(people: Any, url: str) -> Any:
    """By its clock it has been there for as long as it waits with what only its device needs."""
    page = await people.page("about:blank", **WORKS)
    await page.clock.install()
    await page.goto(url)
    await expect(page.get_by_text("People here: 1.")).to_be_visible()
    await page.clock.fast_forward(SETTLED_MS)
    return page


async def a_kept_page(people: Any, url: str) -> Any:
    page = await a_settled_page(people, url)
    assert await page.evaluate(READY)
    return page


async def test_a_page_that_was_here_comes_up_without_its_server_and_goes_on_when_it_is_back() -> None:
    async with served() as server, browsers() as people:
        people.forgiven = (*people.forgiven, "ERR_FAILED")
        page = await a_kept_page(people, server.url)
        await server.kill()
        await page.reload()
        await expect(page.get_by_role("button", name="Create a table")).to_be_visible()
        await expect(page.get_by_text("Can't reach the server")).to_be_visible()
        await server.start()
        await expect(page.get_by_text("People here: 1.")).to_be_visible(timeout=15_000)


async def test_what_the_server_answers_goes_before_the_copy_and_other_versions_go() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await a_kept_page(people, address(server.port))
        await page.evaluate(
            """async () => {
                const kept = await caches.open("tablero");
                const html = {headers: {"Content-Type": "text/html"}};
                await kept.put("./", new Response("<p>of old</p>", html));
                await kept.put("assets/0123456789abcdef/main.js", new Response("of old"));
            }"""
        )
        await page.reload()
        await expect(page.get_by_role("button", name="Create a table")).to_be_visible()
        await page.wait_for_function(
            """async () => {
                const names = (await (await caches.open("tablero")).keys()).map(({url}) => url);
                const old = names.some((name) => name.includes("0123456789abcdef"));
                return !old && names.some((name) => name.endsWith("/main.js"));
            }"""
        )


async def test_a_game_is_played_as_before_where_the_worker_is() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        ana, ben = await two_at_a_table(people, address(server.port), "Tic-tac-toe", **WORKS)
        for page in (ana, ben):
            assert await page.evaluate(READY)
            await page.reload()
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("gridcell", name="b2, free").click()
        await expect(state(ben)).to_contain_text("Your turn")


async def test_without_a_secure_origin_there_is_a_manifest_and_no_worker() -> None:
    async with a_server(seconds=60) as server, a_site_at("a name", server.port) as site:
        page = await a_settled_page(site.people, site.url)
        manifest = page.locator("link[rel=manifest]")
        await expect(manifest).to_be_attached()
        assert (
            await manifest.evaluate("async ({href}) => (await (await fetch(href)).json()).name") == "Tablero"
        )


MOST_BYTES_LATER = 40_000
NAMED = "() => [...document.querySelectorAll('[href], [src]')].map(each => each.href ?? each.src)"
KEPT = """async () => {
    const kept = await caches.open("tablero");
    return (await kept.keys()).map(({url}) => url);
}"""
WHEN_KEPT = f"""async (names) => {{
    const isKept = (urls) => names.every(name => urls.some(url => url.endsWith(name)));
    while (!isKept(await ({KEPT})())) continue; // the clock of the page stands still
}}"""


@pytest.mark.parametrize("language", ["en", *LOCALES])
async def test_lessons_that_were_never_opened_are_played_without_a_server(language: str) -> None:
    say, games = speaking(language), [name for name in GAMES if client_game(name).lessons]
    async with served() as server, browsers() as people:
        people.forgiven = (*people.forgiven, "ERR_FAILED")
        page = await in_a_language(people, "about:blank", language, **WORKS)
        await page.clock.install()
        await page.goto(server.url)
        await expect(page.get_by_text(say("here", people=1, bots=0))).to_be_visible()
        at_first = set(await page.evaluate(NAMED))
        await page.clock.fast_forward(SETTLED_MS)
        lessons = [f"/lessons/{game}.{language}.json" for game in games]
        await page.evaluate(WHEN_KEPT, lessons)
        later = [
            url.split("/", 5)[5] for url in set(await page.evaluate(KEPT)) - at_first if "/assets/" in url
        ]
        assert 0 < sum(len(web_client().assets[name].packed) for name in later) <= MOST_BYTES_LATER, later
        await server.kill()
        await page.reload()
        await page.get_by_role("button", name=say("makeTable")).click()
        for game in games:
            title, form = title_of(language, game), page.get_by_role("dialog").first
            await form.get_by_role("radio", name=title).check(force=True)
            await form.get_by_role("button", name=say("lessonsOf", game=title)).click()
            lesson = page.get_by_role("dialog", name=say("lessonsOf", game=title))
            await expect(lesson.get_by_role("gridcell").first).to_be_visible()
            await lesson.get_by_role("button", name=say("close")).click()
