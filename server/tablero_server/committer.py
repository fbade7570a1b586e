"""Lets messages leave only after their records are durable: one commit for everything gathered meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .effects import Effects
from .journal import Journal


class Committer:
    """Submit effects in the order in which the hub made them; `deliver` gets them in that order."""

    def __init__(self, journal: Journal, deliver: Callable[[list[Effects]], None]) -> None:
        self._journal = journal
        self._deliver = deliver
        self._waiting: list[Effects] = []
        self._wake = asyncio.Event()
        self._delivered = asyncio.Event()
        """Set when what is waiting now has been delivered."""

    def submit(self, effects: Effects) -> None:
        if not self._waiting:
            self._wake.set()
        self._waiting.append(effects)

    async def run(self) -> None:
        """Until cancelled. A journal that fails ends the process: nothing was acknowledged."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            delivered, self._delivered = self._delivered, asyncio.Event()
            if lasting := [effects for effects in batch if effects.must_last]:
                await self._journal.append(lasting)
            self._deliver(batch)
            delivered.set()

    async def settled(self) -> None:
        """Returns when everything submitted so far has been delivered."""
        delivered = self._delivered
        self.submit(Effects())  # comes after all of it, and is not kept back by what follows
        await delivered.wait()
