"""The host's page in Chromium: nothing without the token, and every button a command."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.web.test_session import TSC
from tests.harness.browser import PHONE, browsers, expect
from tests.harness.wire import a_table, a_wire
from tests.server.operations.test_host_site import a_host

PAGE = Path(__file__).parents[3] / "server" / "tablero_server" / "operations" / "page"


async def opened(people: Any, host: Any, **options: Any) -> Any:
    page = await people.page(host.url.removesuffix("api"), **options)
    await page.get_by_label("The host's token").fill(host.token)
    await page.get_by_role("button", name="Open").click()
    await expect(page.get_by_role("heading", name="Load")).to_be_visible()
    await expect(page.get_by_label("The host's token")).to_be_hidden()
    return page


async def test_a_wrong_token_shows_nothing_and_the_right_one_the_server() -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server):
        people.forgiven += ("401",)
        page = await people.page(host.url.removesuffix("api"))
        await page.get_by_label("The host's token").fill("wrong")
        await page.get_by_role("button", name="Open").click()
        await expect(page.get_by_role("status")).to_contain_text("wrong or missing")
        await expect(page.get_by_role("heading", name="Load")).to_be_hidden()
        await page.get_by_label("The host's token").fill(host.token)
        await page.get_by_role("button", name="Open").click()
        await expect(page.get_by_role("table").first).to_contain_text("ana")
        assert host.token not in await page.content()
        assert host.token not in page.url
        await page.get_by_role("button", name="Forget the token").click()
        await expect(page.get_by_role("heading", name="Players")).to_be_hidden()
        assert await page.evaluate("Object.keys(sessionStorage)") == []


async def test_somebody_is_muted_a_table_closed_and_everybody_told() -> None:
    async with a_host() as (host, server), browsers() as people, a_table(server) as (ana, ben, room):
        page = await opened(people, host)
        await page.get_by_role("button", name="Mute ben").click()
        await page.get_by_label("What they are told").fill("no swearing")
        await page.get_by_role("button", name="Do it").click()
        await expect(page.get_by_role("status")).to_contain_text("is muted for good")
        assert (await ben.ask("say", room=room, text="x"))["code"] == "noChat"
        await expect(page.get_by_role("button", name="Take it back")).to_be_visible()
        await page.get_by_label("What to say").fill("Tea!")
        await page.get_by_role("button", name="Announce").click()
        while (heard := await ana.hear())["type"] != "announcement":
            pass
        assert "Tea!" in str(heard)
        await page.get_by_text("Settings in force").click()
        await expect(page.get_by_role("cell", name="TABLERO_ROOMS_PER_PERSON")).to_be_visible()
        await page.get_by_text("What hosts have said").click()
        await expect(page.locator("#audit")).to_contain_text("announce")
        await page.get_by_role("button", name=f"Close table {room}").click()
        await page.get_by_role("button", name="Cancel").click()
        assert server.network.service.hub.rooms.open.keys() == {room}
        await page.get_by_role("button", name=f"Close table {room}").click()
        await page.get_by_role("button", name="Do it").click()
        await expect(page.get_by_role("status")).to_contain_text("is closed")
        assert not server.network.service.hub.rooms.open


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


@pytest.mark.skipif(TSC is None, reason="needs TypeScript (tsc)")
def test_typescript_takes_the_script(tmp_path: Path) -> None:
    shutil.copy(PAGE / "page.js", tmp_path)
    options = ["--allowJs", "--checkJs", "--noEmit", "--strict", "--noUnusedLocals", "--target", "es2023"]
    libraries = ["--lib", "es2023,dom,dom.iterable", "--types", ""]
    done = subprocess.run([str(TSC), *options, *libraries, "page.js"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
