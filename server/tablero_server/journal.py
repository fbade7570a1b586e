"""Where everything is kept that must survive. The core never reads it while it runs, but at the start.

Law: what one command caused is durable as a whole or not at all, and `append` returns only when it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from .effects import Effects
from .record import Record, Result, Saved, SavedPlayer


class NotWritten(Exception):
    """Some of it is not durable and never will be: it has to be forgotten. The text says why."""

    def __init__(self, why: str, failed: frozenset[int]) -> None:
        super().__init__(why)
        self.failed = failed
        """Which of the effects, by their index. All the others are durable."""


class Journal(Protocol):
    async def append(self, effects: Sequence[Effects]) -> None:
        """Makes what is in `effects` durable, in order, in one commit where it can. Raises NotWritten."""

    async def load(self) -> Saved: ...

    async def log(self, room: str) -> list[Record]:
        """All of a room's records, also when it is closed; none where there is no such room."""
        ...

    async def close(self) -> None: ...


class MemoryJournal:
    """As durable as the process: for tests, and for whoever asks for no database."""

    def __init__(self) -> None:
        self._logs: defaultdict[str, list[Record]] = defaultdict(list)
        self._players: dict[str, SavedPlayer] = {}
        self.results: list[Result] = []

    async def append(self, effects: Sequence[Effects]) -> None:
        for each in effects:
            for record in each.records:
                self._logs[record.room].append(record)
            self._players.update((player.id, player) for player in each.players)
            for player in each.forgotten:
                self._players.pop(player, None)
            self.results += each.results

    async def load(self) -> Saved:
        logs = [list(log) for log in self._logs.values() if log[-1].kind != "closed"]
        return Saved(list(self._players.values()), logs)

    async def log(self, room: str) -> list[Record]:
        return list(self._logs.get(room, ()))

    async def close(self) -> None:
        pass
