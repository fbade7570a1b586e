"""Strangers who begin a handshake of TLS and do not end it, on real sockets: counted, and cut off in time."""

from __future__ import annotations

import asyncio
import errno
import shutil
import ssl
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from tablero_server.app import Server
from tablero_server.reach.certificate import of_our_own
from tablero_server.wire.descriptors import most_visitors
from tablero_server.wire.tls_listener import TlsListener
from tests.harness.certificates import a_secure_server, trusting
from tests.harness.loops import Loop, on_each_loop, run, until

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")

HELLO = bytes.fromhex("160301020001fc0303")
"""How each handshake begins."""


@asynccontextmanager
async def silent(server: Server, said: bytes = b"") -> AsyncIterator[asyncio.StreamReader]:
    """One who says so much, from when the server counts it."""
    before = set(server.arrivals._visitors)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(said)
    await until(lambda: bool(server.arrivals._visitors.keys() - before))
    yield reader
    writer.close()


async def ended(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionResetError):
        await reader.read()


async def status(server: Server, context: ssl.SSLContext, own: str = "127.0.0.1") -> str:
    """What somebody who does speak TLS is answered, from an address of this machine."""
    local = (own, 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=context, local_addr=local)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    line = (await reader.readline()).decode()
    writer.close()
    return line.split()[1]


@on_each_loop
def test_handshakes_under_way_count_against_their_address_and_no_other(tmp_path: Path, loop: Loop) -> None:
    async def test() -> None:
        ours = of_our_own(tmp_path, [])
        limits = {"unlimited_nets": "", "sockets_per_address": 3, "hello_seconds": 2}
        waiting = list[asyncio.StreamReader]()
        async with a_secure_server(ours, **limits) as server, AsyncExitStack() as stack:
            for said in (0, 3, len(HELLO)):
                waiting.append(await stack.enter_async_context(silent(server, HELLO[:said])))
            assert await status(server, trusting(ours)) == "429"
            assert await status(server, trusting(ours), "127.0.0.2") == "200"
            await asyncio.gather(*map(ended, waiting))
            await until(lambda: not server.arrivals._visitors)
            assert await status(server, trusting(ours)) == "200"
            await until(lambda: not server.arrivals._limits._open)

    run(loop, test)


@on_each_loop
def test_who_sends_a_byte_now_and_then_is_cut_in_time(tmp_path: Path, loop: Loop) -> None:
    async def test() -> None:
        async with a_secure_server(of_our_own(tmp_path, []), hello_seconds=0.5) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            cut, began = asyncio.create_task(ended(reader)), asyncio.get_running_loop().time()
            for byte in HELLO * 100:
                writer.write(bytes([byte]))
                if (await asyncio.wait({cut}, timeout=0.05))[0]:
                    break
            assert asyncio.get_running_loop().time() - began < 0.05 * len(HELLO) * 50
            assert cut.done()
            writer.close()

    run(loop, test)


@on_each_loop
def test_a_newcomer_gets_in_and_the_oldest_handshake_ends(tmp_path: Path, loop: Loop) -> None:
    async def test() -> None:
        ours = of_our_own(tmp_path, [])
        waiting = list[asyncio.StreamReader]()
        async with (
            a_secure_server(ours, connections=1, hello_seconds=60) as server,
            AsyncExitStack() as stack,
        ):
            for _ in range(most_visitors(1)):
                waiting.append(await stack.enter_async_context(silent(server)))
            assert await status(server, trusting(ours)) == "200"
            await ended(waiting[0])
            await until(lambda: len(server.arrivals._visitors) == most_visitors(1) - 1)

    run(loop, test)


@on_each_loop
def test_a_server_stops_while_handshakes_are_under_way(tmp_path: Path, loop: Loop) -> None:
    async def test() -> None:
        ours = of_our_own(tmp_path, [])
        async with a_secure_server(ours, hello_seconds=60) as server, silent(server) as reader:
            listener = server._listener
            assert isinstance(listener, TlsListener)
            await server.stop()
            await ended(reader)
            await asyncio.gather(*listener._handshakes)
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", server.port)

    run(loop, test)


async def test_a_port_that_is_taken_is_an_error_of_the_system(tmp_path: Path) -> None:
    ours = of_our_own(tmp_path, [])
    async with a_secure_server(ours) as server:
        opened: Awaitable[TlsListener] = TlsListener.opened(
            server.arrivals.connection, "127.0.0.1", server.port, ours.context(), 1
        )
        with pytest.raises(OSError, match="in use") as taken:
            await opened
        assert taken.value.errno == errno.EADDRINUSE
