"""What a line that is slow, or pretends to be, gains at the clock of a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from struct import unpack

import pytest

from tablero_server.core.room import clock
from tablero_server.core.room.clock import LAG_MS
from tablero_server.service import LATE_MS
from tablero_server.wire import network
from tests.harness.raw import PING, PONG, TEXT, Raw, a_raw, frame
from tests.harness.wire import PATIENCE, Json, Listening, a_server, a_wire

LATE_SECONDS = 0.4
"""How late this client's pongs are: later than what is given back of a turn."""
GAME_LAG_MS = 450
"""What is given back of a whole game here; on a real server it is 20 s."""


class LatePongs:
    """A client that holds each pong back for a while, and may send others than were asked for."""

    def __init__(self, raw: Raw, forged: Callable[[bytes], bytes]) -> None:
        self._raw = raw
        self._forged = forged
        self._messages: asyncio.Queue[Json] = asyncio.Queue()
        self._ids = (f"i{number}" for number in count(1))
        self.has_ponged = asyncio.Event()

    async def ask(self, type: str, **fields: object) -> Json:
        id = next(self._ids)
        await self._raw.send(frame(TEXT, json.dumps({"type": type, "id": id, **fields}).encode()))
        return await self.hear(re=id)

    async def hear(self, **fields: object) -> Json:
        """The next message with these fields."""
        async with asyncio.timeout(PATIENCE):
            while not fields.items() <= (message := await self._messages.get()).items():
                pass
        return message

    async def read(self) -> None:
        while True:
            opcode, payload = await self._frame()
            if opcode == TEXT:
                self._messages.put_nowait(json.loads(payload))
            elif opcode == PING:
                await asyncio.sleep(LATE_SECONDS)
                await self._raw.send(frame(PONG, self._forged(payload)))
                self.has_ponged.set()

    async def _frame(self) -> tuple[int, bytes]:
        first, size = await self._raw.reader.readexactly(2)
        if size == 126:
            (size,) = unpack("!H", await self._raw.reader.readexactly(2))
        return first & 15, await self._raw.reader.readexactly(size)


@asynccontextmanager
async def late_pongs(server: Listening, forged: Callable[[bytes], bytes]) -> AsyncIterator[LatePongs]:
    async with a_raw(server) as raw:
        await raw.upgrade()
        client = LatePongs(raw, forged)
        reading = asyncio.create_task(client.read())
        try:
            yield client
        finally:
            reading.cancel()


@pytest.mark.parametrize(
    ("forged", "given"),
    [(lambda asked: asked, [LAG_MS, GAME_LAG_MS - LAG_MS, 0]), (lambda asked: bytes(8), [0] * 3)],
    ids=["late", "late and of other bytes"],
)
async def test_who_delays_pongs_gains_at_most_what_is_given_back_of_a_turn_and_of_a_game(
    monkeypatch: pytest.MonkeyPatch, forged: Callable[[bytes], bytes], given: list[int]
) -> None:
    monkeypatch.setattr(clock, "LAG_OF_A_GAME_MS", GAME_LAG_MS)
    monkeypatch.setattr(network, "_MEASURED_EVERY", 1)
    async with (
        a_server(first_move_seconds=0) as server,
        late_pongs(server, forged) as ana,
        a_wire(server) as ben,
    ):
        await ana.ask("hello", protocol=1, client="test", name="ana")
        await ben.hello("ben")
        table = {"game": "connect-four", "clock": {"base": 60}, "subscribe": ["nextPlayer"]}
        room = (await ana.ask("createRoom", **table))["room"]
        await ben.ask("join", room=room)
        await ana.has_ponged.wait()
        before, lags = await ana.hear(type="nextPlayer", seats=[0]), []
        for ply in range(0, 6, 2):
            await asyncio.sleep(LATE_SECONDS)  # she thinks
            after = await ana.ask("playTurn", room=room, seat=0, ply=ply, move="1234"[ply // 2])
            lags.append(after.get("lag", 0))
            charged, passed = before["clocks"][0] - after["clocks"][0], after["at"] - before["at"]
            assert passed - LATE_MS <= charged + lags[-1] <= passed, "all the rest was charged"
            assert charged >= 0
            await ben.ask("playTurn", room=room, seat=1, ply=ply + 1, move="1234"[ply // 2])
            before = await ana.hear(type="nextPlayer", ply=ply + 2)
        assert lags == given
