"""Ratings, results and who is who: the pages about people, and what a table tells of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.harness.browser import PHONE, Browsers, address, browsers, expect
from tests.harness.web.guests import played, two_guests
from tests.harness.web.languages import foreign, in_a_language
from tests.harness.wire import RATED, Wire, a_server, a_wire

KEPT = "([key, value]) => localStorage.setItem(key, value)"


async def test_a_players_page_shows_ratings_their_course_and_games() -> None:
    async with two_guests() as (server, ana, ben, people):
        for _ in range(3):
            await played(ana, ben, **RATED)
        room = await played(ben, ana)
        page = await people.page(address(server.port) + "player/ana", **PHONE)
        await expect(page.get_by_role("heading", name="ana", level=1)).to_be_visible()
        rating = page.get_by_role("listitem").filter(has_text="3 games")
        await expect(rating).to_contain_text(re.compile(r"Tic-tac-toe.*rapid.*1[67]\d\d\?"))
        await expect(
            rating.get_by_role("img", name=re.compile(r"from 1662 to 17\d\d over 3"))
        ).to_be_visible()
        games = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Replay"))
        await expect(games).to_have_count(4)
        await expect(games.first).to_contain_text("lost")
        await expect(games.last).to_contain_text("won")
        link = games.first.get_by_role("link", name="Replay Tic-tac-toe")
        assert await link.get_attribute("href") == f"replay/{room}"
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def as_the_player_of(people: Browsers, server: Any, wire: Wire, path: str) -> Any:
    """A page of somebody who came without a browser before."""
    [welcome] = [each for each in wire.heard if each["type"] == "welcome"]
    page = await people.page(address(server.port) + "#go=abc")  # which says hello to nobody yet
    await page.evaluate(KEPT, ["tablero.token", welcome["token"]])
    await page.goto(address(server.port) + path)
    return page


async def test_whoever_reads_a_page_sees_the_balance_with_them() -> None:
    async with two_guests() as (server, ana, ben, people):
        for winner, loser in ((ben, ana), (ben, ana), (ana, ben)):
            await played(winner, loser)
        page = await as_the_player_of(people, server, ana, "player/ben")
        await expect(page.get_by_role("heading", name="ben and ana")).to_be_visible()
        await expect(page.get_by_text("2 won, 0 drawn, 1 lost")).to_be_visible()
        await page.get_by_role("link", name="ana").first.click()
        await expect(page.get_by_role("heading", name="ana", level=1)).to_contain_text("you")
        await page.go_back()
        await expect(page.get_by_role("heading", name="ben", level=1)).to_be_visible()


async def test_older_games_are_shown_when_they_are_asked_for() -> None:
    async with two_guests() as (server, ana, ben, people):
        for _ in range(22):
            await leave(await played(ana, ben), ana, ben)
        page = await people.page(address(server.port) + "player/ben")
        games = page.get_by_role("link", name="Replay Tic-tac-toe")
        await expect(games).not_to_have_count(0)
        assert await games.count() < 22
        await page.get_by_role("button", name="Show more").click()
        await expect(games).to_have_count(22)
        await expect(page.get_by_role("button", name="Show more")).to_have_count(0)


async def leave(room: str, *wires: Wire) -> None:
    for wire in wires:
        await wire.ask("leave", room=room)


async def test_the_best_are_listed_by_game_and_speed() -> None:
    async with (
        two_guests() as (server, ana, ben, people),
        a_wire(server, address="127.0.0.3") as eve,
        a_wire(server, address="127.0.0.4") as dan,
    ):
        await eve.hello("eve")
        await dan.hello("dan")
        for rival in (ben, eve, dan) * 4:
            await leave(await played(ana, rival, **RATED), ana, rival)
        page = await people.page(address(server.port), **PHONE)
        await page.get_by_role("link", name="Leaderboard").click()
        assert page.url.endswith("/top")
        best = page.get_by_role("listitem").filter(has_text="12 games")
        await expect(best).to_contain_text(re.compile(r"^1ana12 games\d{4}"))
        await page.get_by_role("button", name="blitz").click()
        await expect(page.get_by_text("No one yet. Play ten rated games")).to_be_visible()
        await page.get_by_role("button", name="rapid").click()
        await best.get_by_role("link", name="ana").click()
        await expect(page.get_by_role("heading", name="ana", level=1)).to_be_visible()


async def test_the_fastest_are_listed_by_course_and_tonight_by_time() -> None:
    async with two_guests() as (server, ana, ben, people):
        await played(ana, ben)
        page = await people.page(address(server.port) + "top")
        await page.get_by_role("radio", name="Minesweeper").check(force=True)
        await expect(page.get_by_text("No times yet.")).to_be_visible()
        await page.get_by_role("button", name="Expert, no guessing").click()
        await expect(page.get_by_role("button", name="Expert, no guessing")).to_have_attribute(
            "aria-pressed", "true"
        )
        tonight = page.get_by_role("listitem").filter(has_text="Tic-tac-toe")
        await expect(tonight).to_contain_text("ana – ben")


@pytest.mark.parametrize("language", ["fr", "es"])
async def test_the_pages_about_people_are_in_a_language(language: str) -> None:
    async with two_guests() as (server, ana, ben, people):
        for _ in range(2):
            await played(ana, ben, **RATED)
        for path, shown in (("player/ana", "1720"), ("top", "ana")):
            page = await in_a_language(people, address(server.port) + path, language, **PHONE)
            await expect(page.get_by_text(shown).first).to_be_visible()
            unknown = [
                each
                for each in await foreign(page, language)
                if not re.fullmatch(r"[\d?]+|.*\d+:\d+.*|· (rapide|rápida)", each)
            ]
            assert unknown == []
            assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


async def test_somebody_who_is_nobody_here_is_said_to_be_so() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port) + "player/nobody")
        await expect(page.get_by_role("alert")).to_contain_text("nobody")


async def test_a_rated_table_is_made_and_shows_ratings_beside_the_names() -> None:
    async with two_guests() as (server, ana, ben, people):
        await played(ana, ben, **RATED)
        page = await as_the_player_of(people, server, ana, "")
        await page.get_by_role("button", name="Create a table").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_label("Rating")).to_be_hidden()
        await dialog.get_by_label("Who may join").select_option(label="Anyone in the lobby")
        await dialog.get_by_label("Rating").select_option(label="Rated: changes both ratings")
        clock = dialog.get_by_label("Clock")
        await expect(clock.locator("option:checked")).to_have_text("5 min + 5 s a move")
        await expect(clock.locator("option", has_text="No clock")).to_be_disabled()
        await dialog.get_by_role("radio", name="Minesweeper").check(force=True)
        await expect(dialog.get_by_label("Rating")).to_be_hidden()
        await dialog.get_by_role("radio", name="Tic-tac-toe").check(force=True)
        await dialog.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
        [line] = (await ben.ask("watchLobby"))["rooms"][-1:]
        assert (line["rated"], line["clock"]) == (True, RATED["clock"])
        await expect(page.get_by_text("1662?")).to_be_visible()
        await ben.ask("join", room=line["room"])
        await expect(page.get_by_text("1338?")).to_be_visible()


async def test_the_lobby_shows_ratings_beside_names() -> None:
    async with two_guests() as (server, ana, ben, people):
        await played(ana, ben, **RATED)
        await ana.ask("createRoom", game="tic-tac-toe", clock=RATED["clock"])
        await ben.ask("seek", game="tic-tac-toe", clock=RATED["clock"])
        page = await people.page(address(server.port))
        await expect(page.get_by_text("ana 1662? – …")).to_be_visible()
        await expect(page.get_by_role("listitem").get_by_text("ben 1338?", exact=True)).to_be_visible()
        await expect(page.get_by_text("1662?")).to_have_attribute("title", re.compile("Provisional rating"))


async def test_two_who_want_a_rated_game_are_brought_together() -> None:
    async with (
        a_server(seconds=60) as server,
        browsers() as people,
        a_wire(server, address="127.0.0.2") as eve,
    ):
        await eve.hello("eve")
        page = await people.page(address(server.port))
        await page.get_by_role("button", name="Choose a game").click()
        await page.get_by_label("Rated games only").check()
        await page.get_by_role("dialog").get_by_role("button", name="Play now").click()
        await expect(page.get_by_text("Looking for an opponent")).to_be_visible()
        assert (await eve.ask("seek", game="connect-four", **RATED))["type"] == "ok"
        await expect(page.get_by_role("heading", name="Connect Four")).to_be_visible()


async def test_a_device_is_called_by_its_browser_and_system() -> None:
    async with a_server(seconds=60) as server, browsers() as people:
        page = await people.page(address(server.port))
        await expect(page.get_by_text("People here: 1.")).to_be_visible()
        accounts = server.service.hub.accounts
        [own] = accounts.by_id
        assert [token.device for token in accounts.tokens.of(own)] == ["Chrome, Linux"]


async def test_links_about_a_player_leave_nobody_without_the_table() -> None:
    async with two_guests() as (server, ana, ben, people):
        await played(ana, ben)
        room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
        await ben.ask("join", room=room)
        eve = await people.page(f"{address(server.port)}watch/{room}")
        await expect(eve.get_by_text("You're watching.")).to_be_visible()
        await eve.get_by_role("button", name="ana").click()
        about = eve.get_by_role("dialog", name="Player")
        for name, end in (
            ("ben", "player/"),
            ("Replay Tic-tac-toe", "replay/"),
            ("Open full", "player/"),
        ):
            async with eve.expect_popup() as coming:
                await about.get_by_role("link", name=name).first.click()
            page = await coming.value
            assert f"/{end}" in page.url
            await page.close()
        await expect(about).to_be_visible()
        await about.get_by_role("button", name="Close").click()
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        await expect(eve.get_by_role("gridcell", name="b2, ana")).to_be_visible()
