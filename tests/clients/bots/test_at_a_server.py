"""A bot host at a real server, with processes to think in: what goes wrong there, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablero import Bot, Refused, connect
from tablero.bots import workers as workers_module
from tablero.bots.host import BotHost, card
from tablero.bots.workers import Workers
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.dice import dice
from tests.harness import naughty
from tests.harness.client import PATIENCE, Turns, real_server
from tests.harness.serving import Serving

BRAINS: list[type[Bot]] = [
    naughty.Fine, naughty.Crashes, naughty.Dies, naughty.Hangs, naughty.HangsBriefly, naughty.Cheats
]  # fmt: skip


@asynccontextmanager
async def a_person_and_a_host() -> AsyncIterator[Client]:
    with Workers(5, naughty.find) as workers:
        workers.prepare(BRAINS)
        async with (
            real_server() as url,
            connect(url, name="brains", bot=card(BRAINS, 5)) as house,
            connect(url, name="Ana") as ana,
        ):
            BotHost(house, BRAINS, 5, dice(1), workers, pace={"": 0}, greets=False)
            yield ana


async def sit_down_with(ana: Client, level: str) -> tuple[Turns, list[Any]]:
    """A game that the bot begins, and all that is said in it."""
    room = await ana.create_room("tic-tac-toe", seat=1)
    said: list[Any] = []
    room.chat.subscribe(lambda event: said.append(event.text))
    turns = Turns(room)
    await ana.invite(room, 0, bot=f"tic-tac-toe:{level}")
    return turns, said


@pytest.mark.parametrize(
    ("brain", "sentence"),
    [
        (naughty.Crashes, "I crashed (ZeroDivisionError) and resign."),
        (naughty.Dies, "I crashed and resign."),
        (naughty.HangsBriefly, "I thought for longer than 0.1 s and resign."),
        (naughty.Cheats, "I played an illegal move and resign."),
    ],
)
async def test_what_goes_wrong_ends_that_game_alone_and_the_room_hears_why(
    brain: type[Bot], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "GRACE_SECONDS", 0.05)
    async with a_person_and_a_host() as ana:
        slow, slow_said = await sit_down_with(ana, "hangs")
        turns, said = await sit_down_with(ana, brain.level)
        end = await turns.play_to_the_end()
        assert end.outcome is not None
        assert (end.outcome["winners"], end.outcome["reason"]) == ([1], "resign")
        assert said == [sentence]
        fine, fine_said = await sit_down_with(ana, "fine")
        assert (await fine.play_to_the_end()).outcome is not None
        assert (slow_said, fine_said, slow.room.table.state) == ([], [], "playing")


# The whole program


@contextmanager
def bot_host(url: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`tablero bot-host`, whose standard error stays open until its last process has ended."""
    command = [
        sys.executable,
        "-m",
        "tablero",
        "bot-host",
        "--only",
        "tic-tac-toe",
        "--pace",
        "0",
        "--server",
        url,
    ]
    host = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "TABLERO_HOME": str(folder)})
    try:
        yield host
    finally:
        host.kill()
        host.communicate()


async def play_once(ana: Client) -> None:
    room = await invite_when_there(ana)
    assert (await Turns(room).play_to_the_end()).outcome is not None


async def invite_when_there(ana: Client) -> Room:
    """A table at which the bot sits, as soon as it has come."""
    room = await ana.create_room("tic-tac-toe")
    async with asyncio.timeout(PATIENCE):
        changes: asyncio.Queue[Any] = asyncio.Queue()
        ana.lobby.subscribe(changes.put_nowait)
        await ana.watch_lobby()
        while True:
            try:
                await ana.invite(room, 1, bot="tic-tac-toe:hard")
                return room
            except Refused:
                await changes.get()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_all_of_its_processes_end_with_it(number: signal.Signals, tmp_path: Path) -> None:
    async with real_server() as url:
        with bot_host(url, tmp_path) as host:
            async with connect(url, name="Ana") as ana:
                await play_once(ana)
            host.send_signal(number)
            _, log = await asyncio.to_thread(host.communicate, timeout=PATIENCE)
            assert host.returncode == (-9 if number is signal.SIGKILL else 0)
            assert b"Traceback" not in log


async def test_it_comes_back_to_a_server_that_lost_everything_and_plays_again(tmp_path: Path) -> None:
    with ExitStack() as stack:
        async with real_server() as url:
            host = stack.enter_context(bot_host(url, tmp_path))
            async with connect(url, name="Ana") as ana:
                await invite_when_there(ana)
        port = int(url.split(":")[2].split("/")[0])
        async with real_server(port), connect(url, name="Ana") as ana:
            await play_once(ana)
        assert host.poll() is None


async def test_the_servers_own_host_is_the_same_player_after_every_start(tmp_path: Path) -> None:
    """Else its bots would lose their ratings."""

    async def house(url: str) -> str:
        async with asyncio.timeout(120), connect(url, name="Ana", patient=True) as ana:
            changed = asyncio.Event()
            ana.lobby.subscribe(lambda _: changed.set())
            lobby = await ana.watch_lobby()
            while not (bots := [player for player in lobby.players if player.bot]):
                await changed.wait()
                changed.clear()
                lobby = await ana.watch_lobby()
            return bots[0].id

    with Serving(tmp_path, f"sqlite:///{tmp_path / 'tablero.db'}", "--bots") as serving:
        serving.start()
        first = await house(serving.url)
        serving.stop()
        serving.start()
        assert await house(serving.url) == first
        serving.kill()
        serving.start()
        assert await house(serving.url) == first
