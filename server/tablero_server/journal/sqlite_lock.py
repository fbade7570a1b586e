"""The lock on an SQLite file, and a note beside the file that says which run of a server used it last.

Law: a copy of the database does not include this note. So a copy in the place of the file is noticed.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

try:
    import fcntl
except ImportError:  # on Windows a file in use cannot be renamed
    fcntl = None  # type: ignore[assignment]

from .journal import BadDatabase

PRIVATE = 0o600
"""The mode of the files: they contain seeds of running games, chat and codes."""

_FAR_AWAY = 1 << 62
"""The byte at which the database is locked. SQLite locks other bytes, and never writes that far."""


_NONE = ""
"""The stamp of a database that has no stamp yet."""


class Life(NamedTuple):
    """One run of a server on a database, as stored in the database and the lock."""

    stamp: str | None = None
    state: str | None = None
    """`begins`, `runs` or `stopped`."""


class Lock:
    """A lock that is held until it is closed. All connections of this process to the database must be closed
    before.
    """

    def __init__(self, path: Path) -> None:
        """Takes the lock. Raises BadDatabase if another process has it."""
        self._path = path
        self._database: int | None = None
        beside = lock_of(path)
        begin_private(beside)
        self._connection = sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._connection.execute("PRAGMA locking_mode = exclusive")
            self._connection.execute("BEGIN EXCLUSIVE")
            self._connection.execute("CREATE TABLE IF NOT EXISTS run (stamp TEXT, state TEXT, before TEXT)")
            self._connection.execute("COMMIT")
            self._read()
        except sqlite3.Error as error:
            self._connection.close()
            if code_of(error) == sqlite3.SQLITE_BUSY:
                raise self._in_use() from None
            if code_of(error) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise BadDatabase(f"{beside} is damaged ({error}). Remove it and start again.") from None
            raise

    def hold_file(self) -> None:
        """Locks the database file, which must exist, also under its other names.

        SQLite drops this lock when it unlocks a file that is not yet in WAL mode; then it must be taken
        again.
        """
        if fcntl is None:
            return
        if self._database is None:
            self._database = os.open(self._path, os.O_RDWR)
        try:
            fcntl.lockf(self._database, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _FAR_AWAY)
        except (BlockingIOError, PermissionError):
            raise self._in_use() from None

    def knows(self, stamp: str | None) -> bool:
        """Whether the last server left this stamp in the database."""
        return (stamp or _NONE) in (self.run.stamp or _NONE, self._before)

    def begin(self, run: Life) -> None:
        """Notes that the database may have either its old stamp or that of `run`."""
        self._write(run, self.run.stamp or _NONE)

    def done(self, run: Life) -> None:
        """Notes that the database has the stamp of `run`."""
        self._write(run, None)

    def close(self) -> None:
        self._connection.close()
        if self._database is not None:
            os.close(self._database)

    def _read(self) -> None:
        row = self._connection.execute("SELECT stamp, state, before FROM run").fetchone()
        stamp, state, before = row or (None, None, None)
        self.run, self._before = Life(stamp, state), before

    def _write(self, run: Life, before: str | None) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("DELETE FROM run")
        self._connection.execute("INSERT INTO run VALUES (?, ?, ?)", (*run, before))
        self._connection.execute("COMMIT")
        self.run, self._before = run, before

    def _in_use(self) -> BadDatabase:
        return BadDatabase(
            f"Another Tablero server is using the database {self._path}. "
            "Stop it first, or give this one another database with --database."
        )


def lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def begin_private(path: Path) -> None:
    """Creates the file as private from the start; SQLite's other files get the same mode."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, PRIVATE))


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary error code; 0 if Python's module raised the error."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
