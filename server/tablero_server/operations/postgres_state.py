"""What a PostgreSQL database holds, read without being changed."""

from __future__ import annotations

import asyncpg

from ..journal.journal import BadDatabase
from ..journal.postgres import place_of, revision_in
from .database_state import COUNTED, DatabaseState

_SECONDS = 10.0


async def state_of_postgres(url: str) -> DatabaseState | None:
    place = f"The database {place_of(url)}"
    try:
        connection = await asyncpg.connect(url, timeout=_SECONDS)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        why = str(error) or "no answer"
        do = "Check that PostgreSQL runs there, and the user, the password and the name."
        return DatabaseState(place, wrong=f"{place} cannot be used: {why}.", do=do)
    try:
        revision = await revision_in(connection, url)
        if not revision:
            return None
        newest = await connection.fetchval("SELECT coalesce(max(at), 0) FROM record")
        return DatabaseState(
            place, revision, newest, await numbers_in(connection), copied_before="; make a backup before"
        )
    except BadDatabase as bad:
        return DatabaseState(place, wrong=str(bad))
    finally:
        await connection.close()


async def numbers_in(connection: asyncpg.Connection) -> dict[str, int]:
    """Rows by table, of those tables that this revision has."""
    return {
        table: await connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608 - our own names
        for table in COUNTED
        if await connection.fetchval("SELECT to_regclass($1)", table) is not None
    }
