"""Where everything is kept that must survive. The core never reads it while it runs, but at the start.

Law: what one command caused is durable as a whole or not at all, and `append` returns only when it is.
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
    """Nobody knows what is durable now. The process has to end: the next one finds out by reading."""


class Rejected(Exception):
    """The database is well and has refused some rows: the room moved on, or belongs to another server."""


class NotWritten(Exception):
    """Some of it is not durable and never will be: it has to be forgotten. The text says why."""

    def __init__(self, why: str, failed: frozenset[int], *, refused: bool = False) -> None:
        super().__init__(why)
        self.failed = failed
        """Which of the effects, by their index. All the others are durable."""
        self.refused = refused
        """Whether the journal is well, and they alone are to blame."""


class NotRead(Exception):
    """The journal does not answer just now. The text says why."""


class Journal(Protocol):
    async def append(self, effects: Sequence[Effects]) -> None:
        """Makes what is in `effects` durable, in order, in one commit where it can.

        Raises NotWritten. What opens a room by a (player, id) that has opened one is marked as `repeats`.
        """

    async def load(self, closed_within_ms: int = 0) -> Saved:
        """With rooms that closed less than so long before the last one to close."""
        ...

    async def log(self, room: str) -> list[Entry]:
        """All of a room's entries, also when it is closed; none if there is no such room. Raises Damaged."""
        ...

    async def read(self, question: Question) -> list[Row]:
        """What was played, as it is durable. Raises NotRead."""
        ...

    async def check(self) -> None:
        """Raises NotWritten if nothing can be written now, JournalBroken if another server has it.

        What was well a moment ago may be believed.
        """

    async def close(self) -> None: ...
