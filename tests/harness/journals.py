"""Journals in memory that are slow, full or broken, and a way to use one without an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from tablero_server.core.effects import Effects
from tablero_server.journal.journal import NotWritten
from tablero_server.journal.sqlite import SqliteJournal

T = TypeVar("T")


def at_once(asked: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never waits, like those of a journal in memory."""
    try:
        asked.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("it waits")


class WaitingJournal(SqliteJournal):
    """A journal that holds back each append until the test calls `go_on`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: asyncio.Queue[list[int]] = asyncio.Queue()
        """The seqs of the entries of each requested append."""
        self._gate = asyncio.Semaphore(0)

    def go_on(self) -> None:
        self._gate.release()

    async def append(self, effects: Sequence[Effects]) -> None:
        if numbers := [entry.seq for each in effects for entry in each.entries]:
            self.asked.put_nowait(numbers)
            await self._gate.acquire()


class BrokenJournal(SqliteJournal):
    async def append(self, effects: Sequence[Effects]) -> None:
        if any(each.entries for each in effects):
            raise OSError("Input/output error")


class FullDisk(SqliteJournal):
    full = False

    async def append(self, effects: Sequence[Effects]) -> None:
        if self.full:
            raise NotWritten("database or disk is full", frozenset(range(len(effects))))
        await super().append(effects)

    async def check(self) -> None:
        if self.full:
            raise NotWritten("database or disk is full", frozenset())


class FailingJournal(WaitingJournal):
    """A journal that refuses the effects at these indexes of an append; it keeps all given effects for the
    test.
    """

    def __init__(self, *failing: int) -> None:
        super().__init__()
        self.failing = frozenset(failing)

    async def append(self, effects: Sequence[Effects]) -> None:
        await super().append(effects)
        failed, self.failing = self.failing, frozenset()
        if failed:
            raise NotWritten("No space left on device", failed)
