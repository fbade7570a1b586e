"""The server is killed, or stands still, in mid-game: the screen shows it and comes back by itself."""

from __future__ import annotations

import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from tablero import connect
from tests.test_match import tablero

from .screens import Rival, Shown, a_screen

if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)


def free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@asynccontextmanager
async def a_killed_server(home: Path, port: str) -> AsyncIterator[Process]:
    """A server in a process of its own, which ends by kill -9."""
    database = f"sqlite:///{home / 'games.sqlite'}"
    async with tablero(
        home, "serve", "--port", port, "--no-bots", "--database", database, errors=PIPE
    ) as process:
        assert process.stdout is not None
        await process.stdout.readline()
        yield process
        if process.returncode is None:
            process.kill()
        await process.wait()


async def sits_down(stack: AsyncExitStack, home: Path, port: str) -> tuple[Shown, Rival]:
    url = f"ws://127.0.0.1:{port}/ws"
    ben = await stack.enter_async_context(connect(url, name="Ben"))
    room = await ben.create_room("connect-four", seat=1)
    ana = await stack.enter_async_context(a_screen(url, home, join=room.id))
    await ana.until(lambda: ana.ply >= 0)
    return ana, Rival(ben, room)


async def test_a_server_that_is_killed_comes_back_and_the_game_goes_on(tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        async with a_killed_server(tmp_path, port):
            ana, _ = await sits_down(stack, tmp_path, port)
            await ana.press("4")
            await ana.until(lambda: ana.ply == 2)
        await ana.shows("Connection lost; coming back by itself.")
        async with a_killed_server(tmp_path, port):
            await ana.until(lambda: ana.app.doings is not None and ana.app.doings.client.is_open)
            await ana.until(lambda: str(ana.table.query_one("#status", Static).content) == "Your turn.")
            assert "Connected again." in ana.text
            await ana.press("4")
            await ana.until(lambda: ana.ply == 4)


async def test_a_server_that_stands_still_is_noticed_and_goes_on(tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        process = await stack.enter_async_context(a_killed_server(tmp_path, port))
        ana, _ = await sits_down(stack, tmp_path, port)
        process.send_signal(signal.SIGSTOP)
        await ana.press("4")
        process.send_signal(signal.SIGCONT)
        await ana.until(lambda: ana.ply == 2)
