"""The interface to durable storage, which the core reads only at the start.

Law: the effects of one command are saved completely or not at all. `append` returns only when they are saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..core.effects import Effects
from ..core.entry import Entry, Saved
from .questions import Question, Row


class BadDatabase(Exception):
    """Raised if the server cannot start with this database. The text tells the host what is wrong and what to
    do.
    """


def newer(where: str, revision: int) -> BadDatabase:
    return BadDatabase(
        f"{where} was written by a newer Tablero (schema {revision}). "
        "Update this program, or restore an older backup."
    )


class JournalBroken(Exception):
    """Raised if it is unknown what was saved. The process must end, and the next one reads the database."""


class Rejected(Exception):
    """Raised if the database works but refused some rows: the room moved on, or belongs to another server."""


class NotWritten(Exception):
    """Raised if some effects were not saved and never will be, so that they must be undone. The text says
    why.
    """

    def __init__(self, why: str, failed: frozenset[int], *, refused: bool = False) -> None:
        super().__init__(why)
        self.failed = failed
        """The indexes of the effects that failed. All others are saved."""
        self.refused = refused
        """Whether the journal works and refused only these effects."""


class NotRead(Exception):
    """Raised if the journal does not answer now. The text says why."""


class Journal(Protocol):
    async def append(self, effects: Sequence[Effects]) -> None:
        """Saves these effects in order, if possible in one commit. Raises NotWritten.

        Effects are marked as `repeats` if their command, known by (player, id), has opened a room before.
        """

    async def load(self, closed_within_ms: int = 0) -> Saved:
        """All stored data, including rooms that closed at most this long before the latest closed room."""
        ...

    async def log(self, room: str) -> list[Entry]:
        """The entries of a room, open or closed; empty if there is no such room. Raises Damaged."""
        ...

    async def read(self, question: Question) -> list[Row]:
        """The saved rows that answer a question about finished games. Raises NotRead."""
        ...

    async def check(self) -> None:
        """Raises NotWritten if nothing can be saved now, JournalBroken if another server has the database.

        A check may rely on a recent success.
        """

    async def close(self) -> None: ...
