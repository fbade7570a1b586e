"""The databases on which the tests of journals run, and functions to read behind a journal."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol

import asyncpg
import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Entry, Placing
from tablero_server.journal import BadDatabase, open_journal
from tablero_server.journal.journal import Journal
from tablero_server.journal.questions import Question
from tablero_server.journal.rows import placings_from
from tablero_server.journal.schema import PLAYED
from tests.harness.desk import Desk

STANDARD = "postgresql://postgres@127.0.0.1:5432/postgres"


async def _lets_us_in(url: str) -> bool:
    """Whether a PostgreSQL server answers there and would allow a new schema. Nothing is changed."""
    try:
        connection = await asyncpg.connect(url, timeout=2)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        return False
    try:
        may = "SELECT has_database_privilege(current_database(), 'CREATE')"
        return bool(await connection.fetchval(may))
    finally:
        await connection.close()


POSTGRES = os.environ.get("TABLERO_TEST_POSTGRES") or (
    STANDARD if asyncio.run(_lets_us_in(STANDARD)) else None
)
"""The URL of PostgreSQL: a named one must work, one on the standard port is used if it allows a
new schema.
"""
NOT_ON_POSTGRES = (
    f"The journal's suite did not run on PostgreSQL: {STANDARD} would have to let us in, "
    "or TABLERO_TEST_POSTGRES to name another."
)


PLACINGS = f"SELECT {', '.join(PLAYED)} FROM played ORDER BY at, room, seat"


class Place(Protocol):
    async def open(self) -> Journal: ...

    async def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Runs a statement on another connection. Returns its rows."""
        ...

    async def placings(self) -> list[Placing]: ...


class Sqlite:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "games" / "tablero.db"
        self.path.parent.mkdir(exist_ok=True)
        self.url = f"sqlite:///{self.path}"

    async def open(self) -> Journal:
        return await open_journal(self.url)

    async def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(sql).fetchall()

    async def placings(self) -> list[Placing]:
        return await placings_in(self)

    def forget_lock(self) -> None:
        """Removes the lock so that a second server can start, which no host should do."""
        self.path.with_name("tablero.db.lock").unlink()


class Postgres:
    def __init__(self, server: str, schema: str) -> None:
        self.schema = schema
        self.url = f"{server}{'&' if '?' in server else '?'}search_path={schema}"

    async def open(self) -> Journal:
        return await open_journal(self.url)

    async def ask(self, sql: str) -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(self.url)
        try:
            return list(map(tuple, await connection.fetch(sql)))
        finally:
            await connection.close()

    async def script(self, sql: str) -> None:
        """Runs any number of statements."""
        connection = await asyncpg.connect(self.url)
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    async def placings(self) -> list[Placing]:
        return await placings_in(self)

    def forget_lock(self) -> None:
        """Does nothing: there is no lock. Only ownership keeps two servers apart."""


async def placings_in(place: Place) -> list[Placing]:
    return list(placings_from(await place.ask(PLACINGS)))


@asynccontextmanager
async def a_schema() -> AsyncIterator[Postgres]:
    """A new schema, dropped at the end."""
    assert POSTGRES is not None
    place = Postgres(POSTGRES, f"tablero_test_{token_hex(6)}")
    await place.ask(f"CREATE SCHEMA {place.schema}")
    try:
        yield place
    finally:
        await place.ask(f"DROP SCHEMA {place.schema} CASCADE")


def commands(desk: Desk, room: str) -> list[Effects]:
    """A room's log as separate effects, one for each entry."""
    return [Effects([entry]) for entry in desk.journal[room]]


async def why_not(url: str) -> str:
    """The sentence with which a database is refused."""
    with pytest.raises(BadDatabase) as caught:
        await open_journal(url)
    return str(caught.value)


NOT_OURS = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32)); INSERT INTO alembic_version VALUES ('0008');"
    "CREATE TABLE meta (lineage TEXT); INSERT INTO meta VALUES ('first');"
    "CREATE TABLE player (id TEXT, name TEXT); INSERT INTO player VALUES ('ann0', 'ann');"
)
"""Tables of an unreleased Tablero, as far as they matter."""


def made_before(path: Path) -> dict[str, bytes]:
    """Makes a database of an unreleased Tablero as after a kill. Returns its files, with the last row in the
    WAL.
    """
    running = path.with_name("running.db")
    with closing(sqlite3.connect(running)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.executescript(NOT_OURS)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("INSERT INTO player VALUES ('rob0', 'rob')")
        connection.commit()
        left = {end: Path(f"{running}{end}").read_bytes() for end in ("", "-wal")}
    running.unlink()
    for end, content in left.items():
        path.with_name(f"{path.name}{end}").write_bytes(content)
    return contents_of(path.parent)


def contents_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n{0}) SELECT count(*) FROM n"
FOR_EVER = Question(_NUMBERS.format(""), ())


def beside(place: Sqlite, ending: str) -> Path:
    return place.path.with_name(f"{place.path.name}{ending}")


async def restored(place: Sqlite) -> bool:
    """Whether the next start notices a restored backup."""
    journal = await place.open()
    noticed = (await journal.load()).restored
    await journal.close()
    return noticed


async def read_logs(database: str, rooms: Sequence[str]) -> dict[str, list[Entry]]:
    journal = await open_journal(database)
    try:
        return {room: await journal.log(room) for room in rooms}
    finally:
        await journal.close()
