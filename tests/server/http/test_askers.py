"""The gate of all pages under /api: how often one may ask, and who may."""

from __future__ import annotations

import pytest

from tablero_protocol.codes import Code
from tablero_server.http.askers import STATUS
from tests.harness.pages import a_browser, bearer
from tests.harness.wire import a_server, a_wire

PAGES = [
    "/api/ratings/quoridor",
    "/api/times/expert",
    "/api/tonight",
    "/api/nearby",
    "/api/players/ana",
    "/api/players/ana/games",
    "/api/rooms/x/record",
    "/api/rooms/x/replay",
]


@pytest.mark.parametrize("path", PAGES)
async def test_where_pages_are_not_public_they_are_for_players_alone(path: str) -> None:
    async with a_server(public_pages="off") as server, a_browser(server) as browser, a_wire(server) as ana:
        token = (await ana.hello("ana"))["token"]
        for headers in ({}, bearer("a wrong one"), {"Authorization": f"Basic {token}"}):
            status, body = await browser.get(path, **headers)
            assert (status, '"pagesForPlayers"' in body) == (401, True)
        status, body = await browser.get(path, **bearer(token))
        assert "pagesForPlayers" not in body
        assert status in (200, 403, 404)


async def test_what_the_pages_are_is_public_all_the_same() -> None:
    async with a_server(public_pages="off") as server, a_browser(server) as browser:
        assert (await browser.get("/api/openapi.json"))[0] == 200


async def test_whoever_asks_too_often_is_told_when_to_come_back() -> None:
    async with a_server(messages_burst=3, messages_per_second=0.001) as server, a_browser(server) as browser:
        statuses = [(await browser.get("/api/tonight"))[0] for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert (await browser.get("/healthz"))[0] == 200


def test_every_page_has_a_status_for_what_it_may_refuse() -> None:
    assert STATUS.keys() >= {
        Code.BAD_MESSAGE,
        Code.FORBIDDEN,
        Code.NOT_OVER,
        Code.UNKNOWN_PLAYER,
        Code.RATE_LIMITED,
    }
    assert all(400 <= status < 600 for status in STATUS.values())
