"""The interface to durable storage. The core reads it only at the start.

Law: the effects of one command are durable as a whole or not at all, and `append` returns only when they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..core.effects import Effects
from ..core.entry import Entry, Saved
from .questions import Question, Row


class BadDatabase(Exception):
    """The server cannot start with this database. The text is for the host: what is wrong, and what to do."""


def newer(where: str, revision: int) -> BadDatabase:
    return BadDatabase(
        f"{where} was written by a newer Tablero (schema {revision}). "
        "Update this program, or restore an older backup."
    )


class JournalBroken(Exception):
    """It is unknown what is durable now. The process has to end: the next one finds out by reading."""


class Rejected(Exception):
    """The database is well and has refused some rows: the room moved on, or belongs to another server."""


class NotWritten(Exception):
    """Some effects are not durable and never will be, so they must be undone. The text says why."""

    def __init__(self, why: str, failed: frozenset[int], *, refused: bool = False) -> None:
        super().__init__(why)
        self.failed = failed
        """The effects that failed, by index. All others are durable."""
        self.refused = refused
        """Whether the journal works and only these effects are at fault."""


class NotRead(Exception):
    """The journal does not answer just now. The text says why."""


class Journal(Protocol):
    async def append(self, effects: Sequence[Effects]) -> None:
        """Makes what is in `effects` durable, in order, in one commit where it can.

        Raises NotWritten. What opens a room by a (player, id) that has opened one is marked as `repeats`.
        """

    async def load(self, closed_within_ms: int = 0) -> Saved:
        """Everything that is stored, with rooms that closed less than this before the last one to close."""
        ...

    async def log(self, room: str) -> list[Entry]:
        """All of a room's entries, also when it is closed; none if there is no such room. Raises Damaged."""
        ...

    async def read(self, question: Question) -> list[Row]:
        """The rows that answer a question about finished games, as they are durable. Raises NotRead."""
        ...

    async def check(self) -> None:
        """Raises NotWritten if nothing can be written now, JournalBroken if another server has it.

        What was well a moment ago may be believed.
        """

    async def close(self) -> None: ...
