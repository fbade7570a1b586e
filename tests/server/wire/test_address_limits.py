"""Limits by address, on real sockets: how many connections, how often, and for whom a proxy may speak."""

from __future__ import annotations

import pytest
from websockets.exceptions import InvalidStatus

from tablero_server.app import Server
from tests.harness.wire import a_server, a_wire


async def test_one_address_gets_so_many_connections_and_no_more() -> None:
    async with a_server(unlimited_nets="", sockets_per_address=2) as server, a_wire(server) as ana:
        async with a_wire(server):
            with pytest.raises(InvalidStatus) as refused:
                await a_wire(server).__aenter__()
            assert refused.value.response.status_code == 429
            assert int(refused.value.response.headers["Retry-After"]) > 0
        await ana.hello()
        while len(server.network._connections) > 1:
            await ana.ask("ping")
        async with a_wire(server):
            pass


async def test_s11_a_forged_forwarded_address_does_not_change_by_what_one_is_limited() -> None:
    async with a_server(unlimited_nets="", handshakes_per_minute=2) as server:
        codes = [await upgrade(server, f"203.0.113.{number}") for number in range(3)]
    assert codes == [101, 101, 429]


async def test_what_a_listed_proxy_says_is_by_what_one_is_limited() -> None:
    proxy = "127.0.0.1"
    async with a_server(unlimited_nets="", trusted_proxies=proxy, handshakes_per_minute=2) as server:
        codes = [await upgrade(server, f"203.0.113.{number}") for number in (1, 2, 3, 3, 3)]
    assert codes == [101, 101, 101, 101, 429]


async def upgrade(server: Server, forwarded_for: str) -> int:
    """The HTTP status of one handshake."""
    try:
        async with a_wire(server, additional_headers={"X-Forwarded-For": forwarded_for}):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_wrong_codes_of_an_address_count_together_also_of_an_unlimited_one() -> None:
    async with a_server(wrong_codes_per_minute=3) as server:
        tried = []
        async with a_wire(server) as host:
            await host.hello("olga")
            code = (await host.ask("createRoom", game="tic-tac-toe", private=True))["code"]
            for number in range(5):
                async with a_wire(server) as guest:
                    await guest.hello(f"guest{number}")
                    tried.append((await guest.ask("join", code="0000-0000"))["code"])
            assert tried == ["wrongCode"] * 3 + ["rateLimited"] * 2
            refused = await host.ask("join", code=code)
        assert refused["code"] == "rateLimited", "else the right one could still be found"
        assert 0 < refused["retryAfterMs"] <= 20_000
