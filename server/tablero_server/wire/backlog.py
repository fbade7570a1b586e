"""What may wait for a later turn of the event loop: connections with much to be read, and news for many.

Law: however much it is, all together get so much of each turn, one after the other; everybody else goes on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

SECONDS_A_TURN = 0.0001
"""After so long whatever is left waits for the next turn."""


class Backlog:
    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._goes_on = False
        """Whether the next turn is asked for."""
        self.read_at = -1.0
        """When the last connection was read to the end,"""
        self.used = 0.0
        """and how much of the processor had been used by then."""

    def add(self, go_on: Callable[[], None]) -> None:
        """Calls it once, in a later turn, after all that came before it."""
        self._waiting.append(go_on)
        self._ask_for_a_turn()

    def _ask_for_a_turn(self) -> None:
        if self._waiting and not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """As many as there is time for, at least one; whoever has still more comes again at the end."""
        until = perf_counter() + SECONDS_A_TURN
        try:
            for _ in range(len(self._waiting)):
                self._waiting.popleft()()
                if perf_counter() > until:
                    break
        finally:  # a mistake of ours costs the one alone
            self._goes_on = False
            self._ask_for_a_turn()
