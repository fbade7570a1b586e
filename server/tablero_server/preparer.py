"""Runs `Game.prepare` in processes of its own, so that no move ever waits for a search."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Event

import structlog

from tablero_games import GAMES
from tablero_games.position import Json, NoFieldFound

from .effects import Preparation

log = structlog.get_logger("tablero.preparer")

SECONDS = 10.0
"""How long one search may take."""
_WORKERS = 2
_KINDNESS = 10


class Preparer:
    """Starts its processes when first needed."""

    def __init__(self) -> None:
        # Not forked: a copy of the server would hold its sockets and its locks.
        self._context = get_context("spawn")
        self._stopping = self._context.Event()
        self._pool: ProcessPoolExecutor | None = None

    async def prepare(self, asked: Preparation) -> Json | None:
        """What was found, or None if there is nothing, time was up, or the search itself failed."""
        pool = self._pool = self._pool or ProcessPoolExecutor(
            _WORKERS, self._context, _become_a_worker, (self._stopping,)
        )
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(pool, _search, asked.game, asked.seed, asked.options)
        except Exception:
            log.exception("a search failed", game=asked.game, options=asked.options)
            if pool is self._pool and _is_broken(pool):
                self._pool = None
            return None

    async def stop(self) -> None:
        """Ends searches and processes."""
        self._stopping.set()
        if self._pool is not None:
            await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
