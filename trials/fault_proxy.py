"""A proxy that misbehaves: bytes are late, in single pieces, slow, held back, or cut off.

`python -m trials.fault_proxy --listen PORT --to HOST:PORT [--latency MS] [--jitter MS] [--blackhole]
[--rst-every S] [--one-byte] [--rate BYTES]` works for any client and server. `FaultProxy` has the same
settings, which can be changed at any time.

Law: bytes arrive unchanged and in order, however late; only a reset loses the rest of them.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from types import TracebackType

_CHUNK = 4_096
_UNDER_WAY = 64
"""The number of chunks on their way before the sender has to wait."""


@dataclass
class Faults:
    """The present faults of the line, in seconds and bytes."""

    latency: float = 0.0
    jitter: float = 0.0
    """The most additional delay, at random. Later bytes never overtake earlier ones."""
    one_byte: bool = False
    """Whether every byte is sent as a separate packet."""
    rate: float | None = None
    """Bytes a second, in each direction of each connection."""


class FaultProxy:
    """A proxy that listens at `port` inside `async with`."""

    def __init__(self, host: str, port: int, *, listen: int = 0, seed: int = 0) -> None:
        self.faults = Faults()
        self.port = listen
        self.connections = 0
        """The number of connections so far."""
        self._there = (host, port)
        self._random = Random(seed)
        self._open = asyncio.Event()
        self._open.set()
        self._lines: set[_Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def blackhole(self) -> bool:
        """Whether everything is held back, even the end of a connection. Afterwards all bytes arrive."""
        return not self._open.is_set()

    @blackhole.setter
    def blackhole(self, on: bool) -> None:
        if on:
            self._open.clear()
        else:
            self._open.set()

    def reset(self) -> int:
        """Cuts every connection in both directions. Returns their number."""
        lines = list(self._lines)
        for line in lines:
            line.reset()
        return len(lines)

    async def __aenter__(self) -> FaultProxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._there)
        except OSError:
            writer.transport.abort()
            return
        line = _Line(writer, far_writer)
        self._lines.add(line)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass_on(reader, far_writer))
                both.create_task(self._pass_on(far_reader, writer))
        except* OSError:
            pass  # one end is gone, so the line has ended
        finally:
            self._lines.discard(line)
            line.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Passes on one direction until it ends."""
        late: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(_UNDER_WAY)
        async with asyncio.TaskGroup() as both:
            both.create_task(self._take(reader, late))
            both.create_task(self._give(late, writer))

    async def _take(self, reader: asyncio.StreamReader, late: asyncio.Queue[tuple[float, bytes]]) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            chunk = await reader.read(_CHUNK)
            wait = self.faults.latency + self._random.uniform(0, self.faults.jitter)
            await late.put((clock() + wait, chunk))
            if not chunk:
                return

    async def _give(self, late: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            due, chunk = await late.get()
            await asyncio.sleep(max(0.0, due - clock()))
            await self._open.wait()
            if not chunk:
                with suppress(OSError):
                    writer.write_eof()
                return
            size = 1 if self.faults.one_byte else len(chunk)
            for start in range(0, len(chunk), size):
                crumb = chunk[start : start + size]
                writer.write(crumb)
                await writer.drain()
                await asyncio.sleep(len(crumb) / self.faults.rate if self.faults.rate else 0)


class _Line:
    """The two sockets of one connection."""

    def __init__(self, *ends: asyncio.StreamWriter) -> None:
        self._ends = ends
        for end in ends:
            end.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def reset(self) -> None:
        for end in self._ends:
            with suppress(OSError):  # already closed
                linger = struct.pack("ii", 1, 0)
                end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            end.transport.abort()

    def close(self) -> None:
        for end in self._ends:
            end.transport.abort()


async def run(proxy: FaultProxy, rst_every: float | None) -> None:
    async with proxy:
        print(f"listening on 127.0.0.1:{proxy.port}", flush=True)
        while True:
            await asyncio.sleep(rst_every or 3_600)
            if rst_every:
                print(f"reset {proxy.reset()} connections", flush=True)


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m trials.fault_proxy", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--listen", type=int, default=0, metavar="PORT", help="any free one")
    parser.add_argument("--to", required=True, metavar="HOST:PORT")
    parser.add_argument("--latency", type=float, default=0, metavar="MS")
    parser.add_argument("--jitter", type=float, default=0, metavar="MS")
    parser.add_argument("--blackhole", action="store_true", help="nothing comes through")
    parser.add_argument("--rst-every", type=float, metavar="S", help="cut all connections off so often")
    parser.add_argument("--one-byte", action="store_true", help="every byte alone")
    parser.add_argument("--rate", type=float, metavar="BYTES", help="bytes a second")
    parser.add_argument("--seed", type=int, default=0, help="of the jitter")
    chosen = parser.parse_args(typed)
    host, _, port = chosen.to.rpartition(":")

    async def listen() -> None:
        proxy = FaultProxy(host or "127.0.0.1", int(port), listen=chosen.listen, seed=chosen.seed)
        proxy.faults = Faults(chosen.latency / 1e3, chosen.jitter / 1e3, chosen.one_byte, chosen.rate)
        proxy.blackhole = chosen.blackhole
        await run(proxy, chosen.rst_every)

    with suppress(KeyboardInterrupt):
        asyncio.run(listen())
    return 0


if __name__ == "__main__":
    sys.exit(main())
