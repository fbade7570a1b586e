"""People who watch one room, in a separate process: `python -m bench.audience PORT ROOM COUNT`.

The process prints a line once all watch, reads until its input ends, and then prints the arrival time of each
frame, by the machine's steady clock. It needs little processor time, because after the join it decodes no
frame.
"""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter

import uvloop

from tests.harness.crowd import a_crowd, allow_many_sockets

_PING, _PONG, _MASKED, _NO_MASK = 0x89, 0x8A, 0x80, bytes(4)


class _Watching(asyncio.Protocol):
    """A socket that notes only the time of each frame, and answers pings."""

    def __init__(self, transport: asyncio.Transport, came: list[float]) -> None:
        self._transport = transport
        self._came = came

    def data_received(self, data: bytes) -> None:
        if data[0] == _PING:
            said = data[2 : 2 + data[1]]
            self._transport.write(bytes([_PONG, _MASKED | len(said)]) + _NO_MASK + said)
        else:
            self._came.append(perf_counter())


async def watch(port: int, room: str, count: int) -> None:
    came: list[float] = []
    async with a_crowd(port, count, "w") as watchers:
        for watcher in watchers:
            await watcher.send("join", room=room, watch=True, subscribe=["nextPlayer"])
            await watcher.next("nextPlayer")
            transport: asyncio.Transport = watcher.socket.transport
            transport.set_protocol(_Watching(transport, came))
            transport.resume_reading()
        await asyncio.sleep(1)  # until the messages about the last joins have arrived
        came.clear()
        print("all watch", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        print(json.dumps(came), flush=True)


if __name__ == "__main__":
    allow_many_sockets()
    uvloop.run(watch(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
