"""Ratings and results over HTTP: what the messages of the same names tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablero_games.record.verify import verify
from tests.harness.pages import Browser, a_browser, a_game, bearer, three, to_the_end
from tests.harness.wire import RATED, a_server, a_wire


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


PATH = "/api/players/ana/games"


def whole(chunks: str) -> str:
    """A body that came in chunks."""
    text = ""
    while chunks:
        size, _, rest = chunks.partition("\r\n")
        length = int(size, 16)
        text, chunks = text + rest[:length], rest[length + 2 :]
    return text


def records(file: str) -> list[str]:
    """The records in a file, each begun by a line that names its format."""
    starts = [at for at, line in enumerate(file.splitlines()) if "format" in json.loads(line)]
    lines = file.splitlines(keepends=True)
    return ["".join(lines[start:end]) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


async def test_the_file_has_every_record_the_newest_first() -> None:
    async with three() as (_, browser, ana, ben):
        rooms = []
        for number in range(3):
            if not number:
                room, token, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
            else:
                room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
                await ben.ask("join", room=room)
            await to_the_end(ana, ben, room)
            rooms.append(room)
            if number == 1:
                for wire in (ana, ben):
                    await wire.ask("leave", room=room)
        status, file = await browser.get(PATH, **bearer(token))
        assert status == 200
        file = whole(file)
        assert [json.loads(record.splitlines()[0])["room"] for record in records(file)] == rooms[::-1]
        for room, record in zip(rooms[::-1], records(file), strict=True):
            assert verify(record).valid
            assert record == (await browser.get(f"/api/rooms/{room}/record", **bearer(token)))[1]


@pytest.mark.parametrize("whose", ["nobody", "another", "a wrong one"])
async def test_nobody_else_gets_it(whose: str) -> None:
    async with three() as (_, browser, ana, ben):
        room, _, bens = await a_game(ana, ben, "tic-tac-toe")
        await to_the_end(ana, ben, room)
        headers = {"nobody": {}, "another": bearer(bens), "a wrong one": bearer("wrong")}[whose]
        for path in (PATH, "/api/players/somebody/games"):
            status, body = await browser.get(path, **headers)
            expected = 403 if whose == "another" else 401
            assert (status, json.loads(body)["reason"]) == (expected, "notYourGames")
            assert room not in body


async def test_who_has_not_played_has_an_empty_file() -> None:
    async with a_server() as server, a_browser(server) as browser, a_wire(server) as ana:
        token = (await ana.hello("ana"))["token"]
        status, file = await browser.get(PATH, **bearer(token))
        assert (status, whole(file)) == (200, "")
