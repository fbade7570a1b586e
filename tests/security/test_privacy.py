"""Nothing of a private table, nor the host's list of a day, reaches anybody who is not of that table.

Law: whatever there is to ask is asked, every message and every page, also one that comes to be later.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession

from generate.examples import CLIENT_EXAMPLES
from tablero_server.app import Server
from tablero_server.settings import Settings
from tests.harness.wire import Json, Wire, a_wire

SAID = "whisper-of-ana"
IN_A_PATH = {
    "player": "ana",
    "game": "tic-tac-toe",
    "course": "expert",
    "version": "x",
    "name": "x",
    "wheel": "x",
    "code": "AAAA-AAAA",
}
NOT_ASKED = {"hello", "createRoom", "unwatchLobby", "unwatchBest"}
"""What one does alone, and what would tell less."""


class Played:
    """Two private tables of Ana and Ben: at one a game is on, at the other it is over and all have left."""

    def __init__(self, running: Json, over: Json) -> None:
        self.rooms = [running["room"], over["room"]]
        self.secrets = {*self.rooms, running["code"], over["code"], SAID}
        self.secrets |= {joined["table"]["epoch"] for joined in (running, over)}

    def found_in(self, text: str) -> set[str]:
        return {secret for secret in self.secrets if secret in text}


async def play(ana: Wire, ben: Wire) -> Played:
    tables = []
    for _ in range(2):
        fields = {"private": True, "clock": {"base": 300, "increment": 0}}
        made = await ana.ask("createRoom", game="tic-tac-toe", **fields)
        joined = await ben.ask("join", code=made["code"])
        await ana.ask("playTurn", room=made["room"], seat=0, ply=0, move="b2")
        await ben.ask("playTurn", room=made["room"], seat=1, ply=1, move="a1")
        await ana.ask("say", room=made["room"], text=SAID)
        tables.append({**joined, "code": made["code"]})
    over = tables[1]["room"]
    await ben.ask("resign", room=over, seat=1)
    for wire in (ana, ben):
        await wire.ask("leave", room=over)
    return Played(tables[0], tables[1])


@asynccontextmanager
async def an_evening() -> AsyncIterator[tuple[Server, Wire, str, Played]]:
    """Eve has looked on since before it began; her line, and her token."""
    settings = Settings(port=0, bots=False, messages_burst=10_000, rooms_per_person=100)
    server = Server(settings, host_pages=("127.0.0.1", 0))
    await server.start()
    try:
        async with a_wire(server) as eve, a_wire(server) as ana, a_wire(server) as ben:
            token = (await eve.hello("eve"))["token"]
            for type in ("watchLobby", "watchBest"):
                await eve.ask(type)
            await ana.hello("ana")
            await ben.hello("ben")
            played = await play(ana, ben)
            await ana.ask("createRoom", game="quoridor")  # the lobby has told of all before this
            yield server, eve, token, played
    finally:
        await server.stop()


def about(played: Played, room: str, example: Json) -> Json:
    """The message, asked about that room and its players."""
    named: Json = {"room": room, "player": "ana", "rival": "ben"}
    return {**example, **{field: value for field, value in named.items() if field in example}}


async def test_no_message_brings_a_stranger_anything_of_a_private_table() -> None:
    async with an_evening() as (_, eve, _, played):
        answers = 0
        for at, room in enumerate(played.rooms):
            for example in CLIENT_EXAMPLES:
                if example["type"] in NOT_ASKED:
                    continue
                asked = {**about(played, room, example), "id": f"{at}-{example['id']}"}
                answer = await eve.ask(asked.pop("type"), **asked)
                told = json.dumps({**answer, "fields": None, "message": None})
                assert not played.found_in(told), (example["type"], answer)
                answers += 1
        assert answers > 60
        while not any(line["game"] == "quoridor" for heard in eve.heard for line in heard.get("rooms", ())):
            await eve.hear()
        news = [heard for heard in eve.heard if "re" not in heard]
        assert not played.found_in(json.dumps(news))


def paths(server: Server, room: str) -> set[str]:
    """Every page there is."""
    resources: Any = server._pages._runner.app.router.resources()
    return {each.canonical.format_map({**IN_A_PATH, "room": room}) for each in resources}


async def test_no_page_shows_a_stranger_anything_of_a_private_table() -> None:
    async with an_evening() as (server, _, token, played), ClientSession() as session:
        asked: set[str] = set()
        for room in played.rooms:
            for path in paths(server, room):
                for headers in ({}, {"Authorization": f"Bearer {token}"}):
                    url = f"http://127.0.0.1:{server.port}{path}"
                    async with session.get(url, headers=headers) as answer:
                        text = (await answer.read()).decode("utf-8", "replace")
                        assert answer.status != 429
                    assert not played.found_in(text), (path, answer.status)
                    asked.add(path)
        assert {f"/api/rooms/{room}/record" for room in played.rooms} <= asked
        assert {"/api/tonight", "/api/players/ana", "/api/players/ana/games"} <= asked


async def test_the_hosts_pages_show_nobody_what_was_played_on_a_day() -> None:
    async with an_evening() as (server, _, token, played), ClientSession() as session:
        host = f"http://127.0.0.1:{server.host_site.port}"
        for headers in ({}, {"Authorization": f"Bearer {token}"}):
            async with session.post(
                f"{host}/api/games", json={"day": "2026-11-19"}, headers=headers
            ) as answer:
                assert answer.status == 401
        for path in ("/", "/metrics", "/openapi.json", "/page.js"):
            async with session.get(f"{host}{path}") as answer:
                text = await answer.text()
                assert (answer.status, played.found_in(text)) == (200, set())
                assert "ana" not in text.split()
