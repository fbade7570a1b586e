"""Backups of a PostgreSQL database: made by pg_dump, and restored into any database or schema.

Law: only rows are taken from a dump. The tables are created by our own migrations.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg

from ..journal import migrations
from ..journal.journal import newer
from ..journal.postgres import place_of, revision_in
from .copies import NOT_COMPARED, Contents, NoCopy, Restored, TableSum, being_made, put_in_place
from .database_state import COUNTED, in_words, numbers_in_postgres

_PIECE = 1 << 18
_OURS_ALONE = {"search_path", "password"}
"""The parameters of a URL that the tools don't understand, or must not show."""
_COPY = re.compile(rb"COPY .+ \((.+)\) FROM stdin;")
_END = b"\\."


class Lines:
    """Splits a stream into lines; a piece may end in the middle of a line."""

    def __init__(self) -> None:
        self._rest = b""

    def of(self, piece: bytes) -> list[bytes]:
        *whole, self._rest = (self._rest + piece).split(b"\n")
        return whole


@dataclass(frozen=True)
class Tools:
    """Runs pg_dump and pg_restore for a database, with the password in the environment."""

    url: str
    environment: dict[str, str]

    @classmethod
    def of(cls, url: str) -> Tools:
        parts = urlsplit(url)
        asked = dict(parse_qsl(parts.query))
        password = parts.password or asked.get("password", "")
        kept = urlencode({name: value for name, value in asked.items() if name not in _OURS_ALONE})
        user, _, host = parts.netloc.rpartition("@")
        netloc = f"{user.partition(':')[0]}@{host}" if user else host
        environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
        return cls(urlunsplit(parts._replace(netloc=netloc, query=kept)), environment)

    async def dump(self, file: Path, snapshot: str, schema: str, tables: tuple[str, ...]) -> None:
        """Dumps the tables as they were in an exported snapshot."""
        quoted = schema.replace('"', '""')
        arguments = [f'--table="{quoted}".{table}' for table in tables]
        async for _ in self._said(
            *("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}"),
            *("--encoding=UTF8", "--no-owner", "--no-privileges", *arguments, f"--dbname={self.url}"),
        ):
            pass

    async def rows(
        self, file: Path, table: str, columns: Callable[[list[str]], None]
    ) -> AsyncGenerator[list[bytes], None]:
        """Yields a table's rows in a dump, in the format of COPY, some at a time. Calls `columns` with the
        names of the columns.
        """
        lines, inside = Lines(), False
        said = self._said("pg_restore", "--data-only", f"--table={table}", "--file=-", file)
        async with aclosing(said):
            async for piece in said:
                rows = lines.of(piece)
                if not inside:
                    begins = next((n for n, line in enumerate(rows) if _COPY.fullmatch(line)), None)
                    if begins is None:
                        continue
                    found = _COPY.fullmatch(rows[begins])
                    assert found is not None
                    columns([name.strip('"') for name in found[1].decode().split(", ")])
                    rows, inside = rows[begins + 1 :], True
                if _END in rows:
                    rows, inside = rows[: rows.index(_END)], False
                yield rows

    async def _said(self, program: str, *arguments: str | Path) -> AsyncGenerator[bytes, None]:
        """Yields the output of a program. Raises NoCopy with its error message."""
        if shutil.which(program) is None:
            raise NoCopy(f"{program} is missing: install PostgreSQL's client programs.")
        with TemporaryFile() as complaints:
            process = await asyncio.create_subprocess_exec(
                *(program, *map(str, arguments)),
                env=self.environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=complaints,
            )
            assert process.stdout is not None
            try:
                while piece := await process.stdout.read(_PIECE):
                    yield piece
                if await process.wait():
                    raise NoCopy(f"{program} says: {_last_line(complaints)}")
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    said = complaints.read().decode(errors="replace").strip()
    return said.splitlines()[-1] if said else "?"


_SECONDS = 10.0
_TABLES = (*COUNTED, "meta")


