"""Searches in processes of their own: what they find, when they give up, and that nobody waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tablero_games import GAMES
from tablero_server.core.effects import Search
from tablero_server.processes import search_pool as preparer_module
from tablero_server.processes.search_pool import SearchPool
from tests.harness.wire import PATIENCE, a_server, a_table, a_wire

MINESWEEPER = GAMES["minesweeper"]
EASY = {"level": "intermediate", "noGuess": True}
HOPELESS = {"width": 50, "height": 50, "mines": 1500, "noGuess": True}
IMPOSSIBLE = {"width": 2, "height": 2, "mines": 1, "firstDig": "cell", "noGuess": True}


@asynccontextmanager
async def a_preparer() -> AsyncIterator[SearchPool]:
    search_pool = SearchPool()
    try:
        async with asyncio.timeout(PATIENCE):
            yield search_pool
    finally:
        await search_pool.stop()
        assert multiprocessing.active_children() == []


def asked(options: dict[str, Any], game: str = "minesweeper") -> Search:
    return Search(1, game, 7, options)


async def test_no_process_runs_before_there_is_something_to_search() -> None:
    async with a_preparer():
        assert multiprocessing.active_children() == []


async def test_a_search_finds_what_the_game_would_or_nothing_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparer_module, "SECONDS", 0.2)
    async with a_preparer() as search_pool:
        searches = [asked(EASY), asked(IMPOSSIBLE), asked(HOPELESS), asked({}, "no such game")]
        found = await asyncio.gather(*map(search_pool.find, searches))
        field = MINESWEEPER.prepare(7, MINESWEEPER.read_options(EASY))
        assert found == [field, None, None, None]


async def test_a_search_that_others_wait_for_ends_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparer_module, "SECONDS", 60.0)
    monkeypatch.setattr(preparer_module, "SECONDS_OF_OTHERS", 0.0)
    async with a_preparer() as search_pool:
        hopeless = asyncio.create_task(search_pool.find(asked(HOPELESS)))
        await asyncio.sleep(0)  # lets it start its process
        search_pool.others_wait(True)
        assert await hopeless is None


async def test_a_killed_search_starts_again_once() -> None:
    async with a_preparer() as search_pool:
        found = asyncio.create_task(search_pool.find(asked(EASY)))
        await asyncio.sleep(0)  # lets it start its process
        kill_all()
        assert await found is not None
        kill_all()
        assert await search_pool.find(asked(EASY)) is not None, "also where it was idle"


def kill_all() -> None:
    for process in multiprocessing.active_children():
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)


async def test_a_process_that_cannot_start_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(self: SearchPool) -> None:
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(SearchPool, "_start", no_memory)
    async with a_preparer() as search_pool:
        assert await search_pool.find(asked(EASY)) is None


async def test_a_running_search_ends_when_the_server_stops() -> None:
    async with a_preparer() as search_pool:
        assert await search_pool.find(asked(EASY)) is not None  # its process is there
        hopeless = asyncio.create_task(search_pool.find(asked(HOPELESS)))
        await asyncio.sleep(0)
        hopeless.cancel()
        await search_pool.stop()


async def test_a_field_is_found_and_another_is_not_while_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparer_module, "SECONDS", 0.5)
    async with (
        a_server() as server,
        a_table(server) as (ana, ben, room),
        a_wire(server) as cat,
        a_wire(server) as dan,
    ):
        await cat.hello("cat")
        await dan.hello("dan")
        waits = {"game": "minesweeper", "subscribe": ["nextPlayer"]}
        for wire, options in ((cat, HOPELESS), (dan, EASY)):
            assert (await wire.ask("createRoom", options=options, **waits))["type"] == "joined"
            assert (await wire.hear())["type"] == "preparing"
        in_vain, found = asyncio.create_task(cat.hear()), asyncio.create_task(dan.hear())
        for ply, move in enumerate(["a1", "a2", "b1", "b2", "c1"]):
            player = (ana, ben)[ply % 2]
            assert (await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move))["re"]
            assert (await player.ask("ping"))["type"] == "pong"
        assert not in_vain.done()
        assert (await found)["view"]["width"] == 16
        assert (await in_vain)["code"] == "noFieldFound"


async def test_a_server_stops_at_once_also_in_the_middle_of_a_search() -> None:
    async with asyncio.timeout(PATIENCE), a_server() as server, a_wire(server) as ana:
        await ana.hello()
        await ana.ask("createRoom", game="minesweeper", options=HOPELESS)
        await ana.ask("ping")
    assert multiprocessing.active_children() == []
