"""The SQLite file: locked, checked, copied and migrated before it is used.

Law: one process opens the file, and one connection of that process writes and checkpoints. SQLite before
3.51.3 can damage a WAL file that two connections write, and Debian 12 has 3.40.1.
"""

from __future__ import annotations

import errno
import glob
import os
import secrets
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import structlog

from . import migrations
from .journal import BadDatabase, newer
from .sqlite_lock import PRIVATE, Life, Lock, begin_private, code_of, lock_of
from .statements import TAKE_OVER

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

_RUNS = "UPDATE meta SET state = 'runs'"

DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def open_file(path: Path, owner: str) -> tuple[sqlite3.Connection, Lock]:
    """A connection to the database in `path` with the newest schema, and the lock. Close the lock last."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and not _size(path) and not lock_of(path).exists():
            raise BadDatabase(_empty(path))
        refuse_what_is_not_ours(path)
        lock = Lock(path)
    except (OSError, sqlite3.Error) as error:
        raise BadDatabase(_cannot_write(path, error)) from None
    try:
        _refuse_what_is_not_whole(path, lock)
        begin_private(path)
        lock.hold_file()
        had_wal = _size(_wal(path)) > 0
        connection = _checked(path)
        try:
            lock.hold_file()
            _begin_run(connection, path, lock, had_wal)
            connection.execute(TAKE_OVER.format(owner="?"), (owner,))
        except BaseException:
            connection.close()
            raise
        return connection, lock
    except (OSError, sqlite3.Error) as error:
        lock.close()
        if isinstance(error, sqlite3.Error) and code_of(error) in DAMAGED:
            raise BadDatabase(_damaged(path, str(error))) from None
        raise BadDatabase(_cannot_write(path, error)) from None
    except BadDatabase:
        lock.close()
        raise


def in_memory() -> sqlite3.Connection:
    """A database in memory, which ends with its connection."""
    connection = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT
    )
    connection.executescript(migrations.upgrade("sqlite"))
    return connection


def close_file(connection: sqlite3.Connection, lock: Lock) -> None:
    """Closes the file, and notes in it that the server stopped properly."""
    stopped = Life(secrets.token_hex(8), "stopped")
    try:
        lock.begin(stopped)
        connection.execute("UPDATE meta SET stamp = ?, state = ?", stopped)
        lock.done(stopped)
    except sqlite3.Error as error:  # then the next start treats the server as killed
        log.warning("could not note that the server stopped", why=str(error))
    connection.close()
    lock.close()


def _refuse_what_is_not_whole(path: Path, lock: Lock) -> None:
    """Refuses an incomplete file before SQLite opens it: SQLite would create an empty database and remove the
    WAL.
    """
    if path.is_file() and path.stat().st_nlink > 1:
        raise BadDatabase(
            f"{path} has a second name (a hard link), and beside that is not what SQLite keeps beside this. "
            f"Remove the other name: `find / -xdev -samefile {path}` finds it."
        )
    if _size(path) or lock.run.stamp is None:
        return  # an empty file without a stamp comes from a first start that was interrupted
    if _size(_wal(path)):
        raise BadDatabase(
            f"{path} is missing or empty, and {_wal(path)} alone is not a database. "
            f"Put {path.name} back, or restore a backup, or move both away to start with an empty one."
        )
    if path.exists():
        raise BadDatabase(_empty(path))


def _begin_run(connection: sqlite3.Connection, path: Path, lock: Lock, had_wal: bool) -> None:
    """Detects a replaced file or a missing WAL, and marks the file as in use.

    The state `begins` is written to the file itself, and the state `runs` only to the WAL. So a file without
    its WAL is recognised as incomplete.
    """
    left = Life(*connection.execute("SELECT stamp, state FROM meta").fetchone())
    if left.state == "begins" and not (lock.run.state == "begins" and lock.knows(left.stamp)):
        raise BadDatabase(
            f"{path} is not whole: its server was killed, and what it wrote last is in {_wal(path)}, "
            "which is missing. Put that file back, or restore a backup. To go on without it, say: "
            f'sqlite3 {path} "{_RUNS}"'
        )
    copied = not lock.knows(left.stamp) or (left.state == "runs" and not had_wal)
    if copied:
        log.warning("a copy was put in the place of the database", file=str(path))
    begins = Life(secrets.token_hex(8), "begins")
    lock.begin(begins)
    connection.execute(
        "UPDATE meta SET stamp = ?, state = ?, restored = (restored OR ?) "
        "AND EXISTS (SELECT * FROM room WHERE closed_at IS NULL)",
        (*begins, copied),
    )
    # After a failed fsync, the last changes may be only in memory, so they are synced before anything is
    # read.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.execute(_RUNS)
    lock.done(begins._replace(state="runs"))


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _size(path: Path) -> int:
    """The size of a file; 0 if it does not exist."""
    return path.stat().st_size if path.exists() else 0


def _checked(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT
    )
    try:
        [(report,)] = connection.execute("PRAGMA quick_check(1)")
        if report != "ok":
            raise BadDatabase(_damaged(path, report))
        revision = revision_of(connection, path)
        _keep_private(path)
        if revision != migrations.newest():
            if revision:
                _copy(connection, path.with_name(f"{path.name}.before-{migrations.newest():04}"))
            # The application id must be in the file itself, so this happens before the WAL exists.
            connection.executescript(f"BEGIN IMMEDIATE;\n{migrations.upgrade('sqlite', revision)}\nCOMMIT;")
        for name, value in _PRAGMAS.items():
            connection.execute(f"PRAGMA {name} = {value}")
    except BaseException:
        connection.close()
        raise
    return connection


def revision_of(connection: sqlite3.Connection, path: Path) -> int:
    """The revision of the tables; 0 if there are none. Raises BadDatabase if a newer program made them."""
    revision: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if revision > migrations.newest():
        raise newer(str(path), revision)
    return revision


def is_of_another(path: Path) -> bool:
    """Whether the file is an SQLite database of another program. SQLite is not used, because opening might
    change the file.
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return False
    return header.startswith(b"SQLite format 3\0") and header[68:72] != b"tabl"


