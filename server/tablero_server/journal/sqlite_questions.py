"""What was played, asked of the SQLite file beside the journal that writes it.

Law: no commit waits for a question, and a question that nobody waits for any more is given up. This
connection only reads; the journal's alone writes and checkpoints.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from .disk_thread import DiskThread
from .questions import Question
from .rows import Row

_PATIENCE_SECONDS = 5.0
"""For so long the thread waits for another program that holds the file."""
_STEPS = 100_000
"""Of SQLite's machine, some milliseconds: as often it is looked whether a question was given up."""


class SqliteQuestions:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = asyncio.Lock()
        self._thread: DiskThread | None = None
        """With the connection, from the first question on."""
        self._connection: sqlite3.Connection | None = None
        self._given_up = False

    async def answer(self, question: Question) -> list[Row]:
        """What is durable. Raises sqlite3.Error."""
        async with self._one_at_a_time:
            if self._thread is None:
                self._thread = DiskThread("questions")
            self._given_up = False
            return await self._thread.finish(self._answer, question, give_up=self._give_up)

    async def close(self) -> None:
        """Before the connection of the journal, which is the last to end."""
        async with self._one_at_a_time:
            if self._thread is not None:
                await self._thread.do(self._close)
                self._thread.end()

    def _answer(self, question: Question) -> list[Row]:
        if self._connection is None:
            self._connection = sqlite3.connect(
                f"{self._path.absolute().as_uri()}?mode=ro",
                timeout=_PATIENCE_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
            )
            self._connection.set_progress_handler(lambda: self._given_up, _STEPS)
        return self._connection.execute(question.for_sqlite(), question.given).fetchall()

    def _give_up(self) -> None:
        self._given_up = True

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
