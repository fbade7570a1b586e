"""Reads the contents of a database without changing it: for `tablero doctor`, and to compare copies."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..journal import migrations
from ..journal.journal import BadDatabase
from ..journal.opening import database_file, without_packages
from ..journal.sqlite_file import refuse_what_is_not_ours, revision_of

if TYPE_CHECKING:
    import asyncpg

_SECONDS = 10.0

COUNTED = ("player", "token", "room", "record", "played", "sanction", "mute")
_WORDS = {
    "player": ("player", "players"),
    "token": ("token", "tokens"),
    "room": ("room", "rooms"),
    "record": ("entry", "entries"),
    "played": ("result", "results"),
    "sanction": ("ban or mute", "bans and mutes"),
    "mute": ("player not heard by another", "players not heard by others"),
}


@dataclass(frozen=True)
class DatabaseState:
    place: str
    revision: int = 0
    newest: int = 0
    """The time of the newest entry, in milliseconds."""
    numbers: dict[str, int] = field(default_factory=dict)
    """The number of rows by table."""
    wrong: str = ""
    do: str = ""
    copied_before: str = ""

    @property
    def outdated(self) -> bool:
        return self.revision != migrations.newest()

    def counts(self) -> str:
        return in_words(self.numbers)


def in_words(numbers: dict[str, int]) -> str:
    """The numbers as text, such as "1 player, 2 rooms"."""
    return ", ".join(f"{number:,} {_WORDS[table][number != 1]}" for table, number in numbers.items())


def state_of(url: str) -> DatabaseState | None:
    """The state of the database at `url`, written as in TABLERO_DATABASE. None if there is none yet. Raises
    BadDatabase.
    """
    if url == "memory":
        return None
    if (file := database_file(url)) is not None:
        return _state_of_file(file)
    try:
        return asyncio.run(_state_of_postgres(url))
    except ModuleNotFoundError as missing:
        raise without_packages(missing) from None


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that neither writes nor checkpoints, so that a server may use the file at the
    same time.
    """
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)


def numbers_in(connection: sqlite3.Connection) -> dict[str, int]:
    """The number of rows in each table that this revision has."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own names
        for table in COUNTED
        if table in there
    }


def _state_of_file(path: Path) -> DatabaseState | None:
    place = str(path)
    if not path.exists():
        return None
    if not os.access(path, os.R_OK | os.W_OK):
        me = os.geteuid() if hasattr(os, "geteuid") else "you"
        return DatabaseState(place, wrong=f"{path} is not yours (uid {me}).", do=f"Say: chown {me} {path}*")
    try:
        refuse_what_is_not_ours(path)
        with closing(read_only(path)) as connection:
            [(report,)] = connection.execute("PRAGMA quick_check(1)")
            if report != "ok":
                raise sqlite3.DatabaseError(report)
            revision = revision_of(connection, path)
            if not revision:
                wrong = f"{path} is empty, which no database is."
                return DatabaseState(place, wrong=wrong, do="Restore a backup, or remove it to start anew.")
            newest = connection.execute("SELECT max(at) FROM record").fetchone()[0] or 0
            copied = f", after a copy to {path.name}.before-{migrations.newest():04}"
            return DatabaseState(place, revision, newest, numbers_in(connection), copied_before=copied)
    except BadDatabase as bad:
        return DatabaseState(place, wrong=str(bad))
    except sqlite3.Error as error:
        wrong = f"{path} is not a sound database ({error})."
        return DatabaseState(place, wrong=wrong, do="Restore a backup: tablero restore FILE.")


async def _state_of_postgres(url: str) -> DatabaseState | None:
    import asyncpg

    from ..journal.postgres import known_revision_in, place_of

    place = f"The database {place_of(url)}"
    try:
        connection = await asyncpg.connect(url, timeout=_SECONDS)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        why = str(error) or "no answer"
        do = "Check that PostgreSQL runs there, and the user, the password and the name."
        return DatabaseState(place, wrong=f"{place} cannot be used: {why}.", do=do)
    try:
        revision = await known_revision_in(connection, url)
        if not revision:
            return None
        newest = await connection.fetchval("SELECT coalesce(max(at), 0) FROM record")
        return DatabaseState(
            place,
            revision,
            newest,
            await numbers_in_postgres(connection),
            copied_before="; make a backup before",
        )
    except BadDatabase as bad:
        return DatabaseState(place, wrong=str(bad))
    finally:
        await connection.close()


async def numbers_in_postgres(connection: asyncpg.Connection) -> dict[str, int]:
    """The number of rows in each table that this revision has."""
    return {
        table: await connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608 - our own names
        for table in COUNTED
        if await connection.fetchval("SELECT to_regclass($1)", table) is not None
    }