@dataclass
class _Dumped:
    """The contents of a dump; `meta` is the row of that table."""

    contents: dict[str, TableSum] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)


async def back_up_postgres(url: str, file: Path) -> Contents:
    """Makes a dump of one moment and compares it with the database at that moment."""
    async with _connected(url) as connection:
        schema = await _schema(connection, url)
        if not await revision_in(connection, url):
            raise NoCopy(f"The database {place_of(url)} has nothing of Tablero yet.")
        with being_made(file) as copy:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                moment = await connection.fetchval("SELECT pg_export_snapshot()")
                await Tools.of(url).dump(copy, moment, schema, _TABLES)
                expected = await _sums_of(connection, _TABLES)
            if (await _dumped(Tools.of(url), copy)).contents != expected:
                raise NoCopy(f"The dump is not what {place_of(url)} holds.")
            put_in_place(copy, file)
    return {table: expected[table] for table in COUNTED if table in expected}


async def put_back_postgres(file: Path, url: str, *, replace: bool) -> Restored:
    """Restores a dump in one transaction. Tokens and bans are taken from the present database, if it has the
    same lineage.

    A server that still uses the database is shut out, because its rooms get another owner.
    """
    tools = Tools.of(url)
    dumped = await _dumped(tools, file)
    if "revision" not in dumped.meta:
        raise NoCopy(f"{file} is no backup: another program or an unreleased Tablero made it.")
    revision = int(dumped.meta["revision"])
    if revision > migrations.newest():
        raise newer(str(file), revision)
    async with _connected(url) as connection:
        schema = await _schema(connection, url)
        there = await numbers_in_postgres(connection) if await revision_in(connection, url) else {}
        if any(there.values()) and not replace:
            sentence = "Say --replace to put the backup in its place."
            raise NoCopy(f"The database {place_of(url)} has {in_words(there)}. {sentence}")
        async with connection.transaction():
            known = await _keep_what_is_decided(connection, dumped)
            for table in _TABLES:
                await connection.execute(f"DROP TABLE IF EXISTS {_quoted(schema)}.{table} CASCADE")
            await connection.execute(migrations.upgrade("postgresql", end=revision))
            for table in _TABLES:
                if table in dumped.contents:
                    await _load(connection, tools, file, table)
            contents = await _sums_of(connection, _TABLES, dumped.columns)
            if contents != dumped.contents:
                raise NoCopy(f"What was read back differs from {file}; {place_of(url)} is as it was.")
            await connection.execute(_GO_ON_COUNTING)
            ended = await _decide_again(connection) if known else ()
            await connection.execute(_SHUT_OUT)
            contents |= await _sums_of(connection, ("token", "sanction"))
    bans = contents["sanction"].count if known else 0
    return Restored({table: contents[table] for table in COUNTED}, "", ended, bans, unknown=not known)


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    try:
        connection = await asyncpg.connect(url, timeout=_SECONDS)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        raise NoCopy(f"Cannot use the database {place_of(url)}: {str(error) or 'no answer'}.") from None
    try:
        yield connection
        await connection.close(timeout=_SECONDS)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, ConnectionError) as error:
        raise NoCopy(f"PostgreSQL says: {error}. The database {place_of(url)} is as it was.") from None
    finally:
        connection.terminate()


async def _schema(connection: asyncpg.Connection, url: str) -> str:
    schema: str | None = await connection.fetchval("SELECT current_schema()")
    if schema is None:
        raise NoCopy(
            f"The database {place_of(url)} lacks the schema of its search_path: CREATE SCHEMA first."
        )
    return schema


async def _dumped(tools: Tools, file: Path) -> _Dumped:
    """Reads the rows of a dump."""
    dumped = _Dumped()
    for table in _TABLES:
        columns: list[str] = []
        async for rows in tools.rows(file, table, columns.extend):
            dumped.columns[table] = columns
            left_out = [n for n, name in enumerate(columns) if name in NOT_COMPARED.get(table, ())]
            sums = dumped.contents.setdefault(table, TableSum())
            for row in rows:
                sums.add(_without(row, left_out))
                if table == "meta":
                    dumped.meta = dict(zip(columns, row.decode().split("\t"), strict=True))
    return dumped


