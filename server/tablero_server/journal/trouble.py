"""What can be wrong with a database, beyond `NotWritten`."""

from __future__ import annotations


class BadDatabase(Exception):
    """The server cannot start with this database. The text is for the host: what is wrong, and what to do."""


class JournalBroken(Exception):
    """Nobody knows what is durable now. The process has to end: the next one finds out by reading."""


class Rejected(Exception):
    """The database is well and has refused some rows: the room moved on, or belongs to another server."""


def newer(where: str, revision: int) -> BadDatabase:
    return BadDatabase(
        f"{where} was written by a newer Tablero (schema {revision}). "
        "Update this program, or restore an older backup."
    )
