"""Where a host comes in, over real sockets: who can open it, who holds it, and what is left behind."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from tablero_server.host.listener import HostListener
from tablero_server.wire.descriptors import MOST_OF_THE_HOST
from tests.harness.raw import a_raw


class Site:
    """Answers one page, as soon as it may."""

    def __init__(self) -> None:
        self.port = 0
        self.asked, self.may_answer = asyncio.Event(), asyncio.Event()
        self.listener = HostListener([web.get("/", self._page)], [])

    async def status(self) -> int:
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{self.port}/") as answer:
            return answer.status

    async def _page(self, request: web.Request) -> web.Response:
        self.asked.set()
        await self.may_answer.wait()
        return web.Response()


@asynccontextmanager
async def a_site() -> AsyncIterator[Site]:
    site = Site()
    site.port = await site.listener.open_address("127.0.0.1", 0)
    site.may_answer.set()
    try:
        yield site
    finally:
        await site.listener.close()


HALF_A_HEAD = b"POST /api/list HTTP/1.1\r\nHost: h\r\nX-Slow: "


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD], ids=["silent", "half a head"])
async def test_the_host_gets_in_however_many_hold_a_connection(sent: bytes) -> None:
    async with a_site() as site, AsyncExitStack() as stack:
        for _ in range(MOST_OF_THE_HOST + 8):
            raw = await stack.enter_async_context(a_raw(site))
            await raw.send(sent)
        assert await site.status() == 200
        assert len(site.listener._connections) <= MOST_OF_THE_HOST


async def test_a_head_that_does_not_come_to_an_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablero_server.host.listener._HEAD_SECONDS", 0.01)
    async with a_site() as site, a_raw(site) as raw:
        await raw.send(HALF_A_HEAD)
        assert await raw.status() == 0
        assert not site.listener._connections


async def test_what_is_no_request_is_refused() -> None:
    async with a_site() as site, a_raw(site) as raw:
        await raw.send(b"\x16\x03\x01")
        assert await raw.status() == 400


async def test_a_command_that_stops_the_server_is_still_answered() -> None:
    async with a_site() as site, a_raw(site) as idle:
        site.may_answer.clear()
        answered = asyncio.create_task(site.status())
        await site.asked.wait()
        closed = asyncio.create_task(site.listener.close())
        await asyncio.sleep(0)
        site.may_answer.set()
        assert await answered == 200
        await closed
        assert await idle.status() == 0


async def test_nobody_else_can_open_the_socket_and_it_goes_with_the_server(folder: Path) -> None:
    listener = HostListener([], [])
    await listener.open_socket(folder / "new" / "admin")
    assert stat.S_IMODE((folder / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "new" / "admin").stat().st_mode) == 0o600
    await listener.close()
    assert not (folder / "new" / "admin").exists()


async def test_a_socket_that_a_killed_server_left_is_taken_over_and_one_in_use_is_not(folder: Path) -> None:
    killed, other = HostListener([], []), HostListener([], [])
    await killed.open_socket(folder / "admin")
    with pytest.raises(FileExistsError, match="another server listens there"):
        await other.open_socket(folder / "admin")
    await other.close()
    assert (folder / "admin").exists()
    assert killed._listening is not None
    killed._listening.close()
    another = HostListener([], [])
    await another.open_socket(folder / "admin")
    await another.close()
    await killed.close()


async def test_what_is_no_socket_is_left_alone(folder: Path) -> None:
    (folder / "admin").write_text("mine")
    listener = HostListener([], [])
    with pytest.raises(FileExistsError, match="is there and no socket"):
        await listener.open_socket(folder / "admin")
    await listener.close()
    assert (folder / "admin").read_text() == "mine"
