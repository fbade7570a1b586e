"""Who has connected and has no WebSocket, on real sockets: counted by address and in all, in nobody's way."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import pytest
import structlog

from tablero_server.app import Server
from tests.harness.loops import until
from tests.harness.raw import Raw, a_raw, request
from tests.harness.wire import a_server, a_wire

PAGE = b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"
NONE = b"\x16\x03\x01"


async def some(stack: AsyncExitStack, server: Server, count: int, sent: bytes = b"") -> list[Raw]:
    """So many connections that have sent so much."""
    raws = [await stack.enter_async_context(a_raw(server)) for _ in range(count)]
    for raw in raws:
        await raw.send(sent)
    return raws


async def status(server: Server, sent: bytes = PAGE) -> int:
    async with a_raw(server) as raw:
        await raw.send(sent)
        return await raw.status()


@pytest.mark.parametrize(
    "sent", [b"", b"GET /he", NONE], ids=["silent", "half a head", "one that was refused"]
)
async def test_connections_of_one_address_are_counted_whatever_they_are_for(sent: bytes) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(unlimited_nets="", sockets_per_address=3))
        first, *_ = await some(stack, server, 3, sent)
        assert await status(server) == 429
        first.writer.transport.abort()
        await until(lambda: len(server.arrivals._visitors) == 2)
        assert await status(server) == 200


async def test_a_websocket_counts_with_the_others_and_once() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(unlimited_nets="", sockets_per_address=2))
        ana = await stack.enter_async_context(a_wire(server))
        await ana.hello()
        assert await status(server) == 200
        await some(stack, server, 1)
        assert await status(server) == 429
        assert server.arrivals._visitors.keys().isdisjoint(server.network._connections)


@pytest.mark.parametrize("sent", [b"", NONE], ids=["silent", "one that was refused"])
async def test_a_newcomer_gets_in_however_many_hold_a_connection(sent: bytes) -> None:
    """Of no address, or of too many to be limited by it."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(connections=20))
        raws = await some(stack, server, 30, sent)
        assert len(server.arrivals._visitors) == 10
        async with a_wire(server) as ana:
            await ana.hello()
        assert await status(server) == 200
        assert raws[-1].reader.at_eof() is False or sent, "the newest are kept"


async def test_those_who_are_turned_away_are_few_at_a_time() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(unlimited_nets="", sockets_per_address=1))
        await some(stack, server, 100)
        assert len(server.arrivals._visitors) == 1
        assert len(server.arrivals._turned_away) <= 64


async def test_those_who_call_through_a_listed_proxy_are_counted_each() -> None:
    def through(address: str, page: bytes = PAGE) -> bytes:
        return page[:-2] + f"X-Forwarded-For: {address}\r\n\r\n".encode()

    kept = PAGE.replace(b"Host: h", b"Host: other.example")  # refused, and not hung up on

    settings: dict[str, Any] = {
        "unlimited_nets": "",
        "trusted_proxies": "127.0.0.1",
        "sockets_per_address": 2,
    }
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(**settings))
        await some(stack, server, 5, through("2001:db8:1:2::1", kept))
        assert await status(server, through("2001:db8:1:2::9")) == 429, "its /64 is one"
        assert await status(server, through("2001:db8:1:3::1")) == 200


async def test_a_handshake_that_breaks_costs_one_answer_and_is_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_server() as server:
        monkeypatch.setattr(server.network, "_why_not", lambda visitor: 1 // 0)
        with structlog.testing.capture_logs() as logged:
            assert await status(server, request()) == 500
        monkeypatch.undo()
        assert await status(server, request()) == 101
    assert [line["event"] for line in logged] == ["a request broke something"]


async def test_a_proxy_that_is_not_listed_is_named_in_one_warning() -> None:
    forwarded = PAGE[:-2] + b"X-Forwarded-For: 203.0.113.9\r\n\r\n"
    with structlog.testing.capture_logs() as logged:
        async with a_server(trusted_proxies="192.0.2.1") as server:
            assert await status(server) == 200
            assert logged == []
            assert [await status(server, forwarded) for _ in range(3)] == [200] * 3
    [line] = logged
    assert (line["log_level"], line["address"], line["see"]) == (
        "warning",
        "127.0.0.1",
        "TABLERO_TRUSTED_PROXIES",
    )
    assert line["event"].endswith("which has no limits")


async def test_a_proxy_that_is_listed_needs_no_warning() -> None:
    forwarded = PAGE[:-2] + b"X-Forwarded-For: 203.0.113.9\r\n\r\n"
    with structlog.testing.capture_logs() as logged:
        async with a_server(trusted_proxies="127.0.0.1") as server:
            assert await status(server, forwarded) == 200
    assert logged == []


# Below a path of a public site


def asking(path: str) -> bytes:
    return PAGE.replace(b"GET /healthz ", f"GET {path} ".encode())


@pytest.mark.parametrize("path", ["/games/healthz", "/healthz"])
async def test_a_proxy_may_pass_the_path_on_or_take_it_away(path: str) -> None:
    assert asking("/healthz") == PAGE
    async with a_server(base_path="/games/") as server:
        assert await status(server, asking(path)) == 200


@pytest.mark.parametrize("path", ["/gamesx/healthz", "/games/games/healthz", "/Games/healthz"])
async def test_another_path_is_no_page(path: str) -> None:
    async with a_server(base_path="/games/") as server:
        assert await status(server, asking(path)) == 404


async def test_the_path_without_its_slash_leads_to_it() -> None:
    async with a_server(base_path="/our/games/") as server, a_raw(server) as raw:
        await raw.send(asking("/our/games"))
        head = (await raw.reader.read()).decode()
        assert head.startswith("HTTP/1.1 308 ")
        assert "\r\nLocation: /our/games/\r\n" in head


async def test_a_handshake_below_the_path_is_one() -> None:
    handshake = request().replace(b"GET /ws ", b"GET /games/ws ")
    async with a_server(base_path="/games/") as server:
        assert await status(server, handshake) == 101
    async with a_server() as server:
        assert await status(server, handshake) == 404
