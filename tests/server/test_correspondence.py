"""A game by correspondence outlives its server, again and again: real processes, sockets and files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from urllib.request import urlopen
from uuid import uuid4

import pytest

from tablero_games.record.file import read
from tablero_games.record.verify import verify
from tablero_protocol.codec import CODECS
from tests.harness.serving import Serving
from tests.harness.wire import Json, Wire, a_wire

DAY_MS = 24 * 3_600_000
TOKENS = dict[str, str]


@asynccontextmanager
async def players(serving: Serving, codec: str, tokens: TOKENS) -> AsyncIterator[dict[str, Wire]]:
    """Ana and Ben, who are the same in every life of the server."""
    async with AsyncExitStack() as stack:
        wires = {}
        for name in ("ana", "ben"):
            wire = wires[name] = await stack.enter_async_context(a_wire(serving, codec))
            wire._ids = (uuid4().hex for _ in count())  # a player uses an id once, over all lives
            welcome = await wire.hello(name, **({"token": tokens[name]} if name in tokens else {}))
            tokens.setdefault(name, welcome.get("token", ""))
        yield wires


async def again(serving: Serving) -> None:
    """The server is killed, and started on the same file."""
    await asyncio.to_thread(serving.kill)
    serving.start()
    await asyncio.to_thread(serving.wait_until_open)


async def waiting_for(wire: Wire) -> Json:
    answer = await wire.ask("listRooms")
    assert answer["type"] == "ownRooms", answer
    [line] = answer["rooms"]
    return dict(line)


@pytest.mark.parametrize(
    "codec", [pytest.param(each, marks=[] if CODECS[each].binary else pytest.mark.full) for each in CODECS]
)
async def test_a_game_of_days_goes_on_over_three_servers_that_were_killed(codec: str, tmp_path: Path) -> None:
    database, tokens = f"sqlite:///{tmp_path}/tablero.db", TOKENS()
    with Serving(tmp_path, database, TABLERO_SESSION_SECONDS="0.2", TABLERO_GRACE_SECONDS="0") as serving:
        serving.start()
        await asyncio.to_thread(serving.wait_until_open)
        async with players(serving, codec, tokens) as wires:
            created = await wires["ana"].ask("createRoom", game="tic-tac-toe", clock={"days": 2})
            room = created["room"]
            await wires["ben"].ask("join", room=room)
            await wires["ana"].ask("playTurn", room=room, seat=0, ply=0, move="a1")
            await wires["ben"].ask("playTurn", room=room, seat=1, ply=1, move="b1")
        await again(serving)
        async with a_wire(serving, codec) as cat:  # while nobody looks at it; the next start packs it
            await cat.hello("cat")
            await cat.ask("createRoom", game="connect-four")
        await again(serving)
        async with players(serving, codec, tokens) as wires:
            line = await waiting_for(wires["ben"])
            assert (line["room"], line["state"], line["toMove"]) == (room, "playing", [0])
            assert line["clocks"][1] == 2 * DAY_MS
            assert 2 * DAY_MS - 120_000 < line["clocks"][0] < 2 * DAY_MS
            late = await wires["ana"].ask("playTurn", room=room, seat=0, ply=2, move="a2")
            assert late["code"] == "forbidden"
            for name, wire in wires.items():
                joined = await wire.ask("join", room=room, subscribe=["nextPlayer"])
                assert joined["seat"] == ["ana", "ben"].index(name)
            turn = await wires["ana"].ask("playTurn", room=room, seat=0, ply=2, move="a2")
            assert turn["clocks"][0] == 2 * DAY_MS
        await again(serving)
        async with players(serving, codec, tokens) as wires:
            assert (await waiting_for(wires["ana"]))["toMove"] == [1]
            for wire in wires.values():
                await wire.ask("join", room=room, subscribe=["nextPlayer"])
            await wires["ben"].ask("playTurn", room=room, seat=1, ply=3, move="b2")
            won = await wires["ana"].ask("playTurn", room=room, seat=0, ply=4, move="a3")
            assert (won["outcome"]["kind"], won["outcome"]["winners"]) == ("win", [0])
        page = f"http://127.0.0.1:{serving.port}/api/rooms/{room}/record"
        record = await asyncio.to_thread(lambda: urlopen(page).read().decode())
    assert str(verify(record)) == "valid"
    assert read(record).header.clock == {"days": 2}
    assert [turn.move for turn in read(record).turns] == ["a1", "b1", "a2", "b2", "a3"]
