"""Copies of a PostgreSQL database, made and put back by its own tools, pg_dump, pg_restore and psql.

Law: no password stands on a command line, where others on the machine could read it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg

from ..journal import migrations
from ..journal.postgres import place_of
from ..journal.sqlite_lock import begin_private
from .contents import Contents, TableSum, played
from .copies import NoCopy, Restored, put_in_place, unfinished
from .database_state import COUNTED, in_words
from .postgres_state import numbers_in

_SECONDS = 10.0
_TABLES = (*COUNTED, "result", "meta", "alembic_version")
_OURS_ALONE = {"search_path", "password"}
"""What an address says that the tools would not understand, or must not show."""


@dataclass(frozen=True)
class _Place:
    """A database as the tools take it."""

    url: str
    environment: dict[str, str]
    schema: str

    @classmethod
    def of(cls, url: str, schema: str) -> _Place:
        parts = urlsplit(url)
        asked = dict(parse_qsl(parts.query))
        password = parts.password or asked.get("password", "")
        kept = urlencode({name: value for name, value in asked.items() if name not in _OURS_ALONE})
        user, _, host = parts.netloc.rpartition("@")
        netloc = f"{user.partition(':')[0]}@{host}" if user else host
        environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
        return cls(urlunsplit(parts._replace(netloc=netloc, query=kept)), environment, schema)

    def run(self, *command: str | Path) -> str:
        """What a tool says. Raises NoCopy with what it complains of."""
        if shutil.which(str(command[0])) is None:
            raise NoCopy(f"{command[0]} is missing: install PostgreSQL's client programs.")
        done = subprocess.run(  # noqa: S603 - PostgreSQL's own programs, with arguments of ours
            list(map(str, command)), env=self.environment, capture_output=True, check=False, text=True
        )
        if done.returncode:
            raise NoCopy(f"{command[0]} says: {done.stderr.strip().splitlines()[-1] if done.stderr else '?'}")
        return done.stdout


async def back_up_postgres(url: str, file: Path) -> Contents:
    """A dump of one moment, compared with what the database had at that moment."""
    connection = await _connected(url)
    try:
        place = _Place.of(url, await connection.fetchval("SELECT current_schema()") or "public")
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            raise NoCopy(f"The database {place_of(url)} has nothing of Tablero yet.")
        with _being_made(file) as copy:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                moment = await connection.fetchval("SELECT pg_export_snapshot()")
                tables = [f"--table={place.schema}.{table}" for table in _TABLES]
                await asyncio.to_thread(
                    place.run,
                    *("pg_dump", "--format=custom", f"--snapshot={moment}", f"--file={copy}"),
                    *("--no-owner", "--no-privileges", *tables, f"--dbname={place.url}"),
                )
                expected = await _sums_of(connection)
            if _sums_in(_script(place, copy)) != expected:
                raise NoCopy(f"The dump is not what {place_of(url)} holds.")
            put_in_place(copy, file)
    finally:
        await connection.close()
    return {table: expected[table] for table in COUNTED if table in expected}


async def put_back_postgres(file: Path, url: str, *, replace: bool) -> Restored:
    """All in one transaction: the dump, what was ended or banned since, and that it is a copy.

    A server that still runs there is shut out: its rooms belong to another owner.
    """
    connection = await _connected(url)
    try:
        schema = await connection.fetchval("SELECT current_schema()") or "public"
        place = _Place.of(url, schema)
        script = await asyncio.to_thread(_script, place, file)
        dumped = _sums_in(script)
        _check_dump(file, script, schema)
        there = await numbers_in(connection)
        if any(there.values()) and not replace:
            sentence = "Say --replace to put the backup in its place."
            raise NoCopy(f"The database {place_of(url)} has {in_words(there)}. {sentence}")
        known = await _is_the_same(connection, script)
        ended = await _ended(connection, script) if known else ()
        with TemporaryDirectory() as folder:
            whole = Path(folder) / "restore.sql"
            begin_private(whole)
            whole.write_text(_whole_script(script, schema, known=known), "utf-8")
            await asyncio.to_thread(
                place.run,
                *("psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"),
                *(f"--file={whole}", f"--dbname={place.url}"),
            )
        contents = await _sums_of(connection)
        if contents["room"].count == dumped["room"].count:
            contents["room"] = dumped["room"]  # they differ, for the owner is another one
        if played(contents) != played(dumped):
            raise NoCopy(f"The database {place_of(url)} differs from {file}: do not start a server on it.")
    finally:
        await connection.close()
    bans = contents["sanction"].count if known else 0
    kept = {table: contents[table] for table in COUNTED if table in contents}
    return Restored(kept, "", ended, bans, unknown=not known)


async def _connected(url: str) -> asyncpg.Connection:
    try:
        return await asyncpg.connect(url, timeout=_SECONDS)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        raise NoCopy(f"Cannot use the database {place_of(url)}: {str(error) or 'no answer'}.") from None


@contextmanager
def _being_made(file: Path) -> Iterator[Path]:
    copy = unfinished(file)
    try:
        copy.unlink(missing_ok=True)
        begin_private(copy)
        yield copy
    except OSError as error:
        raise NoCopy(f"Cannot write {file}: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            copy.unlink(missing_ok=True)


def _script(place: _Place, file: Path) -> str:
    return place.run("pg_restore", "--no-owner", "--no-privileges", "--file=-", file)


def _sums_in(script: str) -> dict[str, TableSum]:
    """Of the rows in a dump's script, as the database itself writes them."""
    sums: dict[str, TableSum] = {}
    for table, rows in _copied(script):
        sums[table] = TableSum()
        for row in rows:
            sums[table].add(row.encode())
    return sums


