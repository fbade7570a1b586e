"""The host's page in Chromium: nothing without the token, and every button a command."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.harness.axe import violations
from tests.harness.browser import PHONE, browsers, expect
from tests.harness.host import a_host
from tests.harness.tree import TSC
from tests.harness.wire import a_table, a_wire

CLOCK = {"base": 300, "increment": 3}
PAGE = Path(__file__).parents[3] / "server" / "tablero_server" / "host" / "page"


async def opened(people: Any, host: Any, **options: Any) -> Any:
    page = await people.page(host.url.removesuffix("api"), **options)
    await page.get_by_label("Host token").fill(host.token)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Right now")).to_be_visible()
    await expect(page.get_by_label("Host token")).to_be_hidden()
    return page


async def test_a_wrong_token_shows_nothing_and_the_right_one_the_server() -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server):
        people.forgiven += ("401",)
        page = await people.page(host.url.removesuffix("api"))
        await page.get_by_label("Host token").fill("wrong")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("status")).to_contain_text("wrong or missing")
        await expect(page.get_by_role("heading", name="Right now")).to_be_hidden()
        await page.get_by_label("Host token").fill(host.token)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator("#players")).to_contain_text("ana")
        assert host.token not in await page.content()
        assert host.token not in page.url
        await page.get_by_role("button", name="Forget the token").click()
        await expect(page.get_by_role("heading", name="Players")).to_be_hidden()
        assert await page.evaluate("Object.keys(sessionStorage)") == []


async def test_somebody_is_muted_a_table_closed_and_everybody_told() -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server) as (ana, ben, room):
        page = await opened(people, host)
        await page.get_by_role("button", name="Mute: ben").click()
        await page.get_by_label("Reason shown to players").fill("no swearing")
        await page.get_by_role("button", name="Confirm").click()
        await expect(page.get_by_role("status")).to_contain_text("is muted permanently")
        assert (await ben.ask("say", room=room, text="x"))["code"] == "noChat"
        await expect(page.get_by_role("button", name="Lift: ben")).to_be_visible()
        await page.get_by_label("Message").fill("Tea!")
        await page.get_by_role("button", name="Announce").click()
        while (heard := await ana.hear())["type"] != "announcement":
            pass
        assert "Tea!" in str(heard)
        await page.get_by_text("Current settings").click()
        await expect(page.get_by_role("cell", name="TABLERO_ROOMS_PER_PERSON")).to_be_visible()
        await page.get_by_text("Host commands").click()
        await expect(page.locator("#audit")).to_contain_text("announce")
        await page.get_by_role("button", name="Close: Tic-tac-toe, ana, ben").click()
        await page.get_by_role("button", name="Cancel").click()
        assert server.service.hub.rooms.open.keys() == {room}
        await page.get_by_role("button", name="Close: Tic-tac-toe, ana, ben").click()
        await page.get_by_role("button", name="Confirm").click()
        await expect(page.get_by_role("status")).to_contain_text("is closed")
        assert not server.service.hub.rooms.open


@pytest.mark.parametrize("width", [320, 390, 1024])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_a_phone_and_nobody_can_write_markup(width: int, scheme: str) -> None:
    options = {**PHONE, "viewport": {"width": width, "height": 700}, "color_scheme": scheme}
    async with a_host() as (host, server), browsers() as people, a_table(server), a_wire(server) as other:
        await other.hello("zoe")
        await host.say("ban", '{"player": "zoe", "why": "<img src=x onerror=alert(1)>"}')
        page = await opened(people, host, **options)
        await expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        for box in [await each.bounding_box() for each in await page.get_by_role("button").all()]:
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_wrong(scheme: str) -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server), a_wire(server) as other:
        await other.hello("zoe")
        await host.say("mute", '{"player": "zoe"}')
        page = await people.page(host.url.removesuffix("api"), color_scheme=scheme)
        assert await violations(page) == []
        await page.close()
        for width in (320, 700, 1024):
            size = {"width": width, "height": 700}
            page = await opened(people, host, color_scheme=scheme, viewport=size)
            await page.get_by_text("Current settings").click()
            await page.get_by_text("Host commands").click()
            await expect(page.locator("#audit")).to_contain_text("mute")
            assert await violations(page) == [], width
            await page.get_by_role("button", name="Mute: ben").click()
            assert await violations(page) == [], width
            await page.close()


async def test_what_is_wrong_is_told_with_what_to_do() -> None:
    async with a_host() as (host, server), browsers() as people:
        page = await opened(people, host)
        await expect(page.locator("#wrong li")).to_have_count(0)
        await host.say("drain")
        for _ in range(200):
            server.network.lag.add(0.3)
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(page.locator("#wrong li")).to_have_text(
            [re.compile("ms late. The machine is too busy"), re.compile("New games are blocked")]
        )
        await page.get_by_role("button", name="Check this server").click()
        await expect(page.locator("#found li").first).to_be_visible()


async def test_a_player_is_found_and_kicked_in_two_clicks() -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server) as (_, ben, _):
        page = await opened(people, host)
        await page.get_by_label("Find a player").fill("BE")
        await expect(page.get_by_role("button", name="Kick: ana")).to_have_count(0)
        await page.get_by_role("button", name="Kick: ben").click()
        await page.get_by_label("Include new players from the same address").check()
        await page.get_by_role("button", name="Confirm").click()
        await expect(page.get_by_role("status")).to_contain_text("is removed and banned for 1 min")
        await expect(page.get_by_role("status")).to_contain_text("So are new players from")
        assert await ben.closed() == 4106


async def test_running_tables_come_first_with_game_clock_and_code() -> None:
    async with (
        a_host() as (host, server),
        browsers() as people,
        a_table(server, clock=CLOCK) as (ana, _, room),
    ):
        waiting = await ana.ask("createRoom", game="quoridor", private=True)
        page = await opened(people, host)
        rows = page.locator("#rooms tbody tr")
        code = server.service.hub.rooms.open[room].room.code
        await expect(rows.first).to_contain_text(str(code))
        await expect(rows.first).to_contain_text("5 + 3")
        await expect(rows.nth(1)).to_contain_text("Quoridor")
        await expect(rows.nth(1)).to_contain_text("No clock")
        assert waiting["code"] in await rows.nth(1).text_content()


async def test_a_keyboard_alone_is_enough() -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server) as (_, ben, room):
        page = await people.page(host.url.removesuffix("api"))
        await reached(page, "#token")
        await page.keyboard.type(host.token)
        await page.keyboard.press("Enter")
        await expect(page.locator("#open")).to_be_focused()
        await reached(page, "[aria-label='Mute: ben']")
        await page.keyboard.press("Enter")
        await reached(page, "[name=why]")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await reached(page, "[aria-label='Mute: ben']")
        await page.keyboard.press("Space")
        await reached(page, "[name=why]")
        await page.keyboard.type("no swearing")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("status")).to_contain_text("is muted permanently")
        await expect(page.locator("[aria-label='Mute: ben']")).to_be_focused()
        assert (await ben.ask("say", room=room, text="x"))["code"] == "noChat"
        await reached(page, "#settings summary")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("cell", name="TABLERO_ROOMS_PER_PERSON")).to_be_visible()


@pytest.mark.parametrize("hand", ["keyboard", "mouse"])
async def test_a_press_outlasts_what_is_shown_anew(hand: str) -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server), a_wire(server) as other:
        page = await opened(people, host)
        button = page.get_by_role("button", name="Mute: ben")
        if hand == "keyboard":
            await button.focus()
            await page.keyboard.down("Space")
        else:
            await button.hover()
            await page.mouse.down()
        await other.hello("zoe")
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(page.get_by_role("button", name="Mute: zoe")).to_be_visible()
        await (page.keyboard.up("Space") if hand == "keyboard" else page.mouse.up())
        await expect(page.get_by_role("dialog")).to_contain_text("ben")


async def reached(page: Any, selector: str) -> None:
    """Goes there by Tab, if it is not there."""
    for _ in range(40):
        if await page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


@pytest.mark.parametrize(
    ("spoken", "heard", "words"),
    [
        ("fr-CH", "fr", ("Joueurs", "Réglages actuels", "Rendre muet : ben", "Se connecter")),
        ("es-MX", "es", ("Jugadores", "Ajustes actuales", "Silenciar: ben", "Iniciar sesión")),
        ("de", "en", ("Players", "Current settings", "Mute: ben", "Sign in")),
    ],
)
async def test_it_speaks_the_language_of_the_browser(spoken: str, heard: str, words: tuple[str, ...]) -> None:
    players, settings, mute, enter = words
    async with a_host() as (host, server), browsers() as people, a_table(server):
        page = await people.page(host.url.removesuffix("api"), locale=spoken)
        await page.locator("#token").fill(host.token)
        await page.get_by_role("button", name=enter, exact=True).click()
        await expect(page.get_by_role("heading", name=players)).to_be_visible()
        await expect(page.get_by_text(settings)).to_be_visible()
        await page.get_by_role("button", name=mute).click()
        await page.locator("button[value=yes]").click()
        await expect(page.get_by_role("status")).to_contain_text("is muted permanently")
        assert await page.get_by_role("status").get_attribute("lang") == "en", (
            "what the server says is English"
        )
        assert await page.evaluate("document.documentElement.lang") == heard


@pytest.mark.skipif(TSC is None, reason="needs TypeScript (tsc)")
def test_typescript_takes_the_script(tmp_path: Path) -> None:
    for script in PAGE.glob("*.js"):
        shutil.copy(script, tmp_path)
    options = ["--allowJs", "--checkJs", "--noEmit", "--strict", "--noUnusedLocals", "--target", "es2023"]
    options += ["--module", "esnext", "--moduleResolution", "bundler"]
    libraries = ["--lib", "es2023,dom,dom.iterable", "--types", ""]
    done = subprocess.run([str(TSC), *options, *libraries, "page.js"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
