"""A proxy before a server: it serves below a folder, holds back all bytes, or breaks every line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Proxy:
    """A proxy that passes on only requests below `folder`, without that folder in the path."""

    def __init__(self, behind: int, folder: str) -> None:
        self.port = 0
        self._behind = behind
        self._folder = folder
        self._flows = asyncio.Event()
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._lines: set[asyncio.Task[None]] = set()

    def hold(self) -> None:
        """Stops all traffic, without notice to either side."""
        self._flows.clear()

    def flow(self) -> None:
        """Lets the held traffic through."""
        self._flows.set()

    def break_off(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def end(self) -> None:
        """Returns when every line is closed."""
        self.flow()
        self.break_off()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.create_task(self._serve(reader, writer))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            if not head.startswith(f"GET {self._folder}/"):
                writer.write(b"HTTP/1.1 404 Not here\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                writer.close()
                self._writers.discard(writer)
                return
            await self._flows.wait()
            behind, to = await asyncio.open_connection("127.0.0.1", self._behind)
            to.write(head.replace(f"GET {self._folder}/", "GET /", 1).encode())
            self._writers.add(to)
            await asyncio.gather(self._pass_on(reader, to), self._pass_on(behind, writer))
            self._writers.discard(to)
        self._writers.discard(writer)
        writer.close()  # also for a browser that has sent nothing

    async def _pass_on(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while some := await source.read(65_536):
                await self._flows.wait()
                to.write(some)
                await to.drain()
        to.close()


@asynccontextmanager
async def a_proxy(behind: int, folder: str = "") -> AsyncIterator[Proxy]:
    proxy = Proxy(behind, folder)
    server = await asyncio.start_server(proxy.connected, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.end()
