"""The file that SQLite keeps everything in: locked, checked, copied and brought up to date before it is used.

Law: one process opens it, and one connection of that process writes and checkpoints. SQLite before 3.51.3 can
damage a WAL file that two connections write, and Debian 12 has 3.40.1.
"""

from __future__ import annotations

import glob
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import structlog

from . import migrations
from .trouble import BadDatabase, newer

log = structlog.get_logger("tablero.journal")

_PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "wal_autocheckpoint": "1000",
    "busy_timeout": "5000",
    "foreign_keys": "on",
    "cache_size": "-4000",
}

STATEMENTS_KEPT = 256

_PRIVATE = 0o600
"""Seeds of games that are not over, chat and codes are in these files."""

DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def open_file(
    path: Path, lineage: Callable[[], tuple[str, int]], folder: Path = migrations.FOLDER
) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """A connection to the newest schema in `path`, and one that is the lock: close it last."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock(path)
        _begin_private(path)
    except (OSError, sqlite3.Error) as error:
        raise BadDatabase(_cannot_write(path, error)) from None
    try:
        return _checked(path, lineage, folder), lock
    except sqlite3.Error as error:
        lock.close()
        if code_of(error) in DAMAGED:
            raise BadDatabase(_damaged(path, str(error))) from None
        raise BadDatabase(_cannot_write(path, error)) from None
    except BadDatabase:
        lock.close()
        raise


def _lock(path: Path) -> sqlite3.Connection:
    """A lock on a file beside `path`: by SQLite's own means, so that it is one on every system."""
    _begin_private(path.with_name(f"{path.name}.lock"))
    lock = sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if code_of(error) == sqlite3.SQLITE_BUSY:
            raise BadDatabase(
                f"Another Tablero server is using the database {path}. "
                "Stop it first, or give this one a database of its own with --database."
            ) from None
        raise
    return lock


def _checked(path: Path, lineage: Callable[[], tuple[str, int]], folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT
    )
    try:
        [(report,)] = connection.execute("PRAGMA quick_check(1)")
        if report != "ok":
            raise BadDatabase(_damaged(path, report))
        revision = _revision(connection, path, folder)
        _keep_private(path)  # only now: a file of somebody else's stays as it is
        for name, value in _PRAGMAS.items():
            connection.execute(f"PRAGMA {name} = {value}")
        if revision != migrations.newest(folder):
            if revision is not None:
                _copy(connection, path.with_name(f"{path.name}.before-{migrations.newest(folder)}"))
            script = migrations.upgrade("sqlite", revision, folder=folder)
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nCOMMIT;")
        if connection.execute("SELECT count(*) FROM meta").fetchone() == (0,):
            connection.execute("INSERT INTO meta (lineage, created) VALUES (?, ?)", lineage())
        # If the last fsync failed, what was written is in memory alone: it is synced before anything is read.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _revision(connection: sqlite3.Connection, path: Path, folder: Path) -> str | None:
    """Of the schema; None where there is nothing at all."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables:
        return None
    if "alembic_version" not in tables or "record" not in tables:
        raise BadDatabase(f"{path} is the database of another program. Choose another file with --database.")
    revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if revision is None:
        raise BadDatabase(_damaged(path, "it does not say of which version it is"))
    if not migrations.is_known(revision[0], folder):
        raise BadDatabase(newer(str(path), "restore the copy that was made before it was updated"))
    return str(revision[0])


def _copy(connection: sqlite3.Connection, copy: Path) -> None:
    """All of it, whole even if this ends halfway; a copy from an earlier try is replaced."""
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    _begin_private(unfinished)
    with closing(sqlite3.connect(unfinished)) as target:
        connection.backup(target)
    unfinished.replace(copy)


def _begin_private(path: Path) -> None:
    """A file that is not there yet is its owner's alone from its first byte on; SQLite's others follow it."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, _PRIVATE))


def _keep_private(path: Path) -> None:
    """What an older server left behind for everybody to read, too."""
    beside = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm", ".lock")]
    for each in (path, *beside, *path.parent.glob(f"{glob.escape(path.name)}.before-*")):
        try:
            each.chmod(_PRIVATE)
        except FileNotFoundError:
            pass
        except OSError as error:
            log.warning("others may read what is private", file=str(each), why=error.strerror)


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary error code; 0 where the module itself complains."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _damaged(path: Path, why: str) -> str:
    return (
        f"{path} is not a sound database ({why}). Put a copy in its place, "
        "or move it away to start with an empty one."
    )


def _cannot_write(path: Path, error: Exception) -> str:
    """What a host has to do, down to the command."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if not hasattr(os, "geteuid"):
        return f"Cannot write the database {path}: {why}. Choose another file with --database."
    me = os.geteuid()
    return (
        f"Cannot write the database {path}: {why}. The server runs as uid {me}: "
        f"give it the folder with `chown -R {me} {path.parent}`, or choose another file with --database."
    )
