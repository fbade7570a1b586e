"""The handshake by the byte: the requests that become a WebSocket, and the answers to all others."""

from __future__ import annotations

import asyncio
import logging

import pytest
import structlog

from tests.harness.raw import UPGRADE, Raw, a_raw, close, frame, request
from tests.harness.wire import a_server, a_wire

REQUESTS = {
    "as it should be": (request(), 101),
    "upgrade in capitals": (request(Upgrade="WebSocket"), 101),
    "one of several connection options": (request(Connection="keep-alive, Upgrade"), 101),
    "several subprotocols": (request(Sec_WebSocket_Protocol="chat, tablero.v1.json"), 101),
    "an extension that we do not speak": (request(Sec_WebSocket_Extensions="permessage-deflate"), 101),
    "without a key": (request(Sec_WebSocket_Key=None), 400),
    "with a key that is too short": (request(Sec_WebSocket_Key="c2hvcnQ="), 400),
    "with a key that is no base64": (request(Sec_WebSocket_Key="?" * 24), 400),
    "without a version": (request(Sec_WebSocket_Version=None), 400),
    "with version 8, the last draft": (request(Sec_WebSocket_Version="8"), 400),
    "with version 12": (request(Sec_WebSocket_Version="12"), 400),
    "with version 14": (request(Sec_WebSocket_Version="14"), 400),
    "with version nonsense": (request(Sec_WebSocket_Version="new"), 400),
    "without upgrade": (request(Upgrade=None), 426),
    "to something else": (request(Upgrade="h2c"), 426),
    "without connection": (request(Connection=None), 426),
    "by POST": (request("POST", Content_Length="0"), 405),
    "by PUT": (request("PUT", Content_Length="0"), 405),
    "by OPTIONS": (request("OPTIONS"), 405),
    "elsewhere": (request(path="/wss"), 404),
    "by a method with a space too many": (request("GET "), 400),
    "by HEAD": (request("HEAD"), 405),
    "of HTTP/1.0": (request().replace(b"HTTP/1.1", b"HTTP/1.0"), 505),
    "with a header beyond Latin-1": (request(X="\xff€".encode().decode("latin-1")), 101),
    "with a cookie in UTF-8": (request(Cookie="a=日本".encode().decode("latin-1")), 101),
    "with a body": (request(Content_Length="2", body=b"{}"), 400),
    "with a header that never ends": (request(X=":" * 9_000), 400),
    "with a path that never ends": (request(path="/ws?" + "x" * 9_000), 400),
    "with a header folded over two lines": (request(X="a\r\n b"), 400),
    "with a control character in a header": (request(X="a\x01b"), 400),
    "with a space before the colon": (request()[:-2] + b"X : y\r\n\r\n", 400),
    "with two lengths": (request("POST", Content_Length="1\r\nContent-Length: 2", body=b"x"), 400),
    "with a length and in chunks": (
        request("POST", Content_Length="5", Transfer_Encoding="chunked", body=b"0\r\n\r\n"),
        400,
    ),
    "with a length that is no number": (request("POST", Content_Length="+5"), 400),
    "of HTTP/3": (b"GET /ws HTTP/3.0\r\nHost: h\r\n\r\n", 400),
    "of TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64), 400),
    "of a WebSocket without a handshake": (frame(1, b"{}"), 400),
}


@pytest.mark.parametrize(("sent", "status"), REQUESTS.values(), ids=REQUESTS.keys())
async def test_each_request_gets_its_status(
    sent: bytes, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with structlog.testing.capture_logs() as logged:
        await check_status(sent, status)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
    assert [line for line in logged if line["log_level"] == "error"] == []


async def check_status(sent: bytes, status: int) -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(sent)
        assert await raw.status() == status
        async with a_wire(server) as other:
            await other.hello()


async def test_the_accept_header_proves_that_the_key_was_read() -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request())
        head = (await raw.reader.readuntil(b"\r\n\r\n")).decode()
    assert "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=" in head.lower()  # RFC 6455, 1.3


async def test_no_compression_is_agreed_to() -> None:
    asked = request(Sec_WebSocket_Extensions="permessage-deflate; client_max_window_bits")
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(asked)
        head = (await raw.reader.readuntil(b"\r\n\r\n")).decode()
    assert "sec-websocket-extensions" not in head.lower()


# S12: nothing is smuggled past an upgrade


async def ended(raw: Raw) -> bytes:
    """All remaining bytes."""
    async with asyncio.timeout(40):
        try:
            return await raw.reader.read()
        except ConnectionError:
            return b""


async def test_s12_a_request_behind_an_upgrade_is_no_request_but_a_broken_frame() -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request() + b"GET /protocol HTTP/1.1\r\nHost: h\r\n\r\n")
        assert await raw.status() == 101
        assert b"HTTP/1.1" not in await ended(raw)


async def test_s12_the_body_of_an_upgrade_is_not_taken_for_frames() -> None:
    smuggled = frame(1, b'{"type":"ping","id":"p"}')
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request(Content_Length=str(len(smuggled)), body=smuggled) + close(1000))
        assert await raw.status() == 400
        assert b"helloFirst" not in await ended(raw)


async def test_frames_in_the_packet_of_the_upgrade_are_read() -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request() + frame(1, b'{"type":"ping","id":"p"}'))
        assert await raw.status() == 101
        assert await raw.hear(1) == ["helloFirst"]


async def test_the_handshake_may_come_byte_by_byte() -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(request(), piece=1)
        assert await raw.status() == 101


async def test_a_second_host_is_refused_or_of_no_use() -> None:
    """`Origin` is compared with only one host, however a request is forged."""
    forged = request(Origin="http://evil.example", Host="127.0.0.1\r\nHost: evil.example")
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(forged)
        assert await raw.status() in (400, 403)


def test_the_table_is_of_whole_upgrades() -> None:
    assert all(f"{name}: {value}".encode() in request() for name, value in UPGRADE.items())