def refuse_what_is_not_ours(path: Path) -> None:
    """Raises BadDatabase for a file of another program, which is not changed."""
    if is_of_another(path):
        files = [
            path.with_name(f"{path.name}{ending}") for ending in ("", "-journal", "-wal", "-shm", ".lock")
        ]
        here = " ".join(shlex.quote(str(each)) for each in files if each.exists())
        aside = shlex.quote(str(path.with_name(f"{path.stem}-old")))
        raise BadDatabase(
            f"{path} was made by another program or an unreleased Tablero: put it aside with "
            f"`mkdir {aside} && mv {here} {aside}`, or name another file with TABLERO_DATABASE."
        )


def _copy(connection: sqlite3.Connection, copy: Path) -> None:
    """Copies the whole database, or nothing if the copy is interrupted. An earlier copy is replaced."""
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    begin_private(unfinished)
    with closing(sqlite3.connect(unfinished)) as target:
        connection.backup(target)
    unfinished.replace(copy)


def _keep_private(path: Path) -> None:
    """Makes files private that an older server left readable for all users."""
    beside = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm", ".lock")]
    for each in (path, *beside, *path.parent.glob(f"{glob.escape(path.name)}.before-*")):
        try:
            each.chmod(PRIVATE)
        except FileNotFoundError:
            pass
        except OSError as error:
            log.warning("other users can read a private file", file=str(each), why=error.strerror)


def _empty(path: Path) -> str:
    return (
        f"{path} is empty, which no database is. "
        "Put a copy in its place, or remove it to start with an empty one."
    )


def _damaged(path: Path, why: str) -> str:
    return (
        f"{path} is not a sound database ({why}). Put a copy in its place, "
        "or move it away to start with an empty one."
    )


def _cannot_write(path: Path, error: Exception) -> str:
    """A sentence that tells the host what to do, with the command."""
    if isinstance(error, sqlite3.Error) and code_of(error) == sqlite3.SQLITE_FULL:
        return f"Cannot write the database {path}: {error}. Make room on its disk and start again."
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if not hasattr(os, "geteuid") or (isinstance(error, OSError) and error.errno == errno.EROFS):
        return f"Cannot write the database {path}: {why}. Choose another file with --database."
    me = os.geteuid()
    return (
        f"Cannot write the database {path}: {why}. The server runs as uid {me}: "
        f"give it the folder with `chown -R {me} {path.parent}`, or choose another file with --database."
    )
