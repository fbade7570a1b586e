"""An event loop with simulated time and seeded randomness: no waiting, and every run is the same.

When no callback is ready, the clock jumps to the next timer. The order of callbacks that are ready together
is drawn from the seed, because no program can rely on an order. `fifo` keeps asyncio's order, to distinguish
a bug from such a reliance.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class Deadlock(RuntimeError):
    """Raised if all tasks wait and there is no timer."""


class _NoSockets:
    """A selector without sockets, which returns at once."""

    def select(self, timeout: float | None) -> list[Any]:
        return []


class SimLoop(asyncio.BaseEventLoop):
    """asyncio's own loop without a clock, sockets, signals and threads.

    It uses some private names of BaseEventLoop (`_ready`, `_scheduled`, `_selector`, `_run_once`), which are
    the same in Python 3.11 to 3.13; trials/simulation/test_loop.py would notice a change.
    """

    _ready: deque[Any]
    _scheduled: list[Any]

    def __init__(self, random: Random, *, fifo: bool = False) -> None:
        super().__init__()
        self._selector = _NoSockets()
        self._random = random
        self._fifo = fifo
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def jump(self, seconds: float) -> None:
        """Lets time pass at once; timers that become due are late."""
        self._now += seconds

    def _process_events(self, event_list: list[Any]) -> None:
        pass

    def _run_once(self) -> None:
        ready = self._ready
        if not ready and not self._stopping:
            if not self._scheduled:
                raise Deadlock("nothing is ready and no timer runs")
            self._now = max(self._now, self._scheduled[0]._when)
        elif len(ready) > 1 and not self._fifo:
            shuffled = list(ready)
            self._random.shuffle(shuffled)
            ready.clear()
            ready.extend(shuffled)
        super()._run_once()  # type: ignore[misc]

    _stopping: bool


def run(loop: SimLoop, main: Coroutine[Any, Any, T]) -> T:
    """Runs `main` to its end, and cancels all other tasks."""
    try:
        return loop.run_until_complete(main)
    finally:
        rest = asyncio.all_tasks(loop)
        for task in rest:
            task.cancel()
        loop.run_until_complete(_all_ended(rest))
        loop.close()


async def _all_ended(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
