"""Ratings and results over HTTP, as the messages of the same names tell them; and other servers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablero_server.reach.neighbours import Neighbour, Neighbours
from tests.harness.neighbours import announced
from tests.harness.pages import Browser, a_browser, a_game, bearer, three, to_the_end
from tests.harness.wire import RATED, a_server


async def page(browser: Browser, path: str, **headers: str) -> tuple[int, dict[str, Any]]:
    status, body = await browser.get(path, **headers)
    return status, json.loads(body)


async def test_a_page_says_what_the_message_says() -> None:
    async with three() as (_, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", **RATED)
        await to_the_end(ana, ben, room)
        for path, type, fields in (
            ("/api/players/ben", "showPlayer", {"player": "ben"}),
            ("/api/ratings/tic-tac-toe?speed=rapid", "showRatings", {"game": "tic-tac-toe"}),
            ("/api/times/expert?bots=true", "showTimes", {"course": "expert", "bots": True}),
        ):
            status, told = await page(browser, path, **bearer(token))
            answer = await ana.ask(type, **fields)
            assert (status, {**told, "re": answer["re"]}) == (200, answer)
        status, tonight = await page(browser, "/api/tonight")
        assert (status, [game["room"] for game in tonight["games"]]) == (200, [room])
        assert [seat["value"] for seat in tonight["games"][0]["seats"]] == [1662, 1338]


async def test_a_private_game_is_on_no_page_but_its_players() -> None:
    async with three() as (_, browser, ana, ben):
        room, token, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
        await to_the_end(ana, ben, room)
        for path in ("/api/tonight", "/api/players/ana?rival=ben", "/api/players/ben?rival=ana"):
            status, body = await browser.get(path)
            assert (status, room in body) == (200, False)
            told = json.loads(body)
            assert told["games"] == []
            assert told.get("headToHead", []) == []
            assert room in (await browser.get(path, **bearer(token)))[1]


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("/api/ratings/chess", 404, "unknownGame"),
        ("/api/ratings/quoridor?speed=fast", 400, "fieldNotAmong"),
        ("/api/ratings/quoridor?after=-1", 400, "fieldNotWhole"),
        ("/api/ratings/quoridor?after=9007199254740993", 400, "fieldTooLarge"),
        ("/api/ratings/quoridor?after=1&after=2", 400, "unknownField"),
        ("/api/ratings/quoridor?game=tic-tac-toe", 400, "unknownField"),
        ("/api/ratings/quoridor?colour=red", 400, "unknownField"),
        ("/api/times/easy", 400, "fieldNotAmong"),
        ("/api/times/expert?bots=perhaps", 400, "fieldNotTrueOrFalse"),
        ("/api/players/nobody", 404, "nobodyCalledThat"),
        ("/api/players/%20", 400, "fieldUnseen"),
        (f"/api/players/{'x' * 65}", 400, "fieldTooLong"),
        ("/api/tonight?after=", 400, "fieldTooShort"),
        ("/api/tonight?type=ping", 400, "unknownField"),
        ("/api/tonight?id=mine", 400, "unknownField"),
    ],
)
async def test_a_question_with_a_mistake_is_told_which(path: str, status: int, reason: str) -> None:
    async with three() as (_, browser, _, _):
        answer = await page(browser, path)
        assert (answer[0], answer[1]["reason"]) == (status, reason), answer
        assert answer[1]["message"]


async def test_a_server_that_heard_of_none_tells_of_none() -> None:
    async with a_server() as server, a_browser(server) as browser:
        assert await browser.get("/api/nearby") == (200, '{"servers": []}')


async def test_neighbours_are_told_to_private_addresses_alone() -> None:
    async with a_server(trusted_proxies="127.0.0.1") as server, a_browser(server) as browser:
        server.neighbours = Neighbours()
        told = announced("Tablero on one", 8470, {}, address="192.168.1.7")
        server.neighbours._hear(told.name, told)
        found = [Neighbour("Tablero on one", "http://192.168.1.7:8470/")._asdict()]
        for visitor, servers in (("192.168.1.9", found), ("198.41.0.4", []), ("127.0.0.1", found)):
            status, body = await browser.get("/api/nearby", X_Forwarded_For=visitor)
            assert (status, json.loads(body)) == (200, {"servers": servers})
