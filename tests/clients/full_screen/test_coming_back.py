"""The server is killed, the line is cut, a laptop is shut: the screen shows it and comes back by itself.

Real programs in real terminals. With FULL=1 the server and the line are away for 30 s, and the laptop is shut
for a minute; else outages end as soon as they are noticed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)

from tablero import connect
from tablero.client.client import Client
from tablero.client.room import Room
from tests.harness.processes import environment, free_port, tablero
from tests.harness.proxy import a_proxy
from tests.harness.pty_screen import PtyScreen, in_a_terminal
from tests.harness.screens import a_screen
from tests.harness.tiers import FULL
from tests.harness.warm import python

OUTAGE, SHUT = (30.0, 60.0) if FULL else (0.0, 0.0)
"""Seconds."""
BACK_WITHIN = 5.0
"""Seconds from the moment when it is possible again."""
LOST = "\n Connection lost. Reconnecting"
"""As the status line shows it, which begins its row."""
NOTICES_SOON = """
from tablero.client import heartbeat, session
heartbeat.PING_EVERY = session.PATIENCE = 0.5
from tablero.cli import app
from tests.harness.tiers import FULL
app()
"""


@asynccontextmanager
async def a_server(home: Path, port: str) -> AsyncIterator[Process]:
    """In a process of its own, which ends by kill -9."""
    database = f"sqlite:///{home / 'games.sqlite'}"
    arguments = ("serve", "--port", port, "--no-bots", "--database", database)
    async with tablero(home, *arguments, errors=PIPE) as process:
        assert process.stdout is not None
        await process.stdout.readline()
        yield process
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def at_a_table(
    home: Path, port: str, way: str | None = None, *, is_cold: bool = False
) -> AsyncIterator[tuple[PtyScreen, Room]]:
    """Ana at the full screen, who goes by `way` and has just played, and Ben, who is to move."""
    async with AsyncExitStack() as stack:
        ben: Client = await stack.enter_async_context(connect(f"ws://127.0.0.1:{port}/ws", name="Ben"))
        room = await ben.create_room("connect-four", seat=1)
        for event in (room.next_player, room.members):
            event.subscribe(lambda _: None)
        start = ["-m", "tablero"] if FULL else ["-c", NOTICES_SOON]
        own = environment(home) | {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
        where = (f"ws://127.0.0.1:{way or port}/ws?join={room.code}", "--name", "Ana")
        command = (*([sys.executable] if is_cold else python()), *start, "play", *where)
        ana = await stack.enter_async_context(in_a_terminal(*command, environment=own))
        await ana.shows("Your turn.")
        ana.type("4")
        await ana.shows("1. You play 4.")
        yield ana, room


async def goes_on(ana: PtyScreen, possible_at: float, outage: str) -> None:
    """Ben's move is on the screen in time, nobody has pressed a key, and the next one plays on."""
    loop = asyncio.get_running_loop()
    await ana.shows("2. Ben plays 3.")
    seconds = loop.time() - possible_at
    await ana.shows_no_more(LOST)
    print(f"{outage}: the game has gone on after {seconds:.2f} s")
    assert not FULL or seconds <= BACK_WITHIN  # a busy machine may be slower; waits are in test_heartbeat.py
    ana.type("5")
    await ana.shows("3. You play 5.")


async def away(room: Room, name: str) -> None:
    """Waits until the server says that somebody has lost the connection."""
    news = asyncio.Event()
    room.members.subscribe(lambda _: news.set())
    while name not in {member.player.name for member in room.away}:
        news.clear()
        await news.wait()


async def test_a_server_that_is_killed_comes_back_and_the_game_goes_on(tmp_path: Path) -> None:
    port, loop = free_port(), asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        async with a_server(tmp_path, port):
            ana, room = await stack.enter_async_context(at_a_table(tmp_path, port))
        killed_at = loop.time()
        await ana.shows(LOST)
        await asyncio.sleep(killed_at + OUTAGE - loop.time())
        async with a_server(tmp_path, port):
            listens_at = loop.time()
            await room.play("3", 1, 1)
            await goes_on(ana, listens_at, "kill -9")


async def test_a_line_that_is_cut_without_a_word_comes_back_and_the_game_goes_on(tmp_path: Path) -> None:
    port, loop = free_port(), asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(a_server(tmp_path, port))
        proxy = await stack.enter_async_context(a_proxy(int(port)))
        ana, room = await stack.enter_async_context(at_a_table(tmp_path, port, str(proxy.port)))
        cut_at = loop.time()
        proxy.hold()
        await room.play("3", 1, 1)
        await ana.shows(LOST)
        print(f"cut: noticed after {loop.time() - cut_at:.2f} s")
        assert "2. Ben plays 3." not in ana.text
        await asyncio.sleep(cut_at + OUTAGE - loop.time())
        flows_at = loop.time()
        proxy.flow()
        await goes_on(ana, flows_at, "cut")


async def test_a_laptop_that_was_shut_comes_back_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not FULL:
        monkeypatch.setenv("TABLERO_SILENCE_SECONDS", "6")
    port, loop = free_port(), asyncio.get_running_loop()
    async with a_server(tmp_path, port), at_a_table(tmp_path, port, is_cold=True) as (ana, room):
        shut_at = loop.time()
        os.kill(ana.process.pid, signal.SIGSTOP)
        async with asyncio.timeout(40):
            await away(room, "Ana")
        await room.play("3", 1, 1)
        await asyncio.sleep(shut_at + SHUT - loop.time())
        opened_at = loop.time()
        os.kill(ana.process.pid, signal.SIGCONT)
        await goes_on(ana, opened_at, "shut")
        assert "You're back online." in ana.text


async def test_the_screen_says_whose_turn_it_is_when_it_is_back(tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        async with a_server(tmp_path, port):
            ben = await stack.enter_async_context(connect(f"ws://127.0.0.1:{port}/ws", name="Ben"))
            room = await ben.create_room("connect-four", seat=1)
            url = f"ws://127.0.0.1:{port}/ws"
            ana = await stack.enter_async_context(a_screen(url, tmp_path, join=room.id))
            await ana.until(lambda: ana.ply >= 0)
        await ana.shows(LOST)
        async with a_server(tmp_path, port):
            await ana.until(lambda: str(ana.table.query_one("#status", Static).content) == "Your turn.")
            assert "You're back online." in ana.text