def _copied(script: str) -> Iterator[tuple[str, list[str]]]:
    """Each table of a script with its rows."""
    lines = iter(script.split("\n"))
    for line in lines:
        if line.startswith("COPY ") and line.endswith(" FROM stdin;"):
            table = line.split()[1].rpartition(".")[2]
            rows = []
            while (row := next(lines)) != "\\.":
                rows.append(row)
            yield table, rows


async def _sums_of(connection: asyncpg.Connection) -> dict[str, TableSum]:
    """The same of what the database has."""
    sums: dict[str, TableSum] = {}
    for table in _TABLES:
        if await connection.fetchval("SELECT to_regclass($1)", table) is None:
            continue
        rows = sums[table] = TableSum()
        rest = b""

        async def take(piece: bytes, rows: TableSum = rows) -> None:
            nonlocal rest
            *whole, rest = (rest + piece).split(b"\n")
            for row in whole:
                rows.add(row)

        await connection.copy_from_table(table, output=take)
    return sums


def _check_dump(file: Path, script: str, schema: str) -> None:
    versions = [rows for table, rows in _copied(script) if table == "alembic_version"]
    if not versions or not versions[0]:
        raise NoCopy(f"{file} is the dump of another program.")
    if not migrations.is_known(versions[0][0]):
        raise NoCopy(f"{file} was written by a newer Tablero (schema {versions[0][0]}). Update this program.")
    if f"COPY {schema}.alembic_version " not in script:
        raise NoCopy(
            f"{file} is of another schema than {schema}: name it as ?search_path=NAME in --database."
        )


def _column(script: str, table: str, number: int) -> set[str]:
    return {row.split("\t")[number] for name, rows in _copied(script) if name == table for row in rows}


async def _is_the_same(connection: asyncpg.Connection, script: str) -> bool:
    """Whether the dump is one of the database that it replaces, of the same schema."""
    if await connection.fetchval("SELECT to_regclass('token')") is None:
        return False
    lineage = await connection.fetchval("SELECT lineage FROM meta")
    revision = await connection.fetchval("SELECT version_num FROM alembic_version")
    return {lineage} == _column(script, "meta", 0) and {revision} == _column(script, "alembic_version", 0)


async def _ended(connection: asyncpg.Connection, script: str) -> tuple[str, ...]:
    """Who has tokens in the dump that are gone now."""
    there = {f"\\\\x{row[0].hex()}" for row in await connection.fetch("SELECT hash FROM token")}
    gone = {
        row.split("\t")[1]
        for table, rows in _copied(script)
        if table == "token"
        for row in rows
        if row.split("\t")[0] not in there
    }
    players = [row.split("\t") for table, rows in _copied(script) if table == "player" for row in rows]
    return tuple(sorted(name for id, name, *_ in players if id in gone))


def _whole_script(script: str, schema: str, *, known: bool) -> str:
    before, after = [], []
    if known:
        for table in ("token", "sanction"):
            before.append(f"CREATE TEMP TABLE tablero_{table} AS TABLE {schema}.{table};")
            after.append(f"DELETE FROM {schema}.{table};")  # noqa: S608 - a schema and tables of ours
        after.append(
            f"INSERT INTO {schema}.token SELECT * FROM pg_temp.tablero_token "  # noqa: S608
            f"WHERE player IN (SELECT id FROM {schema}.player);"
        )
        after.append(f"INSERT INTO {schema}.sanction SELECT * FROM pg_temp.tablero_sanction;")  # noqa: S608
    before += [f"DROP TABLE IF EXISTS {schema}.{table} CASCADE;" for table in _TABLES]
    shut_out = "SET owner_epoch = owner_epoch + 1, owner = 'restore' WHERE closed_at IS NULL;"
    after.append(f"UPDATE {schema}.room {shut_out}")
    if f"COPY {schema}.token " in script:  # a newer schema, which has these columns
        after.append(f"UPDATE {schema}.meta SET owner = 'restore', restored = 1;")  # noqa: S608
    return "\n".join([*before, script, *after])
