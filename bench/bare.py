"""The baseline of the load: the same stack without Tablero, only aiohttp, msgpack and pydantic.

It validates each frame like Tablero, and sends one answer of the same size to both ends of a pair. It has no
identity, rooms, rules, journal or bounded outbox. So it shows how fast this stack can be without them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgpack
import uvloop
from aiohttp import WSMsgType, web

from tablero_protocol.messages import CLIENT_MESSAGE, PlayTurn

VIEW = {"columns": 7, "rows": 6, "connect": 4, "stacks": ["010", "0101", "1", "010101", "01", "10", "0"]}


async def echo(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(protocols=("tablero.v1.msgpack",), compress=False, max_msg_size=4_096)
    await socket.prepare(request)
    pair: list[web.WebSocketResponse] = request.app[PAIRS].setdefault(request.query["pair"], [])
    pair.append(socket)
    pack = msgpack.Packer().pack
    async for frame in socket:
        if frame.type is not WSMsgType.BINARY:
            break
        turn = CLIENT_MESSAGE.validate_python(msgpack.unpackb(frame.data))
        assert isinstance(turn, PlayTurn)
        answer = pack(
            {
                "type": "nextPlayer",
                "room": turn.room,
                "seq": turn.ply,
                "ply": turn.ply + 1,
                "seats": [1 - turn.seat],
                "view": VIEW,
                "last": {"seat": turn.seat, "move": turn.move},
                "seat": turn.seat,
                "re": turn.id,
            }
        )
        for member in pair:
            await member.send_bytes(answer)
    pair.remove(socket)
    return socket


PAIRS: web.AppKey[dict[str, Any]] = web.AppKey("pairs")


async def main() -> None:
    app = web.Application()
    app[PAIRS] = {}
    app.router.add_get("/ws", echo)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=4096)
    await site.start()
    assert site._server is not None
    print(f"listening {runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        uvloop.run(main())
