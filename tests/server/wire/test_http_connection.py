"""A connection until it is a WebSocket or has its answer, on both event loops: nothing is leaked."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from struct import pack
from typing import Any

import msgpack
import pytest
import structlog

from tablero_server.app import Server
from tests.harness.connection import turns
from tests.harness.garbage import garbage
from tests.harness.loops import on_each_loop, run, until
from tests.harness.raw import PING, a_raw, close, frame, request
from tests.harness.wire import PATIENCE, a_server

HTTP = b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"
COUNTED: dict[str, Any] = {"unlimited_nets": "192.0.2.0/24", "handshakes_per_minute": 10_000}
"""Also connections of this machine."""


def nobody_is_left(server: Server) -> bool:
    network = server.network
    return not network._connections and not network._addresses._open and not server.arrivals._visitors


def errors(logged: list[Any], caplog: pytest.LogCaptureFixture) -> list[Any]:
    return [line for line in logged if line["log_level"] == "error"] + [
        record for record in caplog.records if record.levelno >= logging.ERROR
    ]


# What the request is

OTHER_BYTES = {
    "a cookie beyond Latin-1": ({"Cookie": "name=\xe2\x82\xac"}, 101),
    "a program's name beyond Latin-1": ({"User_Agent": "\xe6\x97\xa5\xe6\x9c\xac"}, 101),
    "a header that is no UTF-8": ({"X": "a\xff"}, 101),
    "a key that is no UTF-8": ({"Sec_WebSocket_Key": "\xff" * 24}, 400),
    "a version that is no UTF-8": ({"Sec_WebSocket_Version": "\xff"}, 400),
    "a subprotocol that is no UTF-8": ({"Sec_WebSocket_Protocol": "\xff"}, 400),
    "an option that is no UTF-8": ({"Connection": "Upgrade, \xff"}, 400),
}


@pytest.mark.parametrize(("headers", "status"), OTHER_BYTES.values(), ids=OTHER_BYTES.keys())
async def test_headers_of_any_bytes_are_answered_and_counted_once(
    headers: dict[str, Any], status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with structlog.testing.capture_logs() as logged:
        async with a_server(**COUNTED) as server:
            async with a_raw(server) as raw:
                await raw.send(request(**headers))
                assert await raw.status() == status
            await until(lambda: nobody_is_left(server))
    assert errors(logged, caplog) == []


@pytest.mark.parametrize(
    ("sent", "status"),
    [(request("HEAD"), 405), (request().replace(b"HTTP/1.1", b"HTTP/1.0"), 505)],
    ids=["HEAD", "HTTP/1.0"],
)
async def test_only_a_get_of_http_1_1_is_a_handshake(sent: bytes, status: int) -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(sent)
        assert await raw.status() == status


async def test_without_a_subprotocol_of_ours_nothing_behind_the_handshake_is_obeyed() -> None:
    hello = frame(2, _msgpack({"type": "hello", "id": "h", "protocol": 1, "client": "t", "name": "ana"}))
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request(Sec_WebSocket_Protocol=None) + hello)
        assert await raw.status() == 101
        assert await raw.hear() == ["close 4104"]
        assert server.service.hub.accounts.by_id == {}


def _msgpack(message: dict[str, Any]) -> bytes:
    packed: bytes = msgpack.packb(message)
    return packed


# Clients that have gone

ENDS = {
    "the line breaks": b"",
    "goodbye": close(1000),
    "nonsense": frame(3),
    "the line breaks behind a ping": frame(PING),
    "the line breaks within a message": frame(2, b"half", fin=False),
}


@pytest.mark.parametrize("last", ENDS.values(), ids=ENDS.keys())
async def test_a_connection_that_has_ended_is_freed_at_once(last: bytes) -> None:
    async with a_server(**COUNTED) as server:
        with garbage("tablero_server", "websockets") as freed:
            async with a_raw(server) as raw:
                await raw.upgrade()
                await raw.send(last)
                await turns(10)
            await until(lambda: nobody_is_left(server))
            await turns(10)
            assert not freed()


@on_each_loop
@pytest.mark.parametrize("before", [b"", HTTP, HTTP * 3], ids=["first", "second", "fourth"])
@pytest.mark.parametrize("more", [{}, {"Expect": "100-continue"}], ids=["plain", "expecting"])
def test_a_client_that_resets_behind_its_request_leaves_nothing_and_no_traceback(
    loop: Any, before: bytes, more: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server:
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
                client.sendall(before + request(**more))
            async with a_raw(server) as raw:
                await raw.send(HTTP)
                assert await raw.status() == 200
            await until(lambda: nobody_is_left(server))

    with structlog.testing.capture_logs() as logged:
        run(loop, test)
    assert errors(logged, caplog) == []


# A body

POST = b"POST /api/replay HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n"


@on_each_loop
def test_a_page_waits_for_its_body_and_hears_nothing_behind_it(loop: Any) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server, a_raw(server) as raw:
            await raw.send(POST + b"1234")
            await until(lambda: [each for each in server.arrivals._visitors if each._body_left == 5])
            await raw.send(b"56789" + HTTP)
            async with asyncio.timeout(PATIENCE):
                answer = await raw.reader.read()
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.count(b"HTTP/1.1") == 1
            raw.writer.close()
            await until(lambda: nobody_is_left(server))

    run(loop, test)


@on_each_loop
def test_whoever_promises_a_body_and_ends_is_gone_at_once(loop: Any) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server, a_raw(server) as raw:
            await raw.send(POST + b"1234")
            raw.writer.write_eof()
            await until(lambda: nobody_is_left(server))

    run(loop, test)


# Its one answer


@on_each_loop
def test_a_connection_gets_one_answer_and_ends(loop: Any) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server, a_raw(server) as raw:
            await raw.send(HTTP * 3)
            async with asyncio.timeout(PATIENCE):
                answer = await raw.reader.read()
            assert answer.count(b"HTTP/1.1 200 OK\r\n") == 1
            assert b"\r\nConnection: close\r\n" in answer
            assert answer.endswith(b'{"alive": true}')
            raw.writer.close()
            await until(lambda: nobody_is_left(server))

    run(loop, test)


@on_each_loop
def test_whoever_asks_and_then_says_no_more_gets_the_answer(loop: Any) -> None:
    async def test() -> None:
        async with a_server() as server, a_raw(server) as raw:
            await raw.send(HTTP)
            raw.writer.write_eof()
            assert await raw.status() == 200

    run(loop, test)


@on_each_loop
def test_whoever_has_a_page_and_does_not_hang_up_holds_no_connection(loop: Any) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server, a_raw(server) as raw:
            await raw.send(HTTP)
            assert await raw.status() == 200
            await until(lambda: nobody_is_left(server))

    run(loop, test)


@on_each_loop
def test_whoever_is_refused_and_does_not_hang_up_is_cut_off(
    loop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server, a_raw(server) as raw:
            await raw.send(b"GET /ws HTTP/1.1\r\n\r\n")
            assert await raw.status() == 400
            assert not nobody_is_left(server), "the answer could be lost"
            [connection] = server.arrivals._visitors
            connection._end_after(0)
            await until(lambda: nobody_is_left(server))

    run(loop, test)


@on_each_loop
def test_whoever_goes_on_talking_behind_a_request_is_cut_off(loop: Any) -> None:
    async def test() -> None:
        async with a_server(**COUNTED) as server, a_raw(server) as raw:
            await raw.send(HTTP)
            with suppress(ConnectionError):
                for _ in range(100):
                    raw.writer.write(bytes(4_096))
                    await raw.writer.drain()
            await until(lambda: nobody_is_left(server))

    run(loop, test)
