"""Work for later turns of the event loop: connections with much to read, and news for many peers.

Law: all this work gets a fixed part of each turn, one job after another. Other connections are not delayed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

SECONDS_A_TURN = 0.0001
"""The time for this work in each turn; the rest waits for the next turn."""


class Backlog:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._goes_on = False
        """Whether the next turn is scheduled."""
        self.read_at = -1.0
        """The time when the last read of a connection ended."""
        self.used = 0.0
        """The least processor time that was used up to `read_at`."""

    def add(self, go_on: Callable[[], None]) -> None:
        """Calls `go_on` once, in a later turn, after everything added before."""
        self._waiting.append(go_on)
        self._ask_for_a_turn()

    def _ask_for_a_turn(self) -> None:
        if self._waiting and not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Runs jobs while there is time, at least one. A job with more to do joins the queue again."""
        until = perf_counter() + SECONDS_A_TURN
        try:
            for _ in range(len(self._waiting)):
                self._waiting.popleft()()
                if perf_counter() > until:
                    break
        finally:  # a bug in one job must not stop the others
            self._goes_on = False
            self._ask_for_a_turn()
