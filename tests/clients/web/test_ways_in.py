"""How people come to a table: by a link, a code, the lobby, or by being brought together."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tablero_server.app import Server
from tablero_server.reach.certificate import of_our_own
from tablero_server.settings import Settings
from tests.harness.browser import PHONE, address, browsers, expect
from tests.harness.neighbours import announced
from tests.harness.web.guests import a_guest, a_site
from tests.harness.web.tables import choose, state, two_at_a_table
from tests.harness.wire import a_wire


async def test_whoever_takes_a_name_that_is_taken_is_told_the_own_one() -> None:
    async with a_site() as (server, people), a_guest(server):
        page = await people.page(address(server.port))
        await page.get_by_label("Your name").fill("ana")
        await page.get_by_label("Your name").press("Enter")
        taken = page.get_by_text("The name ana is taken. You're playing as ana-2.")
        await expect(taken).to_be_visible()
        await page.reload()
        await expect(page.get_by_text("People here: ")).to_be_visible()
        await expect(taken).to_have_count(0)


async def test_a_name_that_nobody_may_have_is_said_so() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await page.get_by_label("Your name").fill("admin")
        await page.get_by_label("Your name").press("Enter")
        await expect(page.get_by_role("status").get_by_text("A name has 2 to 20 letters")).to_be_visible()


async def test_spaces_in_a_name_become_what_a_name_may_have() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await page.get_by_label("Your name").fill(" Anna  Maria ")
        await page.get_by_label("Your name").press("Tab")
        await expect(page.get_by_label("Your name")).to_have_value("Anna-Maria")


async def test_no_frame_is_drawn_around_a_label_and_its_field() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        label = page.locator("label", has=page.get_by_label("Your name"))
        for part in (None, "::before", "::after"):
            look = await label.evaluate("(label, part) => getComputedStyle(label, part).boxShadow", part)
            assert look == "none"


async def test_the_name_is_kept_for_the_next_visit() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await page.get_by_label("Your name").fill("ana")
        await page.get_by_label("Your name").press("Enter")
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        await page.close()
        again = await page.context.new_page()
        await again.goto(address(server.port))
        await expect(again.get_by_label("Your name")).to_have_value("ana")
        await expect(again.get_by_text("People here: 1.")).to_be_visible()


async def test_a_name_that_was_typed_survives_another_address() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        await page.get_by_label("Your name").click()
        await page.keyboard.type("Zoe M")
        await page.goto(address(server.port) + "top")
        await page.get_by_role("link", name="Home").click()
        await expect(page.get_by_label("Your name")).to_have_value("Zoe-M")


async def test_two_who_want_to_play_now_are_brought_together() -> None:
    async with a_site() as (server, people):
        pages = [await people.page(address(server.port)) for _ in range(2)]
        for page in pages:
            await page.get_by_role("button", name="Play now").click()
        for page in pages:
            await expect(page.get_by_role("button", name="Resign")).to_be_visible()


async def test_whoever_seeks_may_stop_and_is_not_in_the_lobby_any_more() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Play now").click()
        await page.get_by_role("button", name="Stop looking").click()
        await expect(page.get_by_role("button", name="Stop looking")).to_have_count(0)
        async with asyncio.timeout(5):
            while (await eve.ask("watchLobby"))["seeks"]:
                pass


async def test_a_table_in_the_lobby_comes_and_goes_and_can_be_joined() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port))
        await expect(page.get_by_text("No open tables")).to_be_visible()
        first = await eve.ask("createRoom", game="connect-four")
        line = page.get_by_role("listitem").filter(has_text="eve – …")
        await expect(line).to_be_visible()
        await eve.ask("leave", room=first["room"])
        await expect(line).to_have_count(0)
        await eve.ask("createRoom", game="tic-tac-toe")
        await line.get_by_role("button", name="Sit down").click()
        await expect(state(page)).to_contain_text("eve")


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("Anyone with the link", "Send the link to a friend to play together."),
        ("Anyone in the lobby", "Anyone in the lobby can sit down."),
    ],
)
async def test_a_table_that_waits_says_who_may_sit_down(who: str, told: str) -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Create a table").click()
        await page.get_by_label("Who may join").select_option(label=who)
        await page.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text(told)).to_be_visible()


async def test_who_waits_is_told_at_the_top_of_a_phone_and_a_tap_leads_there() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        page = await people.page(address(server.port), **PHONE)
        await expect(page.get_by_role("button", name="Open tables", exact=True)).to_be_in_viewport()
        await eve.ask("createRoom", game="tic-tac-toe")
        await page.get_by_role("button", name="Open tables (1)", exact=True).tap()
        table = page.get_by_role("listitem").filter(has_text="eve – …")
        await expect(table.get_by_role("button", name="Sit down")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_role("heading", name="Open tables")).to_be_focused()


async def test_a_table_in_the_lobby_has_its_name_beside_its_button_on_a_small_phone() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        await eve.ask("createRoom", game="minesweeper", options={"mode": "race"}, seats=4)
        page = await people.page(address(server.port), **PHONE)
        table = page.get_by_role("listitem").filter(has_text="eve – …")
        name = table.get_by_text("Minesweeper ·")
        ends = await name.evaluate("(name) => name.getBoundingClientRect().left + name.scrollWidth")
        assert ends <= (await table.get_by_role("button", name="Sit down").bounding_box())["x"]


async def test_a_code_can_be_typed() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        room = await eve.ask("createRoom", game="tic-tac-toe", private=True)
        page = await people.page(address(server.port))
        await page.get_by_label("Table code").fill(room["code"].lower().replace("-", ""))
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(state(page)).to_contain_text("eve")


async def test_a_link_can_be_pasted_where_a_code_is_asked_for() -> None:
    async with a_site() as (server, people), a_guest(server, "eve") as eve:
        room = await eve.ask("createRoom", game="tic-tac-toe", private=True)
        page = await people.page(address(server.port))
        await page.get_by_label("Table code").focus()
        await page.keyboard.insert_text(f"{address(server.port)}{room['code']} ")
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(state(page)).to_contain_text("eve")


async def test_what_the_host_says_stays_until_it_is_closed() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        service = server.service
        service.submit(service.hub.authority.announce("Pizza!"))
        await expect(page.get_by_text("Pizza!")).to_be_visible()
        await page.get_by_role("button", name="Close").click()
        await expect(page.get_by_text("Pizza!")).to_have_count(0)


async def test_what_the_host_says_at_a_table_moves_nothing_and_is_kept_behind_a_bell() -> None:
    async with a_site() as (server, people):
        ana, _ = await two_at_a_table(people, address(server.port), "Connect Four", has_touch=True)
        await ana.set_viewport_size(PHONE["viewport"])
        await expect(state(ana)).to_contain_text("Your turn")
        before = await ana.get_by_role("grid").bounding_box()
        await ana.clock.install()
        service = server.service
        for said in ("Pizza!", "Last game at ten."):
            service.submit(service.hub.authority.announce(said))
            await expect(ana.get_by_text(said)).to_be_visible()
        assert await ana.get_by_role("grid").bounding_box() == before
        await ana.clock.fast_forward(20_000)
        await expect(ana.get_by_text("Pizza!")).to_have_count(0)
        await ana.get_by_role("button", name="2 notices").tap()
        await expect(ana.get_by_text("Pizza!")).to_be_visible()
        await ana.get_by_role("button", name="Close").last.tap()
        await expect(ana.get_by_text("Last game at ten.")).to_have_count(0)
        await ana.get_by_role("button", name="Close").tap()
        await expect(ana.get_by_role("button", name="notice")).to_have_count(0)
        assert await ana.get_by_role("grid").bounding_box() == before


async def test_the_front_page_leads_back_to_a_game_that_is_on() -> None:
    async with a_site() as (server, people):
        ana, _ = await two_at_a_table(people, address(server.port), "Connect Four")
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.get_by_role("button", name="Tablero Home").click()
        await ana.get_by_role("button", name="Continue").click()
        await expect(state(ana)).to_contain_text("Your turn")
        await ana.go_back()
        await expect(ana.get_by_role("button", name="Play now")).to_be_visible()
        await ana.go_forward()
        await expect(state(ana)).to_contain_text("Your turn")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
async def test_beside_the_qr_code_is_the_fingerprint_of_a_certificate_that_browsers_warn_of(
    tmp_path: Path,
) -> None:
    ours = of_our_own(tmp_path, [])
    server = Server(Settings(port=0, bots=False, tls="auto"), certificate=ours)
    await server.start()
    try:
        async with browsers("--ignore-certificate-errors") as people:
            ana = await people.page(
                f"https://127.0.0.1:{server.port}", viewport={"width": 320, "height": 700}
            )
            for button in ("Create a table", "Open the table", "Show QR code"):
                await ana.get_by_role("button", name=button).click()
            await expect(ana.locator(".fingerprint")).to_have_text(ours.fingerprint())
            fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            assert await ana.evaluate(fits)
    finally:
        await server.stop()


async def test_a_game_goes_on_on_another_device_with_its_seat() -> None:
    async with a_site() as (server, people):
        ana, ben = await two_at_a_table(people, address(server.port), "Connect Four")
        await choose(ana, "Continue on another device")
        dialog = ana.get_by_role("dialog")
        link = await dialog.get_by_label("Link", exact=True).input_value()
        assert "/#go=" in link
        await dialog.get_by_role("button", name="Show QR code").click()
        await expect(dialog.get_by_role("img", name="QR code of")).to_be_visible()
        phone = await people.page(link, **PHONE)
        await expect(phone.get_by_role("heading", name="Continue on another device")).to_be_visible()
        assert "go=" not in phone.url
        await expect(phone.get_by_text("is lost for good")).to_have_count(0)
        await phone.get_by_role("button", name="Continue here").tap()
        await expect(state(phone)).to_contain_text("Your turn")
        await expect(dialog.get_by_role("status")).to_have_text(
            "You're also on Chrome, Linux now. Your game continues there."
        )
        await expect(dialog.get_by_label("Link", exact=True)).to_have_count(0)
        await phone.get_by_role("gridcell", name="Column 4").tap()
        await expect(state(ben)).to_contain_text("Your turn")
        assert phone.url == ana.url
        spent = await people.page(link)
        await spent.get_by_role("button", name="Continue here").click()
        await expect(spent.get_by_role("button", name="Play now")).to_be_visible()
        await expect(spent.get_by_role("status").get_by_text("code")).to_be_visible()


async def test_a_link_to_another_device_says_when_it_has_expired() -> None:
    async with a_site() as (server, people):
        ana, _ = await two_at_a_table(people, address(server.port), "Connect Four")
        hand_overs = server.service.hub.accounts.hand_overs
        hand_overs._limits = replace(hand_overs._limits, hand_over_ms=0)
        await choose(ana, "Continue on another device")
        await expect(ana.get_by_role("dialog").get_by_text("This link has expired")).to_be_visible()


async def test_a_page_that_is_open_already_becomes_the_other_player_and_says_what_it_forgets() -> None:
    async with a_site() as (server, people):
        ana, _ = await two_at_a_table(people, address(server.port), "Connect Four")
        await choose(ana, "Continue on another device")
        link = await ana.get_by_role("dialog").get_by_label("Link", exact=True).input_value()
        other = await people.page(address(server.port))
        await expect(other.get_by_text("No computer players right now")).to_be_visible()
        await other.evaluate("link => { location.href = link }", link)
        await expect(other.get_by_text("This browser's present player will be lost")).to_be_visible()
        assert "go=" not in other.url
        await other.get_by_role("button", name="Continue here").click()
        await expect(state(other)).to_contain_text("Your turn")


async def test_the_computer_is_offered_only_while_it_is_here() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await expect(page.get_by_text("No computer players right now")).to_be_visible()
        async with a_wire(server) as bot:
            await bot.hello("deep", bot={"brains": [{"game": "tic-tac-toe", "levels": ["hard"]}]})
            level = page.get_by_role("button", name="Play Tic-tac-toe against the computer, level hard")
            await expect(level).to_be_visible()
            await expect(page.get_by_role("button", name="against the computer")).to_have_count(1)
            await level.click()
            invited = await bot.hear()
            while invited["type"] != "invited":
                invited = await bot.hear()
            await bot.ask("decline", invite=invited["invite"])
            await expect(page.get_by_text("deep declined")).to_be_visible()
            await expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()


async def test_a_server_that_asks_for_a_passphrase_is_told_it_once() -> None:
    async with a_site(entry="passphrase", passphrase="open sesame") as (server, people):
        page = await people.page(address(server.port))
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("New players need this server's passphrase")).to_be_visible()
        await dialog.get_by_label("Passphrase").fill("abracadabra")
        await page.keyboard.press("Enter")
        await expect(dialog.get_by_text("The passphrase is wrong")).to_be_visible()
        await dialog.get_by_label("Passphrase").fill("open sesame")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        await page.reload()
        await expect(page.get_by_text("People here: 1.")).to_be_visible()


async def test_a_server_that_takes_nobody_new_says_so() -> None:
    async with a_site(entry="closed") as (server, people):
        page = await people.page(address(server.port))
        await expect(page.get_by_role("status").get_by_text("takes no new players")).to_be_visible()


@pytest.mark.parametrize("until", [None, "kick", 600_000])
async def test_who_is_banned_or_kicked_reads_why_and_how_long_and_nothing_else(
    until: int | str | None,
) -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Create a table").click()
        await page.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_label("Link", exact=True)).to_be_visible()
        service, authority, now = server.service, server.service.hub.authority, server.service.now()
        [account] = service.hub.accounts.by_id.values()
        if isinstance(until, str):
            service.submit(authority.kick(account, "calm down", now, from_everywhere=False))
        else:
            till = None if until is None else now + until
            service.submit(authority.keep_out(account, till, "calm down", now, from_everywhere=False))
        for _ in range(2):
            await expect(page.get_by_role("heading", name="You've been removed")).to_be_visible()
            await expect(page.get_by_role("alert")).to_contain_text("calm down")
            await expect(page.get_by_role("button")).to_have_count(0)
            await expect(page.get_by_role("link")).to_have_count(0)
            await page.go_back()
            await page.reload()


async def test_other_servers_of_the_network_are_listed_as_text_with_plain_links() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        await expect(page.get_by_text("Other tables on this network")).to_be_hidden()
        hostile = "<img src=x onerror=alert(1)>"
        for name, at, path in (("Tablero on one", "192.168.1.7", "/games/"), (hostile, "10.0.0.1", "//evil")):
            told = announced(name, 8470, {"path": path}, address=at)
            server.neighbours._hear(told.name, told)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.reload()
        await expect(page.get_by_text(hostile, exact=True).first).to_be_visible()
        links = page.get_by_role("link", name="Go there")
        assert [await each.get_attribute("href") for each in await links.all()] == [
            "http://10.0.0.1:8470/",
            "http://192.168.1.7:8470/games/",
        ]
        assert await page.locator("img[src=x]").count() == 0
        assert all(url.startswith(address(server.port)) for url in asked)


async def test_a_server_says_what_to_type_in_a_terminal() -> None:
    async with a_site() as (server, people):
        page = await people.page(address(server.port))
        await page.get_by_text("Play from a terminal").click()
        await expect(page.get_by_text(f"tablero play 127.0.0.1:{server.port}", exact=True)).to_be_visible()
