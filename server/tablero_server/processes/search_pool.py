"""Runs `Game.prepare` in separate processes, so that no move waits for a search."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_bool
from multiprocessing import get_context
from multiprocessing.connection import Connection

import structlog

from tablero_games import GAMES
from tablero_games.position import Json, NoFieldFound

from ..core.effects import Search
from ..core.limits.limits import SEARCHES_AT_ONCE
from ..core.refusal import Message
from .replay_process import step_back

log = structlog.get_logger("tablero.search_pool")

SECONDS = 10.0
"""The time limit of one search, in seconds."""
SECONDS_OF_OTHERS = 2.0
"""The time limit of a search while others wait, in seconds."""
_ATTEMPTS = 2
"""The number of attempts if a search's process is killed, perhaps because of another search."""


class SearchPool:
    """A pool of processes that start when they are first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None
        """A pipe: the processes end when it closes, which also happens if the server is killed."""
        self._others_wait: c_bool | None = None
        """A flag in memory shared with the processes."""

    async def find(self, asked: Search) -> Json | None:
        """The result of a search; None if there is no result, it took too long, or it failed."""
        loop = asyncio.get_running_loop()
        for _ in range(_ATTEMPTS):
            pool = self._pool
            try:
                pool = self._pool = pool or self._start()
                return await loop.run_in_executor(
                    pool, _search, asked.game, asked.seed, asked.options, SECONDS, SECONDS_OF_OTHERS
                )
            except BrokenProcessPool:
                log.warning("a process that searches was killed", game=asked.game)
                if self._pool is pool:
                    self._pool = None
                if pool is not None:  # the pool's other processes must end before a new pool starts
                    await asyncio.to_thread(pool.shutdown)
            except Exception:
                log.exception("a search failed", game=asked.game, options=asked.options)
                break
        return None

    def others_wait(self, waiting: bool) -> None:
        """Tells the searches whether a room waits for one of them to end."""
        if self._others_wait is not None:
            self._others_wait.value = waiting

    async def stop(self) -> None:
        """Ends the processes, with the searches that still run."""
        if self._pool is not None and self._lifeline is not None:
            self._lifeline.close()
            await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        # The processes are not forked: a copy of the server would keep its sockets open.
        context = get_context("spawn")
        held_by_them, self._lifeline = context.Pipe(duplex=False)
        self._others_wait = context.RawValue(c_bool)
        return ProcessPoolExecutor(SEARCHES_AT_ONCE, context, _begin, (held_by_them, self._others_wait))


# Code that runs in those processes


_others_wait: list[c_bool] = []
"""The flag that the server shares with this process."""


def _begin(lifeline: Connection, others_wait: c_bool) -> None:
    """Prepares a process: low priority, no Ctrl-C (meant for the server), and an end together with the
    server.
    """
    step_back()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _others_wait.append(others_wait)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    lifeline.poll(None)
    os._exit(0)


def _search(name: str, seed: int, options: Message, seconds: float, seconds_of_others: float) -> Json | None:
    game, [others_wait] = GAMES[name], _others_wait
    begun = time.monotonic()

    def give_up() -> bool:
        return time.monotonic() > begun + (seconds_of_others if others_wait.value else seconds)

    try:
        return game.prepare(seed, game.read_options(options), give_up)
    except NoFieldFound:
        return None
