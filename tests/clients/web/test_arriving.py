"""What waits behind a link to a table: a seat, a game to watch, a result, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.browser import PHONE, address, expect
from tests.harness.web.guests import a_game, a_guest, a_site
from tests.harness.web.tables import press, state
from tests.harness.wire import a_wire

SIZES = {"a phone": {**PHONE, "viewport": {"width": 390, "height": 844}}, "a computer": {}}


def titled(page: Any, text: str) -> Any:
    return page.get_by_role("heading", name=text)


async def fits(page: Any) -> bool:
    return bool(await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("size", SIZES)
async def test_a_free_seat_is_offered_with_what_is_played_and_who_waits(size: str) -> None:
    async with a_site() as (server, people), a_guest(server, "ana") as ana:
        clock = {"base": 300, "increment": 3}
        room = await ana.ask("createRoom", game="quoridor", private=True, options={"size": 5}, clock=clock)
        ben = await people.page(address(server.port) + room["code"], **SIZES[size])
        await expect(titled(ben, "ana invites you to a table")).to_be_visible()
        await expect(ben.get_by_text("Quoridor · 5 × 5 · 5 min + 3 s a move")).to_be_visible()
        assert await fits(ben)
        assert not [
            each for each in ana.heard if each["type"] == "joined" and each["player"]["name"] != "ana"
        ]
        await ben.get_by_label("Your name").fill("ben")
        await press(ben, "Sit down")
        await expect(state(ben)).to_contain_text("ana is thinking")


@pytest.mark.parametrize("size", SIZES)
async def test_a_game_that_is_on_may_be_watched(size: str) -> None:
    async with a_game(private=True) as (url, people, _, _, room):
        eve = await people.page(url + room["code"], **SIZES[size])
        await expect(titled(eve, "Game in progress")).to_be_visible()
        await expect(eve.get_by_text("ana – ben")).to_be_visible()
        await expect(eve.get_by_role("button", name="Sit down")).to_have_count(0)
        assert await fits(eve)
        await press(eve, "Watch")
        await expect(eve.get_by_text("You're watching.")).to_be_visible()
        await expect(eve.get_by_role("gridcell", name="Column 4, 1 of 6")).to_be_visible()
        await expect(eve.get_by_role("list", name="Moves").get_by_role("listitem")).to_have_count(1)
        await expect(eve.get_by_role("button", name="Resign")).to_have_count(0)


async def test_a_browser_whose_storage_was_cleared_says_what_is_lost() -> None:
    async with a_game(private=True) as (url, people, _, _, room):
        eve = await people.page(url + room["code"])
        lost = eve.get_by_text("forget your name and seats")
        await expect(lost).to_be_visible()
        await expect(eve.get_by_text("This browser doesn't save data")).to_have_count(0)
        await eve.reload()
        await expect(titled(eve, "Game in progress")).to_be_visible()
        await expect(lost).to_have_count(0)


async def test_who_is_late_for_the_last_seat_watches_and_is_told() -> None:
    async with a_site() as (server, people), a_guest(server, "ana") as ana, a_guest(server, "ben") as ben:
        room = await ana.ask("createRoom", game="connect-four")
        eve = await people.page(address(server.port) + room["code"])
        await expect(eve.get_by_role("button", name="Sit down")).to_be_visible()
        await ben.ask("join", code=room["code"])
        await press(eve, "Sit down")
        await expect(eve.get_by_text("All seats are taken. You're watching.")).to_be_visible()


async def test_a_game_for_its_players_alone_says_so() -> None:
    async with a_game(watchers=False) as (url, people, _, _, room):
        eve = await people.page(url + room["code"])
        await expect(eve.get_by_text("Only the players can see this table.")).to_be_visible()
        await expect(eve.get_by_role("button", name="Watch")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("private", [True, False])
async def test_a_game_that_is_over_tells_its_result_and_leads_to_the_replay(private: bool, size: str) -> None:
    async with a_game(private=private) as (url, people, ana, _, room):
        await ana.ask("resign", room=room["room"], seat=0)
        eve = await people.page(url + room["code"], **SIZES[size])
        await expect(titled(eve, "The game is over.")).to_be_visible()
        await expect(eve.get_by_text("ben wins", exact=True)).to_be_visible()
        await expect(eve.get_by_text("the other side resigned")).to_be_visible()
        await expect(eve.get_by_role("button", name="Ask for a rematch")).to_have_count(0)
        assert await fits(eve)
        await press(eve, "Watch the replay")
        await press(eve, "Next move")
        await expect(state(eve)).to_contain_text("1 of 2. ana: 4")
        await eve.go_back()
        await expect(eve.get_by_text("ben wins", exact=True)).to_be_visible()


async def test_a_player_who_went_comes_back_by_the_link_and_asks_for_a_rematch() -> None:
    async with a_game(private=True) as (url, people, ana, ben, room):
        await ana.ask("resign", room=room["room"], seat=0)
        ben_again = await people.page(url)
        code = (await ben.ask("handOver"))["code"]
        await ben_again.goto("about:blank")
        await ben_again.goto(f"{url}#go={code}")
        await press(ben_again, "Continue here")
        await expect(state(ben_again)).to_contain_text("You win")
        await press(ben_again, "New game")
        await expect(ben_again.get_by_role("button", name="Play now")).to_be_visible()
        await ben_again.goto(url + room["code"])
        await expect(titled(ben_again, "The game is over.")).to_be_visible()
        await press(ben_again, "Ask for a rematch")
        await expect(ben_again.get_by_text("Rematch offered")).to_be_visible()
        await ana.ask("offer", room=room["room"], seat=0, what="rematch")
        await expect(state(ben_again)).to_contain_text("Your turn")
        eve = await people.page(url + room["code"])
        await press(eve, "Watch the rematch")
        await expect(titled(eve, "Game in progress")).to_be_visible()


async def test_who_has_left_cannot_be_asked_for_a_rematch() -> None:
    async with a_site() as (server, people), a_guest(server, "ana") as ana:
        room = await ana.ask("createRoom", game="connect-four", private=True)
        url = address(server.port) + room["code"]
        ben = await people.page(url)
        await press(ben, "Sit down")
        await expect(state(ben)).to_contain_text("ana is thinking")
        await ana.ask("playTurn", room=room["room"], seat=0, ply=0, move="4")
        await ana.ask("resign", room=room["room"], seat=0)
        await expect(ben.get_by_role("button", name="Rematch")).to_be_visible()
        await ana.ask("leave", room=room["room"])
        await expect(ben.get_by_text("ana left the table.")).to_be_visible()
        await expect(ben.get_by_role("button", name="New table, same settings")).to_be_visible()
        await press(ben, "New game")  # by which the table closes
        await expect(ben.get_by_role("dialog").get_by_role("radio", name="Connect Four")).to_be_checked()
        await expect(ben.get_by_role("button", name="Play now")).to_be_visible()
        await ben.goto(url)
        await expect(titled(ben, "This table is closed.")).to_be_visible()
        await expect(ben.get_by_text("ana left. Create a new table to play again.")).to_be_visible()
        eve = await people.page(url)
        await expect(titled(eve, "This table is closed.")).to_be_visible()
        await expect(eve.get_by_role("button", name="replay")).to_have_count(0)
        server.service.hub.rooms.closed.forget(room["room"])
        await ben.reload()
        await expect(titled(ben, "This table is closed.")).to_be_visible()
        await ben.get_by_role("link", name="Watch the replay").click()
        await expect(ben.get_by_text("At the start")).to_be_visible()
        await eve.reload()
        await expect(titled(eve, "Table not found")).to_be_visible()


@pytest.mark.parametrize("path", ["ABCD-EFG", "replay/a/b", "a/b/c", "%zz"])
async def test_a_wrong_link_has_a_page_that_leads_on(path: str) -> None:
    async with a_site() as (server, people), a_guest(server) as ana:
        people.forgiven += ("the server responded with a status of 404",)
        room = await ana.ask("createRoom", game="connect-four")
        page = await people.page(address(server.port) + path)
        await expect(page.get_by_role("alert")).to_contain_text("This link is wrong or incomplete.")
        code = page.get_by_label("Table code")
        await expect(code).to_have_value("ABCD-EFG" if path == "ABCD-EFG" else "")
        await code.fill(room["code"])
        await press(page, "Join")
        await expect(titled(page, "ana invites you")).to_be_visible()


async def test_a_wrong_code_can_be_mended() -> None:
    async with a_site() as (server, people), a_guest(server) as ana:
        room = await ana.ask("createRoom", game="connect-four")
        page = await people.page(address(server.port) + "ABCD-EFGH")
        await expect(page.get_by_role("alert")).to_contain_text("No table has this code.")
        await expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
        await page.get_by_label("Table code").fill(room["code"].lower())
        await press(page, "Join")
        await expect(titled(page, "ana invites you to a table")).to_be_visible()
        assert page.url.upper().endswith(room["code"])


async def test_a_table_that_closed_before_it_began_says_so() -> None:
    async with a_site() as (server, people), a_guest(server) as ana:
        room = await ana.ask("createRoom", game="connect-four")
        await ana.ask("leave", room=room["room"])
        page = await people.page(address(server.port) + room["code"])
        await expect(titled(page, "This table is closed.")).to_be_visible()
        await expect(page.get_by_role("button", name="replay")).to_have_count(0)


async def test_a_passphrase_is_asked_for_before_the_table_is_shown() -> None:
    async with a_site(entry="passphrase", passphrase="sesame") as (server, people), a_wire(server) as ana:
        await ana.hello("ana", passphrase="sesame")
        room = await ana.ask("createRoom", game="connect-four")
        page = await people.page(address(server.port) + room["code"], **SIZES["a phone"])
        dialog = page.get_by_role("dialog")
        await expect(titled(page, "ana invites you")).to_have_count(0)
        await dialog.get_by_label("Passphrase").fill("sesame")
        await page.keyboard.press("Enter")
        await expect(titled(page, "ana invites you to a table")).to_be_visible()


@pytest.mark.parametrize("path", ["watch/nowhere", "replay/nowhere", "player/nobody"])
async def test_an_address_that_leads_nowhere_says_so(path: str) -> None:
    async with a_site() as (server, people):
        people.forgiven += ("status of 404",)
        page = await people.page(address(server.port) + path)
        said = page.get_by_text("This table is closed").or_(page.get_by_text("No one here is called"))
        await expect(said).to_be_visible()


async def test_a_public_table_is_watched_by_its_room_and_the_best_are_listed() -> None:
    async with a_game() as (url, people, _, _, room):
        page = await people.page(f"{url}watch/{room['room']}")
        await expect(page.get_by_text("You're watching.")).to_be_visible()
        await page.goto(f"{url}top")
        await expect(titled(page, "Leaderboard")).to_be_visible()
        await page.goto(f"{url}player/ana")
        await expect(titled(page, "ana")).to_be_visible()