def _without(row: bytes, left_out: list[int]) -> bytes:
    """A row of COPY without the columns at these indexes."""
    if not left_out:
        return row
    return b"\t".join(each for n, each in enumerate(row.split(b"\t")) if n not in left_out)


async def _sums_of(
    connection: asyncpg.Connection, tables: tuple[str, ...], columns: Mapping[str, list[str]] = {}
) -> dict[str, TableSum]:
    """The checksums of the tables in the database, with columns in the order of `columns` or of the
    database.
    """
    sums: dict[str, TableSum] = {}
    for table in tables:
        if await connection.fetchval("SELECT to_regclass($1)", table) is None:
            continue
        rows, lines = sums.setdefault(table, TableSum()), Lines()

        async def take(piece: bytes, rows: TableSum = rows, lines: Lines = lines) -> None:
            for row in lines.of(piece):
                rows.add(row)

        names = columns.get(table) or [row[0] for row in await connection.fetch(_COLUMNS, table)]
        compared = [name for name in names if name not in NOT_COMPARED.get(table, ())]
        await connection.copy_from_table(table, columns=compared, output=take)
    return sums


async def _load(connection: asyncpg.Connection, tools: Tools, file: Path, table: str) -> None:
    """Loads the rows of a dump into the table, in place of the rows that the migrations created."""
    columns: list[str] = []
    async with aclosing(tools.rows(file, table, columns.extend)) as found:
        first = await anext(found)

        async def pieces() -> AsyncIterator[bytes]:
            yield b"".join(row + b"\n" for row in first)
            async for rows in found:
                yield b"".join(row + b"\n" for row in rows)

        await connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        await connection.copy_to_table(table, source=pieces(), columns=columns)


async def _keep_what_is_decided(connection: asyncpg.Connection, dumped: _Dumped) -> bool:
    """Keeps the database's tokens and bans, if the dump has the same lineage and revision. Returns whether
    they are kept.
    """
    if await connection.fetchval("SELECT to_regclass('token')") is None:
        return False
    there = (
        await connection.fetchval("SELECT lineage FROM meta"),
        await connection.fetchval("SELECT revision::text FROM meta"),
    )
    if there != (dumped.meta["lineage"], dumped.meta["revision"]):
        return False
    for table in ("token", "sanction"):
        await connection.execute(f"CREATE TEMP TABLE decided_{table} ON COMMIT DROP AS TABLE {table}")
    return True


async def _decide_again(connection: asyncpg.Connection) -> tuple[str, ...]:
    """Deletes tokens in the dump that have ended since. Returns the names of their players."""
    ended = tuple(row[0] for row in await connection.fetch(_ENDED))
    await connection.execute(_AS_DECIDED)
    return ended


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


_COLUMNS = (
    "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped "
    "ORDER BY attnum"
)
_GO_ON_COUNTING = (
    "SELECT setval(pg_get_serial_sequence('room', 'number'), coalesce(max(number), 0) + 1, false) FROM room"
)
_ENDED = (
    "SELECT DISTINCT player.name FROM token JOIN player ON player.id = token.player "
    "WHERE token.hash NOT IN (SELECT hash FROM decided_token) ORDER BY player.name"
)
_AS_DECIDED = (
    "DELETE FROM token;"
    "INSERT INTO token SELECT * FROM decided_token WHERE player IN (SELECT id FROM player);"
    "DELETE FROM sanction; INSERT INTO sanction SELECT * FROM decided_sanction"
)
_SHUT_OUT = (
    "UPDATE room SET owner_epoch = owner_epoch + 1, owner = 'restore' WHERE closed_at IS NULL;"
    "UPDATE meta SET owner = 'restore', restored = 1"
)
