"""Backups of an SQLite database: made even while a server uses it, and restored only while none does."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from ..journal.sqlite_file import is_of_another, refuse_what_is_not_ours, revision_of
from ..journal.sqlite_lock import Lock
from .copies import Contents, NoCopy, Restored, TableSum, being_made, played, put_in_place, sums_of
from .database_state import COUNTED, in_words, numbers_in, read_only

_TABLES = (*COUNTED, "meta")


def back_up(path: Path, file: Path) -> Contents:
    """Copies the database at `path` at one moment, and compares the copy. Raises NoCopy."""
    if not path.exists():
        raise NoCopy(f"There is no database {path}.")
    if file.exists() and file.samefile(path):
        raise NoCopy(f"{file} is the database itself. Choose another file.")
    refuse_what_is_not_ours(path)
    with being_made(file) as copy:
        with closing(read_only(path)) as source, closing(sqlite3.connect(copy)) as target:
            if not revision_of(source, path):
                raise NoCopy(f"{path} is empty.")
            source.execute("BEGIN")  # the copy and the comparison see the same moment
            expected = sums_of(source, _TABLES)
            source.backup(target)
            source.execute("ROLLBACK")
            target.execute("PRAGMA journal_mode = delete")
        _compare(copy, expected)
        put_in_place(copy, file)
    return {table: rows for table, rows in expected.items() if table in COUNTED}


def put_back(file: Path, path: Path, *, replace: bool) -> Restored:
    """Replaces the database at `path`, and keeps the old one. Raises NoCopy, or BadDatabase if a server uses
    it.
    """
    expected = _sound(file)
    if file.exists() and path.exists() and file.samefile(path):
        raise NoCopy(f"{file} is the database itself.")
    refuse_what_is_not_ours(path)
    _ask_first(path, replace=replace)
    lock = Lock(path)
    try:
        if path.exists():
            lock.hold_file()
        with being_made(path) as copy:
            with closing(_at_rest(file)) as source, closing(_writable(copy)) as target:
                source.backup(target)
                ended, bans, known = _as_now(target, path)
                target.execute(
                    "UPDATE meta SET stamp = ?, state = 'stopped', "
                    "restored = EXISTS (SELECT * FROM room WHERE closed_at IS NULL)",
                    (secrets.token_hex(8),),
                )
                target.execute("PRAGMA journal_mode = delete")
            contents = _sound(copy)
            if played(contents) != played(expected):
                raise NoCopy(f"{copy} differs from {file}; {path} is as it was.")
            aside = _put_aside(path)
            put_in_place(copy, path)
    finally:
        lock.close()
    kept = {table: rows for table, rows in contents.items() if table in COUNTED}
    return Restored(kept, aside, ended, bans, unknown=not known)


def _writable(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None)


def _compare(copy: Path, expected: Contents) -> None:
    if _sound(copy) != expected:
        raise NoCopy(f"{copy} is not what the database holds.")


def _sound(file: Path) -> dict[str, TableSum]:
    """The checksums of an unused database. Raises NoCopy if it is damaged, or not ours."""
    if is_of_another(file):
        raise NoCopy(f"{file} is no backup: another program or an unreleased Tablero made it.")
    try:
        with closing(_at_rest(file)) as connection:
            [(report,)] = connection.execute("PRAGMA integrity_check(1)")
            if report != "ok":
                raise NoCopy(f"{file} is damaged ({report}). Take another backup.")
            revision_of(connection, file)
            return sums_of(connection, _TABLES)
    except sqlite3.Error as error:
        raise NoCopy(f"{file} is damaged ({error}). Take another backup.") from None


def _at_rest(file: Path) -> sqlite3.Connection:
    """A connection to an unused file, even on a read-only disk, where SQLite can't create files beside it."""
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size:
        return read_only(file)
    return sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True, isolation_level=None)


def _ask_first(path: Path, *, replace: bool) -> None:
    """Refuses to replace a good database without `replace`; a damaged database may be replaced."""
    if replace or not path.exists():
        return
    with suppress(sqlite3.Error), closing(read_only(path)) as connection:
        if any((numbers := numbers_in(connection)).values()):
            raise NoCopy(f"{path} has {in_words(numbers)}. Say --replace to put the backup in its place.")


def _as_now(target: sqlite3.Connection, present: Path) -> tuple[tuple[str, ...], int, bool]:
    """Copies tokens and bans from the database that is replaced, if the backup has the same lineage.

    Returns the names of players with tokens that have ended since, the number of bans, and whether both are
    known.
    """
    if not present.exists():
        return (), 0, False
    try:
        target.execute("ATTACH ? AS present", (f"{present.as_uri()}?mode=ro",))
        there, here = (
            target.execute(f"PRAGMA {name}.user_version").fetchone() for name in ("present", "main")
        )
        if there != here or target.execute(_IS_THE_SAME).fetchone() != (1,):
            return (), 0, False
        target.execute("BEGIN IMMEDIATE")
        ended = tuple(name for (name,) in target.execute(_ENDED))
        target.execute("DELETE FROM token")
        target.execute(
            "INSERT INTO token SELECT * FROM present.token WHERE player IN (SELECT id FROM player)"
        )
        target.execute("DELETE FROM sanction")
        bans = target.execute("INSERT INTO sanction SELECT * FROM present.sanction").rowcount
        target.execute("COMMIT")
    except sqlite3.Error:  # a damaged or older database can't tell
        if target.in_transaction:
            target.execute("ROLLBACK")
        return (), 0, False
    finally:
        with suppress(sqlite3.Error):
            target.execute("DETACH present")
    return ended, bans, True


_IS_THE_SAME = "SELECT (SELECT lineage FROM meta) = (SELECT lineage FROM present.meta)"
_ENDED = (
    "SELECT DISTINCT player.name FROM token JOIN player ON player.id = token.player "
    "WHERE token.hash NOT IN (SELECT hash FROM present.token) ORDER BY player.name"
)


def _put_aside(path: Path) -> str:
    """Adds a second name for the replaced database. The first name stays until the copy takes it."""
    if not path.exists():
        return ""
    with suppress(sqlite3.Error), closing(_writable(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    when = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    aside = path.with_name(f"{path.name}.before-restore-{when}")
    for end in ("-wal", "-shm"):
        beside = path.with_name(f"{path.name}{end}")
        if beside.exists():
            beside.replace(aside.with_name(f"{aside.name}{end}"))
    os.link(path, aside)
    return str(aside)
