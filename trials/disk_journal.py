"""The server's own SQLite journal on a disk of trials/disk.py, with apsw in place of Python's module.

Python's module cannot use a VFS, so apsw replaces the few calls that the journal makes. Everything else is
the journal's own code: the pragmas, the schema, the statements, the meaning of errors.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import apsw

from tablero_server.journal import sqlite_file, sqlite_lock
from tablero_server.journal.sqlite import SqliteJournal

from .disk import Disk

_PRAGMA = re.compile(r"PRAGMA (\w+) = (\S+)")


class Cursor:
    """A cursor with the rows that were read and the number of changed rows."""

    def __init__(self, rows: list[tuple[Any, ...]], rowcount: int) -> None:
        self._rows = iter(rows)
        self.rowcount = rowcount

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._rows

    def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self._rows)

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)


class Connection:
    """sqlite3.Connection, as far as the journal needs it. `pragmas` replaces the values that the journal
    sets.
    """

    def __init__(self, path: str, disk: Disk, pragmas: Mapping[str, str]) -> None:
        self._pragmas = pragmas
        with _errors_translated():
            self._connection = apsw.Connection(path, vfs=disk.name)

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def execute(self, sql: str, given: Sequence[Any] = ()) -> Cursor:
        if pragma := _PRAGMA.fullmatch(sql):
            name, value = pragma.groups()
            value = self._pragmas.get(name, value)
            if name == "wal_autocheckpoint":
                self._connection.set_wal_hook(partial(_checkpoint, int(value)))
                return Cursor([], 0)
            sql = f"PRAGMA {name} = {value}"
        with _errors_translated():
            rows = list(self._connection.execute(sql, tuple(given)))
            return Cursor(rows, self._connection.changes())

    def executescript(self, script: str) -> None:
        self.execute(script)

    def close(self) -> None:
        with _errors_translated():
            self._connection.close()


def _checkpoint(pages: int, connection: apsw.Connection, name: str, frames: int) -> int:
    """SQLite's default hook after a commit. It ignores all errors, which apsw would raise from the COMMIT."""
    if frames >= pages:
        with suppress(apsw.Error):
            connection.wal_checkpoint(name)
    return apsw.SQLITE_OK


async def open_on(
    disk: Disk, path: Path, owner: str, pragmas: Mapping[str, str] | None = None
) -> SqliteJournal:
    made: list[Connection] = []

    def connect(database: object, **_: object) -> Connection:
        made.append(Connection(str(database), disk, pragmas or {}))
        return made[-1]

    stand_in = SimpleNamespace(**{**vars(sqlite3), "connect": connect})
    with patch.object(sqlite_file, "sqlite3", stand_in), patch.object(sqlite_lock, "sqlite3", stand_in):
        try:
            return await SqliteJournal.opened(path, owner)
        except BaseException:
            with disk.killed():
                for connection in made:
                    connection.close()
            raise


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        constraint = isinstance(error, apsw.ConstraintError)
        theirs = sqlite3.IntegrityError(str(error)) if constraint else sqlite3.OperationalError(str(error))
        theirs.sqlite_errorcode = getattr(error, "extendedresult", 0)
        raise theirs from error
