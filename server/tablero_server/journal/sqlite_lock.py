"""The lock on an SQLite file, and what is remembered beside it: which run of a server had it last.

Law: a copy of the database does not share this memory. So a copy in the place of the file is noticed.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

try:
    import fcntl
except ImportError:  # Windows, where a file that is in use cannot be renamed
    fcntl = None  # type: ignore[assignment]

from .journal import BadDatabase

PRIVATE = 0o600
"""The mode of the files: they have seeds of running games, chat and codes."""

_FAR_AWAY = 1 << 62
"""The byte of the database that stands for all of it. SQLite locks others, and writes none so far away."""


_NONE = ""
"""The stamp of a database that has none yet."""


class Life(NamedTuple):
    """One life of a server on a database, as the database and the lock tell of it."""

    stamp: str | None = None
    state: str | None = None
    """`begins`, `runs` or `stopped`."""


class Lock:
    """Held until it is closed, which has to come after every connection of this process to the database."""

    def __init__(self, path: Path) -> None:
        """Raises BadDatabase if another process has it."""
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
        """Holds the database, which must exist, by any of its names.

        SQLite lets go of it when it unlocks a file that is not yet in WAL mode: then it has to be held again.
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
        """Whether it is the stamp that the last server left in the database."""
        return (stamp or _NONE) in (self.run.stamp or _NONE, self._before)

    def begin(self, run: Life) -> None:
        """Allows the database to have either its old stamp or that of `run`."""
        self._write(run, self.run.stamp or _NONE)

    def done(self, run: Life) -> None:
        """The database has `run` now."""
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
    """Creates the file as private from its first byte on; SQLite's other files follow it."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, PRIVATE))


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary error code; 0 if the error is the module's own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
