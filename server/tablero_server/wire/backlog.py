"""Work for later turns of the event loop: connections with much to read, and news for many.

Law: all of it together gets a fixed part of each turn, one after the other; other connections are not
delayed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

SECONDS_A_TURN = 0.0001
"""The time in each turn, after which the rest waits for the next one."""


class Backlog:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._goes_on = False
        """Whether the next turn is asked for."""
        self.read_at = -1.0
        """The time when the last connection was read to the end,"""
        self.used = 0.0
        """and how much of the processor had been used by then, at least."""

    def add(self, go_on: Callable[[], None]) -> None:
        """Calls it once, in a later turn, after all that came before it."""
        self._waiting.append(go_on)
        self._ask_for_a_turn()

    def _ask_for_a_turn(self) -> None:
        if self._waiting and not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Runs as many as there is time for, at least one; one with more to do joins the queue again."""
        until = perf_counter() + SECONDS_A_TURN
        try:
            for _ in range(len(self._waiting)):
                self._waiting.popleft()()
                if perf_counter() > until:
                    break
        finally:  # a mistake of ours costs only that one
            self._goes_on = False
            self._ask_for_a_turn()
