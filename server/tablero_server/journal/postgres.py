"""The journal in PostgreSQL: one connection writes, another reads; a lost connection is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from ..core.effects import Effects
from ..core.entry import Entry, Saved
from . import migrations
from .journal import BadDatabase, JournalBroken, NotRead, NotWritten, Rejected, newer
from .questions import Question, Row
from .rows import (
    log_from,
    logs_from,
    mutes_from,
    placings_from,
    players_from,
    rivals_from,
    rows_of,
    sanctions_from,
    tokens_from,
)
from .schema import TABLES
from .statements import (
    BEGUN,
    CLOSED_LOGS,
    ENDED,
    ENTRIES,
    HEADS,
    MUTES,
    NEWEST_RATED,
    ONE_LOG,
    OPEN_LOGS,
    OWNED,
    PLAYERS,
    RATED_RIVALS,
    SANCTIONS,
    STATEMENTS,
    TAKE_OVER,
    TOKENS,
    TRANSACTION,
)

_PATIENCE = 10.0
"""The seconds after which a silent database counts as lost."""

_PATIENCE_WITH_ALL = 600.0
"""The seconds for work on all data at once, such as a start or a migration."""

_MIGRATING = 8470
"""The number of the advisory lock with which only one server at a time migrates the schema."""

_COLUMNS = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
)
_SCHEMA_AND_ASIDE = "SELECT quote_ident(current_schema()), quote_ident(current_schema() || '_old')"

_TABLE_STAMP = (
    "SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || 'meta'::regclass::oid"
)
"""The identity of the tables, which changes when a dump is restored."""

_SYSTEM_STAMP = (
    "SELECT '/' || system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) "
    "FROM pg_control_system()"
)
"""The identity of the cluster: another cluster has another number. After a recovery to a point in time, or a
failover, the timeline differs.
"""

_REFUSED = (Rejected, asyncpg.IntegrityConstraintViolationError, asyncpg.DataError)
"""Errors caused by some rows, not by the database."""

_GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # raised if the connection ends while it is in use
    OSError,  # includes TimeoutError
)


_UNKNOWN_END = (asyncpg.OperatorInterventionError, *_GONE)
"""Errors that leave it unknown whether a commit happened."""

_BETWEEN_QUESTIONS = 0.1
"""The pause in seconds before the next attempt."""


class _Reconnecting:
    """A connection that one caller at a time can use. It is replaced after an error."""

    def __init__(self, url: str, **settings: str) -> None:
        self._url = url
        self._settings = {"application_name": "tablero", "synchronous_commit": "on", **settings}
        self.connection: asyncpg.Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[asyncpg.Connection]:
        async with self._one_at_a_time:
            if self.connection is None or self.connection.is_closed():
                self.connection = await asyncpg.connect(
                    self._url,
                    timeout=_PATIENCE,
                    command_timeout=_PATIENCE,
                    server_settings=self._settings,
                )
            try:
                yield self.connection
            except BaseException:
                self.connection.terminate()
                raise

    async def close(self) -> None:
        async with self._one_at_a_time:
            if self.connection is not None:
                await self.connection.close(timeout=_PATIENCE)


class PostgresJournal:
    """A journal in PostgreSQL; made by `opened`."""

    def __init__(self, url: str, owner: str) -> None:
        self._url = url
        self._owner = owner
        self._writing = _Reconnecting(url)
        # PostgreSQL itself would continue a query after its connection is lost.
        self._reading = _Reconnecting(url, statement_timeout=f"{_PATIENCE:.0f}s")
        """The connection for queries while the server runs; a cancelled query closes it."""
        self._epochs: dict[str, int] = {}
        self._restored = False

    @classmethod
    async def opened(cls, url: str, owner: str) -> PostgresJournal:
        """Opens the database and takes over every open room from its former server. Raises BadDatabase."""
        journal = cls(url, owner)
        writing = journal._writing.connected()
        async with _starting_with(url), writing as connection, connection.transaction():
            await _bring_up_to_date(connection, url)
            journal._restored = await _is_restored(connection)
            await connection.execute(TAKE_OVER.format(owner="$1"), owner)
            await connection.execute("UPDATE meta SET owner = $1", owner)
            journal._epochs = dict(map(tuple, await connection.fetch(OWNED)))
        return journal

    async def append(self, effects: Sequence[Effects]) -> None:
        try:
            if await self._write_at_once(effects):
                return
            failed = await self._write_in_a_transaction(effects)
        except (asyncpg.PostgresError, *_GONE) as error:
            raise NotWritten(str(error) or "no answer", frozenset(range(len(effects)))) from error
        if failed:
            raise NotWritten("; ".join(dict.fromkeys(failed.values())), frozenset(failed), refused=True)

    async def _write_at_once(self, effects: Sequence[Effects]) -> bool:
        """Writes entries of open rooms with one statement. Returns False if they need a transaction or are
        refused.
        """
        try:
            rows = rows_of(effects, self._epochs, self._owner)
            if self._restored or not rows.only_add_entries:
                return False
            given = *zip(*rows.advance, strict=True), *zip(*rows.write, strict=True)
            async with self._writing.connected() as connection:
                await connection.fetchval(ENTRIES, *given)
        except _REFUSED:
            return False
        except _UNKNOWN_END:
            if not await self._have_moved_on(rows.advance):
                raise
        return True

    async def _write_in_a_transaction(self, effects: Sequence[Effects]) -> dict[int, str]:
        """Writes the effects. Returns the refused effects by index, each with the reason."""
        failed: dict[int, str] = {}
        number: int | None = None
        try:
            async with self._writing.connected() as connection:
                transaction = connection.transaction()
                await transaction.start()
                try:
                    await self._write(connection, effects)
                except _REFUSED:
                    await transaction.rollback()
                    transaction = connection.transaction()
                    await transaction.start()
                    failed = await self._write_each(connection, effects)
                number = await connection.fetchval(TRANSACTION)
                await transaction.commit()
        except _UNKNOWN_END:
            if number is None or not await self._was_committed(number):
                raise
        return failed

    async def _have_moved_on(self, advanced: Sequence[Row]) -> bool:
        """Whether a statement whose answer was lost has written its rows; it writes all of them or none.
        Raises JournalBroken.
        """
        heads = dict(map(tuple, await self._answered(HEADS, [room for room, *_ in advanced])))
        if all(heads.get(room) == after for room, _, _, after, _ in advanced):
            return True
        if all(heads.get(room) == before for room, _, before, _, _ in advanced):
            return False
        raise JournalBroken("the rooms of a lost commit are neither where they were nor where it leads")

    async def _was_committed(self, number: int) -> bool:
        """Whether a transaction with an unknown end was committed. Raises JournalBroken."""
        while True:
            [(status, _)] = await self._answered(ENDED, number)
            if status != "in progress":
                break
            await asyncio.sleep(_BETWEEN_QUESTIONS)
        if status is None:
            raise JournalBroken("PostgreSQL does not know any more what it has committed")
        return bool(status == "committed")

    async def _answered(self, sql: str, *given: Any) -> list[asyncpg.Record]:
        """The rows of a query, repeated until the database answers. Nothing is acknowledged before, because
        only the database knows what was saved.
        """
        while True:
            try:
                async with self._writing.connected() as connection:
                    return await connection.fetch(sql, *given)
            except (asyncpg.PostgresError, *_GONE):
                await asyncio.sleep(_BETWEEN_QUESTIONS)

    async def check(self) -> None:
        try:
            async with self._writing.connected() as connection:
                owner = await connection.fetchval("SELECT owner FROM meta")
        except (asyncpg.PostgresError, *_GONE) as error:
            raise NotWritten(str(error) or "no answer", frozenset()) from error
        if owner != self._owner:
            raise JournalBroken(
                f"another server has taken over the database {place_of(self._url)}; "
                "start one server for each database or schema"
            )

    async def load(self, closed_within_ms: int = 0) -> Saved:
        """Raises BadDatabase."""
        async with _starting_with(self._url), self._writing.connected() as connection:
            players = await connection.fetch(PLAYERS, timeout=_PATIENCE_WITH_ALL)
            tokens = await connection.fetch(TOKENS, timeout=_PATIENCE_WITH_ALL)
            sanctions = await connection.fetch(SANCTIONS)
            mutes = await connection.fetch(MUTES, timeout=_PATIENCE_WITH_ALL)
            rated = await connection.fetch(NEWEST_RATED, timeout=_PATIENCE_WITH_ALL)
            rivals = await connection.fetch(RATED_RIVALS, timeout=_PATIENCE_WITH_ALL)
            open_rows = await connection.fetch(OPEN_LOGS, timeout=_PATIENCE_WITH_ALL)
            closed_rows = await connection.fetch(
                CLOSED_LOGS.format(within="$1"), closed_within_ms, timeout=_PATIENCE_WITH_ALL
            )
        damaged: dict[str, str] = {}
        logs, closed = logs_from(open_rows, damaged), logs_from(closed_rows, damaged)
        known = players_from(players), tokens_from(tokens)
        saved = Saved(*known, logs, closed, damaged, self._restored, sanctions_from(sanctions))
        return saved._replace(mutes=mutes_from(mutes), rated=placings_from(rated), rivals=rivals_from(rivals))

    async def log(self, room: str) -> list[Entry]:
        try:
            rows = await self._fetch(ONE_LOG.format(id="$1"), room)
        except _GONE:  # with a new connection
            rows = await self._fetch(ONE_LOG.format(id="$1"), room)
        return log_from(rows)

    async def read(self, question: Question) -> list[Row]:
        try:
            rows = await self._fetch(question.for_postgres(), *question.given)
        except (asyncpg.PostgresError, *_GONE) as error:
            raise NotRead(str(error) or "no answer") from error
        return list(map(tuple, rows))

    async def close(self) -> None:
        await self._reading.close()
        await self._writing.close()

    async def _fetch(self, sql: str, *given: Any) -> list[asyncpg.Record]:
        async with self._reading.connected() as connection:
            return await connection.fetch(sql, *given)

    async def _write(self, connection: asyncpg.Connection, effects: Sequence[Effects]) -> None:
        """Writes within the transaction. After an error of _REFUSED, some of the rows stay in the
        transaction.
        """
        if self._restored:  # the first append contains the entries of the start
            await connection.execute(BEGUN)
            self._restored = False
        for name, rows in rows_of(effects, self._epochs, self._owner)._asdict().items():
            if rows:
                status = await connection.execute(_text(name), *zip(*rows, strict=True))
                hit = int(status.rpartition(" ")[2])
                if STATEMENTS[name].exact and hit != len(rows):
                    raise Rejected(f"{name}: {len(rows) - hit} of {len(rows)} rows do not fit")

    async def _write_each(self, connection: asyncpg.Connection, effects: Sequence[Effects]) -> dict[int, str]:
        """Writes the effects one by one within the transaction. Returns the refused effects by index, each
        with the reason.
        """
        failed = {}
        for index, each in enumerate(effects):
            try:
                async with connection.transaction():  # a savepoint
                    await self._write(connection, [each])
            except _REFUSED as error:
                failed[index] = str(error)
                each.repeats = getattr(error, "constraint_name", None) == "cause"
        return failed


@asynccontextmanager
async def _starting_with(url: str) -> AsyncIterator[None]:
    """Turns any error of PostgreSQL in the `with` block into BadDatabase."""
    try:
        yield
    except (asyncpg.PostgresError, ValueError, *_GONE) as error:
        raise BadDatabase(
            f"Cannot use the database {place_of(url)}: {str(error) or 'it does not answer'}. "
            "Check that PostgreSQL runs there, and the user, the password and the name in --database."
        ) from None


async def revision_in(connection: asyncpg.Connection, url: str) -> int:
    """The revision of the tables in the schema; 0 if there are none. Raises BadDatabase for
    foreign tables.
    """
    there = {tuple(row) for row in await connection.fetch(_COLUMNS)}
    if {"meta", *TABLES}.isdisjoint(table for table, _ in there):
        return 0
    revision: int | None = None
    if ("meta", "revision") in there:
        revision = await connection.fetchval("SELECT revision FROM meta")
    if revision is None:
        [(schema, aside)] = await connection.fetch(_SCHEMA_AND_ASIDE)
        raise BadDatabase(
            f"The database {place_of(url)} has tables of another program or an unreleased Tablero: put them "
            f"aside with `ALTER SCHEMA {schema} RENAME TO {aside}; CREATE SCHEMA {schema}`, "
            "or name another database with TABLERO_DATABASE."
        )
    return revision


async def known_revision_in(connection: asyncpg.Connection, url: str) -> int:
    """The revision of the tables. Also raises BadDatabase if a newer program made them."""
    revision = await revision_in(connection, url)
    if revision > migrations.newest():
        raise newer(f"The database {place_of(url)}", revision)
    return revision


async def _bring_up_to_date(connection: asyncpg.Connection, url: str) -> None:
    """Migrates in one transaction, with only one server at a time."""
    await connection.execute(f"SELECT pg_advisory_xact_lock({_MIGRATING})", timeout=_PATIENCE_WITH_ALL)
    revision = await known_revision_in(connection, url)
    if revision != migrations.newest():
        await connection.execute(migrations.upgrade("postgresql", revision), timeout=_PATIENCE_WITH_ALL)


async def _is_restored(connection: asyncpg.Connection) -> bool:
    """Whether the open rooms come from a restored backup and their players were not told yet."""
    stamp = await connection.fetchval(_TABLE_STAMP)
    try:
        async with connection.transaction():  # a savepoint, because not every PostgreSQL lets every user ask
            stamp += await connection.fetchval(_SYSTEM_STAMP)
    except asyncpg.PostgresError:
        pass
    return bool(
        await connection.fetchval(
            "UPDATE meta SET stamp = $1, restored = CASE "
            "WHEN NOT EXISTS (SELECT * FROM room WHERE closed_at IS NULL) THEN 0 "
            "WHEN stamp <> $1 THEN 1 ELSE restored END RETURNING restored",
            stamp,
        )
    )


def place_of(url: str) -> str:
    """The part of a URL that may be shown: everything but the password."""
    try:
        parts = urlsplit(url)
        return f"{parts.path.lstrip('/') or 'of the user'} at {parts.hostname or 'this machine'}"
    except ValueError:
        return "that --database names"


@cache
def _text(name: str) -> str:
    return STATEMENTS[name].for_postgres()
