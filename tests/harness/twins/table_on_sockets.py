"""One of two twin games, played on a real server; all bytes of all connections are kept."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import AsyncExitStack
from random import Random
from typing import Any

from tablero_server.app import Server
from tests.harness.pages import a_browser
from tests.harness.raw import TEXT, Raw, a_raw, frame
from tests.harness.twins.pairs import Json, Told, Twins, Who
from tests.harness.twins.table import EVENTS, in_room
from tests.harness.wire import PATIENCE, a_server


class Tap:
    """A connection that keeps everything it receives."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self.heard = bytearray()

    async def say(self, message: Json) -> None:
        """Sends a message, and reads until its answer has come."""
        await self._raw.send(frame(TEXT, json.dumps(message).encode()))
        answer = f'"re":"{message["id"]}"'.encode()
        async with asyncio.timeout(PATIENCE):
            while answer not in self.heard:
                more = await self._raw.reader.read(65_536)
                assert more, "the server hung up"
                self.heard += more


async def told_on_sockets(pair: Twins, which: int) -> Told:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(seconds=6 * PATIENCE))
        _draw_before(server, pair, which)
        taps: dict[Who, Tap] = {}
        for who in [*range(pair.seats), "watcher"]:
            raw = await stack.enter_async_context(a_raw(server))
            await raw.upgrade()
            taps[who] = Tap(raw)
        await _play(server, pair, which, taps)
        return {who: [bytes(tap.heard), await _replay(server, tap)] for who, tap in taps.items()}


async def _replay(server: Server, tap: Tap) -> bytes:
    """The status, headers and body of the replay page for this player's token."""
    [token] = re.findall(rb'"token":"([^"]+)"', bytes(tap.heard))
    [room] = server.service.hub.rooms.open
    async with a_browser(server) as browser:
        await browser.ask(f"/api/rooms/{room}/replay", Authorization=f"Bearer {token.decode()}")
        status, headers, body = await browser.answer()
    del headers["date"]
    return f"{status} {headers} {body}".encode()


def _draw_before(server: Server, pair: Twins, which: int) -> None:
    """Sets randomness and time as in the other game, except for the room's random numbers."""

    async def found(asked: Any) -> list[str]:
        return pair.fields[which]

    service: Any = server.service
    service.now = lambda **_: 1_000_000
    service.searcher.find = found
    service.hub.ids._random_bytes = Random(7).randbytes
    service.hub.ids.seed = lambda: pair.numbers[which]


async def _play(server: Server, pair: Twins, which: int, taps: dict[Who, Tap]) -> None:
    room = epoch = ""
    sent = 0

    async def say(who: Who, message: Json) -> None:
        nonlocal sent
        sent += 1
        await taps[who].say(in_room({**message, "id": f"i{sent}"}, room, epoch))
        for tap in taps.values():  # by then all players have been told
            sent += 1
            await tap.say({"type": "ping", "id": f"i{sent}"})

    for who, tap in taps.items():
        sent += 1
        name = f"player-{who}"
        await tap.say({"type": "hello", "id": f"i{sent}", "protocol": 1, "client": "test", "name": name})
    shape: Json = {"game": "minesweeper", "options": pair.options, "seats": pair.seats}
    await say(0, {"type": "createRoom", "subscribe": EVENTS, **shape})
    ((room, views),) = server.service.hub.rooms.open.items()
    epoch = views.room.epoch
    for who in list(taps)[1:]:
        await say(who, {"type": "join", "watch": who == "watcher", "subscribe": EVENTS})
    for step in pair.steps:
        if step.messages[which]["type"] != "watchLobby":  # the lobby is sent at times chosen by the server
            await say(step.who, step.messages[which])
