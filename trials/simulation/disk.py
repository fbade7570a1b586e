"""The saved state, and a journal for one life of the server, which writes slowly or fails.

Law: an entry is on the disk or it is not. A crash before the commit loses the whole commit. A crash after it
loses nothing, even if no player was told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry, Saved
from tablero_server.journal.journal import NotWritten
from tablero_server.journal.questions import Question, Row
from tablero_server.journal.sqlite import SqliteJournal
from trials.simulation.world import World, check

LATE_MS = 700
"""Longer than a tick of host.py, as in the real server it is longer than a tick of network.py."""


class Disk:
    """The disk, which outlives every crash. It reports written, confirmed and lost effects to others."""

    def __init__(
        self,
        written: Callable[[Effects], None],
        saved: Callable[[Effects], None],
        lost: Callable[[Effects], None],
    ) -> None:
        self.logs: dict[str, list[Entry]] = {}
        """The contents of `journal`, for comparison."""
        self.journal = SqliteJournal()
        self.full_until = 0.0
        self.hangs = 0.0
        """The additional seconds that the next operation takes."""
        self.flaky = 0.0
        """The probability that the effects of a command cannot be written."""
        self._written = written
        self.saved = saved
        self.lost = lost

    async def write(self, effects: Effects) -> bool:
        """Writes effects. Returns whether they are now saved. The journal in memory never waits."""
        try:
            await self.journal.append([effects])
        except NotWritten:
            return False
        for entry in effects.entries:
            self.logs.setdefault(entry.room, []).append(entry)
        self._written(effects)
        return True


class SlowJournal:
    """A slow journal for one life of the server."""

    def __init__(
        self, world: World, random: Random, disk: Disk, slowness: float, server_time: Callable[[], int]
    ) -> None:
        self._world = world
        self._random = random
        self._disk = disk
        self._slowness = slowness
        self._server_time = server_time
        self._began = 0
        """The server time at which the present operation began, however often it was tried."""
        self._failing = False

    async def append(self, effects: Sequence[Effects]) -> None:
        if not self._failing:
            self._began = self._server_time()
        await self._wait()
        failed: set[int] = set()
        for index, each in enumerate(effects):
            if self._fails() or not await self._disk.write(each):
                failed.add(index)
                if each.repeats:
                    self._world.sometimes("the journal alone knew a command")
        self._world.note("disk", f"{len(effects) - len(failed)} written, {len(failed)} not")
        await self._wait()  # a crash here loses the confirmation, not the entry
        passed = self._server_time() - self._began
        check(passed <= LATE_MS, "time stands still while nothing can be saved", passed)
        for index, each in enumerate(effects):
            if index in failed:
                self._disk.lost(each)
            else:
                self._disk.saved(each)
        refused = bool(failed) and all(effects[index].repeats for index in failed)
        self._failing = bool(failed) and (self._failing or not refused)
        if len(effects) > 1:
            self._world.sometimes("several commands in one commit")
        if failed:
            self._world.sometimes("a commit failed")
            if len(failed) < len(effects):
                self._world.sometimes("a commit failed in part")
            raise NotWritten("The simulated disk is full.", frozenset(failed), refused=refused)

    async def load(self, closed_within_ms: int = 0) -> Saved:
        return await self._disk.journal.load(closed_within_ms)

    async def log(self, room: str) -> list[Entry]:
        await self._wait()
        return await self._disk.journal.log(room)

    async def read(self, question: Question) -> list[Row]:
        await self._wait()
        return await self._disk.journal.read(question)

    async def check(self) -> None:
        if self._world.now < self._disk.full_until:
            raise NotWritten("The simulated disk is full.", frozenset())
        self._failing = False

    async def close(self) -> None:
        pass

    def _fails(self) -> bool:
        return self._world.now < self._disk.full_until or self._random.random() < self._disk.flaky

    async def _wait(self) -> None:
        hangs, self._disk.hangs = self._disk.hangs, 0.0
        if hangs:
            self._world.sometimes("a commit took long")
        await asyncio.sleep(hangs + self._random.expovariate(1 / self._slowness))
