"""Where records are kept. The core never reads it while it runs; it is read once, at the start.

Law: `append` returns when the records are durable, all of them or none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from .record import Record


class Journal(Protocol):
    async def append(self, records: Sequence[Record]) -> None: ...

    async def load(self) -> list[list[Record]]:
        """The log of every room that is not closed, each from record 0 on."""
        ...

    async def close(self) -> None: ...


class MemoryJournal:
    """As durable as the process: for tests, and until a database stands behind the same three methods."""

    def __init__(self) -> None:
        self._logs: defaultdict[str, list[Record]] = defaultdict(list)

    async def append(self, records: Sequence[Record]) -> None:
        for record in records:
            self._logs[record.room].append(record)
            if record.kind == "closed":
                del self._logs[record.room]

    async def load(self) -> list[list[Record]]:
        return [list(log) for log in self._logs.values()]

    async def close(self) -> None:
        pass
