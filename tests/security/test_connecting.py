"""S1, S2, S9 and S10: who may connect, over what, from which page, how slowly, and how many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import structlog

from tablero import connect
from tablero.errors import InsecureServer
from tablero_server import app
from tablero_server.reach.own_addresses import OwnAddress
from tablero_server.settings import Settings
from tests.harness.raw import Raw, a_raw, request
from tests.harness.wire import PATIENCE, a_server, a_table, a_wire


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as lines:
        yield lines


# S1: ws:// only where it is safe


@pytest.mark.parametrize(
    ("settings", "warned"),
    [
        ({"host": "127.0.0.1"}, False),
        ({"host": "0.0.0.0"}, True),
        ({"host": "::"}, True),
        ({"host": "0.0.0.0", "trusted_proxies": "127.0.0.1"}, False),
    ],
    ids=["this machine", "everywhere", "everywhere by IPv6", "behind a proxy"],
)
async def test_s01_a_server_that_others_reach_without_tls_warns_in_one_line(
    settings: dict[str, Any], warned: bool, logged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = [OwnAddress("lan", ip_address(text)) for text in ("192.168.1.7", "fd00::7")]
    monkeypatch.setattr(app, "own_addresses", lambda: home)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    server = await app._started(Settings(port=0, bots=False, database="memory", **settings))
    await server.stop()
    assert [line["log_level"] for line in logged if "TLS" in line["event"]] == ["warning"] * warned


async def test_s01_a_client_sends_no_token_over_a_public_network_in_the_clear() -> None:
    with pytest.raises(InsecureServer):
        async with connect("ws://play.example.org", name="ana", token="secret"):
            pass


# S2: Origin

OURS = "127.0.0.1:{port}"
REFUSED_ORIGINS = {
    "somebody else's page": "https://evil.example",
    "a sandbox": "null",
    "ours, longer at the end": "http://127.0.0.1:{port}.evil.example",
    "an allowed one, longer at the end": "https://good.example.evil.example",
    "an allowed one, longer at the start": "https://evil-good.example",
    "below an allowed one": "https://sub.good.example",
    "an allowed one without TLS": "http://good.example",
    "an allowed one with its scheme in capitals": "HTTPS://good.example",
    "an allowed one in capitals": "https://GOOD.example",
    "an allowed one on its default port": "https://good.example:443",
    "an allowed one on another port": "https://good.example:8443",
    "an allowed one with a path": "https://good.example/",
    "an allowed one with a user": "https://good.example@evil.example",
    "two of them": "https://good.example https://evil.example",
    "an empty one": "",
    "a page of this machine": "http://localhost:1",
}


@pytest.mark.parametrize("origin", REFUSED_ORIGINS.values(), ids=REFUSED_ORIGINS.keys())
async def test_s02_every_other_origin_is_forbidden_and_logged(origin: str, logged: list[Any]) -> None:
    async with a_server(origins="https://good.example") as server, a_raw(server) as raw:
        await raw.send(request(Host=OURS.format(port=server.port), Origin=origin.format(port=server.port)))
        assert await raw.status() == 403
    [line] = [line for line in logged if line["event"] == "handshake refused"]
    assert (line["address"], line["code"]) == ("127.0.0.1", 403)


@pytest.mark.parametrize("origin", [None, "https://good.example", "http://127.0.0.1:{port}"])
async def test_s02_our_own_page_an_allowed_one_and_programs_may_connect(origin: str | None) -> None:
    """A program has no Origin. There are no cookies, so nobody's browser can speak in its owner's name."""
    async with a_server(origins="https://good.example") as server, a_raw(server) as raw:
        own = origin and origin.format(port=server.port)
        await raw.send(request(Host=OURS.format(port=server.port), Origin=own))
        assert await raw.status() == 101


async def test_s02_a_cookie_opens_nothing() -> None:
    async with a_server() as server, a_wire(server) as ana:
        token = (await ana.hello())["token"]
        headers = {"Cookie": f"token={token}", "Authorization": f"Bearer {token}"}
        async with a_wire(server, additional_headers=headers) as page:
            assert (await page.ask("ping"))["code"] == "helloFirst"
            assert ana.socket.response is not None
            assert "Set-Cookie" not in ana.socket.response.headers


# S9: slow ones

DRIPPING = b"GET /ws HTTP/1.1\r\nHost: h\r\n"
SLOW = {
    "silent": (b"", b""),
    "half a header": (b"GET /ws HTT", b""),
    "a header line now and then": (DRIPPING, b"X-Slow: 1\r\n"),
    "a byte of a header now and then": (DRIPPING + b"X-Slow: ", b"s"),
    "a WebSocket without a hello": (request(), b""),
    "a WebSocket that sends one byte of a frame now and then": (request(), b"\x81"),
}
LIMIT = 0.25


async def lifetime(raw: Raw, first: bytes, drip: bytes) -> float:
    """For how long the server bears with it."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await raw.send(first)
    reading = asyncio.create_task(raw.reader.read())

    async with asyncio.timeout(PATIENCE):
        while not reading.done():
            await asyncio.wait([reading], timeout=LIMIT / 5)
            await raw.send(drip)
    assert reading.exception() is None or isinstance(reading.exception(), ConnectionError)
    return loop.time() - begun


@pytest.mark.parametrize(("first", "drip"), SLOW.values(), ids=SLOW.keys())
async def test_s09_a_slow_one_is_dropped_in_time_while_the_others_play(first: bytes, drip: bytes) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(hello_seconds=LIMIT))
        ana, ben, room = await stack.enter_async_context(a_table(server))
        raw = await stack.enter_async_context(a_raw(server))
        dropped = asyncio.create_task(lifetime(raw, first, drip))
        for ply, move in enumerate(["a1", "a2", "b1", "b2"]):
            player = (ana, ben)[ply % 2]
            answer = await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            assert answer["type"] == "nextPlayer"
        assert LIMIT * 0.8 <= await dropped < LIMIT + 1


# S10: how many


async def test_s10_one_connection_more_than_allowed_is_told_to_come_later(logged: list[Any]) -> None:
    async with a_server(connections=20) as server, AsyncExitStack() as stack:
        for _ in range(20):
            raw = await stack.enter_async_context(a_raw(server))
            await raw.upgrade()
        async with a_raw(server) as one_more:
            await one_more.send(request())
            head = await one_more.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nRetry-After: 10\r\n" in head
        assert [line["code"] for line in logged if line["event"] == "handshake refused"] == [503]


async def test_s10_a_place_that_is_free_again_is_given_away() -> None:
    async with a_server(connections=2) as server, a_wire(server) as ana:
        async with a_wire(server) as ben:
            await ben.hello("ben")
        while len(server.network._connections) > 1:
            await ana.ask("ping")
        async with a_wire(server) as cat:
            await cat.hello("cat")
