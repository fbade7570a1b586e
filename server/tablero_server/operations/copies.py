"""`tablero backup` and `tablero restore`: the choice of the database, the comparison, and the output.

Law: a copy gets its name only after it was compared with the original. Nothing is replaced unless the host
asked for that.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from msgpack import packb

from ..journal.journal import BadDatabase
from ..journal.opening import database_file, without_packages
from ..journal.sqlite_lock import begin_private, code_of
from .configuration import WrongSettings, read_settings
from .database_state import in_words

_BITS = 256
PLAYED = ("player", "room", "record", "played")
"""The tables that must be equal in a backup and its restored copy; tokens and bans may differ."""
NOT_COMPARED = {"room": ("owner_epoch", "owner")}
"""Columns that say which server has a room: every start changes them, and so does a restore in PostgreSQL."""


class TableSum:
    """A checksum of one table's rows, independent of their order."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, row: bytes) -> None:
        self.count += 1
        self._sum = (self._sum + int.from_bytes(sha256(row).digest(), "big")) % (1 << _BITS)

    def digest(self) -> bytes:
        return self._sum.to_bytes(_BITS // 8, "big")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSum) and (self.count, self._sum) == (other.count, other._sum)

    __hash__ = None  # type: ignore[assignment]  # it changes


Contents = Mapping[str, TableSum]


def sums_of(connection: sqlite3.Connection, tables: Iterable[str]) -> dict[str, TableSum]:
    """The checksums of those tables that exist."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    contents = {}
    for table in tables:
        if table in there:
            contents[table] = TableSum()
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            compared = ", ".join(f'"{name}"' for name in columns if name not in NOT_COMPARED.get(table, ()))
            for row in connection.execute(f"SELECT {compared} FROM {table}"):  # noqa: S608 - our own names
                contents[table].add(packb(row))
    return contents


def played(contents: Contents) -> dict[str, TableSum]:
    return {table: contents[table] for table in PLAYED if table in contents}


def fingerprint(contents: Contents) -> str:
    """A hash of players, rooms, logs and results. Copies with equal contents have the same hash."""
    whole = sha256()
    for table, rows in played(contents).items():
        whole.update(table.encode() + b"\0" + rows.digest())
    return whole.hexdigest()[:32]


def told(contents: Contents) -> str:
    return in_words({table: rows.count for table, rows in contents.items()})


_SQLITE, _POSTGRES = b"SQLite format 3\0", b"PGDMP"


class NoCopy(Exception):
    """Raised if nothing was copied or replaced; the message says why, and what to do."""


@dataclass(frozen=True)
class Restored:
    contents: Contents
    aside: str = ""
    """The path of the replaced database."""
    ended: tuple[str, ...] = ()
    """Players with tokens in the backup that have ended since. These tokens stay ended."""
    bans: int = 0
    """The number of bans and mutes taken from the replaced database. Sanctions lifted since the backup stay
    lifted.
    """
    unknown: bool = False
    """Whether it is unknown which tokens ended and which bans changed since the backup."""


def backup(file: Path, database: str | None, *, replace: bool, as_json: bool) -> tuple[int, str]:
    """Makes a backup. Returns the exit code and the output."""
    try:
        url = read_settings(database=database).database
        if file.exists() and not replace:
            raise NoCopy(f"{file} is there already. Say --replace, or choose another file.")
        contents = _back_up(url, file)
    except (WrongSettings, BadDatabase, NoCopy) as why:
        return 1, str(why)
    except ModuleNotFoundError as missing:
        return 1, str(without_packages(missing))
    except OSError as error:
        return 1, f"Cannot write {file}: {error.strerror}."
    what, mark = told(contents), fingerprint(contents)
    if as_json:
        return 0, _as_json(file, contents)
    return 0, f"{file}: {what}. Compared with the database row by row; fingerprint {mark}."


def restore(file: Path, database: str | None, *, replace: bool, as_json: bool) -> tuple[int, str]:
    """Replaces the database with a backup. Returns the exit code and the output."""
    try:
        url = read_settings(database=database).database
        done = _restore(url, file, replace=replace)
    except (WrongSettings, BadDatabase, NoCopy) as why:
        return 1, str(why)
    except ModuleNotFoundError as missing:
        return 1, str(without_packages(missing))
    if as_json:
        more = {"aside": done.aside, "ended": list(done.ended), "bans": done.bans, "unknown": done.unknown}
        return 0, _as_json(file, done.contents, **more)
    return 0, "\n".join(_sentences(file, done))


@contextmanager
def being_made(file: Path) -> Iterator[Path]:
    """A private temporary file for a copy. It is removed, unless it was put in place."""
    copy = unfinished(file)
    try:
        copy.unlink(missing_ok=True)
        begin_private(copy)
        yield copy
    except sqlite3.Error as error:
        full = code_of(error) == sqlite3.SQLITE_FULL
        what = "Make room on its disk." if full else "Say `tablero doctor` for what is wrong."
        raise NoCopy(f"Cannot write {file}: {error}. {what}") from None
    except OSError as error:
        raise NoCopy(f"Cannot write {file}: {error.strerror}.") from None
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                copy.with_name(f"{copy.name}{end}").unlink(missing_ok=True)


def unfinished(file: Path) -> Path:
    return file.with_name(f"{file.name}.unfinished")


def put_in_place(copy: Path, file: Path) -> None:
    """Gives a complete copy its name, so that it survives a power cut."""
    _sync(copy)
    copy.replace(file)
    if os.name == "posix":
        _sync(file.parent)


def _back_up(url: str, file: Path) -> Contents:
    if url == "memory":
        raise NoCopy("A server in memory keeps nothing that could be copied.")
    if not file.absolute().parent.is_dir():
        raise NoCopy(f"There is no folder {file.absolute().parent}.")
    if (path := database_file(url)) is not None:
        from .sqlite_copies import back_up

        return back_up(path, file)
    from .postgres_copies import back_up_postgres

    return asyncio.run(back_up_postgres(url, file))


def _restore(url: str, file: Path, *, replace: bool) -> Restored:
    if url == "memory":
        raise NoCopy("A server in memory keeps nothing. Name a database by --database.")
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(_SQLITE))
    except OSError as error:
        raise NoCopy(f"Cannot read {file}: {error.strerror}.") from None
    path = database_file(url)
    if path is not None and begins == _SQLITE:
        from .sqlite_copies import put_back

        return put_back(file, path, replace=replace)
    if path is None and begins.startswith(_POSTGRES):
        from .postgres_copies import put_back_postgres

        return asyncio.run(put_back_postgres(file, url, replace=replace))
    if begins == _SQLITE or begins.startswith(_POSTGRES):
        kind = "SQLite" if begins == _SQLITE else "PostgreSQL"
        raise NoCopy(f"{file} is a backup of a {kind} database; name one by --database.")
    raise NoCopy(f"{file} is no backup: `tablero backup FILE` makes one.")


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _as_json(file: Path, contents: Contents, **more: object) -> str:
    rows = {table: each.count for table, each in contents.items()}
    return json.dumps({"file": str(file), "rows": rows, "fingerprint": fingerprint(contents), **more})


def _sentences(file: Path, done: Restored) -> list[str]:
    said = [
        f"Restored from {file}: {told(done.contents)}; fingerprint {fingerprint(done.contents)}.",
        "Open rooms are as they were in the backup; players see this when they come back.",
    ]
    if done.aside:
        said.append(f"The old database is now {done.aside}.")
    if done.unknown:
        said.append(
            "Tokens, bans and mutes are as they were in the backup; later changes to them are lost. "
            "Check them with `tablero admin list`."
        )
    else:
        names = f" ({', '.join(done.ended)})" if done.ended else ""
        said.append(
            f"As before the restore: {done.bans} bans and mutes. "
            f"Tokens that ended since the backup{names} stay invalid."
        )
    said.append("Codes for another device are not in backups.")
    return said
