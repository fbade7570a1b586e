"""Ratings and results over HTTP: what the messages of the same names tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness.pages import Browser, a_game, bearer, three, to_the_end
from tests.harness.wire import RATED


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
