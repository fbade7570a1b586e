"""The host's own address: what is there, and who is led there by nobody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession
from structlog.testing import capture_logs

from tablero_server.app import Server
from tablero_server.operations.host_site import HostSite
from tablero_server.settings import Settings
from tests.server.test_app import Browser


@asynccontextmanager
async def a_site(host: str = "127.0.0.1") -> AsyncIterator[HostSite]:
    server = Server(Settings(port=0, bots=False), host_pages=(host, 0))
    await server.start()
    try:
        assert server.host_site is not None
        yield server.host_site
    finally:
        await server.stop()


async def get(site: HostSite, path: str, **headers: str) -> tuple[int, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        ClientSession() as session,
        session.get(f"http://127.0.0.1:{site.port}{path}", headers=named) as answer,
    ):
        return answer.status, await answer.text()


async def test_metrics_are_there_and_not_where_people_play() -> None:
    server = Server(Settings(port=0, bots=False), host_pages=("127.0.0.1", 0))
    await server.start()
    try:
        assert server.host_site is not None
        status, text = await get(server.host_site, "/metrics")
        assert (status, "tablero_connections 0.0" in text) == (200, True)
        assert (await Browser(server).get("/metrics"))[0] == 404
    finally:
        await server.stop()


@pytest.mark.parametrize("host", ["games.example.org", "evil.example:8471", "127.0.0.1.evil.example"])
async def test_a_strangers_name_for_this_machine_is_refused(host: str) -> None:
    async with a_site() as site:
        assert (await get(site, "/metrics", Host=host))[0] == 421
        assert (await get(site, "/metrics", Host="localhost:8471"))[0] == 200
        assert (await get(site, "/metrics", Host="game:8471"))[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8470"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
async def test_another_sites_page_is_refused_that_of_the_game_too(headers: dict[str, str]) -> None:
    async with a_site() as site:
        assert (await get(site, "/metrics", **headers))[0] == 403
        own = f"http://127.0.0.1:{site.port}"
        assert (await get(site, "/metrics", Origin=own, Sec_Fetch_Site="same-origin"))[0] == 200


async def test_what_is_not_there_is_told_in_a_sentence_and_kept_by_nobody() -> None:
    async with a_site() as site, ClientSession() as session:
        answer = await session.get(f"http://127.0.0.1:{site.port}/nothing")
        assert (answer.status, await answer.text()) == (404, "Not Found.\n")
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Server"] == "tablero"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_an_address_that_is_taken_costs_a_warning_and_no_game() -> None:
    async with a_site() as site:
        with capture_logs() as lines:
            other = Server(Settings(port=0, bots=False), host_pages=("127.0.0.1", site.port))
            await other.start()
            assert (await Browser(other).get("/healthz"))[0] == 200
            await other.stop()
        [line] = [line for line in lines if line["log_level"] == "warning"]
        assert (line["event"], line["why"]) == (
            "the host's pages cannot be reached",
            "address already in use",
        ) or "in use" in line["why"]


async def test_others_who_can_reach_it_are_worth_a_warning() -> None:
    with capture_logs() as lines:
        async with a_site("0.0.0.0") as site:
            assert (await get(site, "/metrics"))[0] == 200
    assert [line["see"] for line in lines if line["log_level"] == "warning"][-1] == "TABLERO_ADMIN_ADDRESS"


async def test_a_page_that_breaks_is_logged_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(network: object) -> bytes:
        raise RuntimeError("a secret")

    monkeypatch.setattr("tablero_server.operations.host_site.page", broken)
    async with a_site() as site:
        with capture_logs() as lines:
            assert await get(site, "/metrics") == (500, "Something broke; the log says what.\n")
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["a request broke something"]
