"""All games of a player as one file, for nobody else."""

from __future__ import annotations

import json

import pytest

from tablero_games.record.verify import verify
from tests.harness.pages import a_browser, a_game, bearer, three, to_the_end
from tests.harness.wire import a_server, a_wire

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
