"""Migrations lead to the schema that the code defines, after a copy, and lose nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import BadDatabase, migrations
from tablero_server.journal.schema import TABLES
from tests.harness.databases import Place, Postgres, Sqlite
from tests.harness.journal_entries import begin, lengths


async def tables(place: Place) -> dict[str, dict[str, str]]:
    """Each table with its columns, by PostgreSQL's names for types, without what migrations note."""
    if isinstance(place, Sqlite):
        found = await place.ask(
            "SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c "
            "WHERE m.type = 'table' ORDER BY m.name, c.cid"
        )
    else:
        found = await place.ask(
            "SELECT table_name, column_name, data_type FROM information_schema.columns "
            "WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
        )
    columns: dict[str, dict[str, str]] = {}
    for table, column, type in found:
        columns.setdefault(str(table), {})[str(column)] = str(type).lower()
    del columns["meta"]
    return columns


def in_sqlite(table: dict[str, str]) -> dict[str, str]:
    """The same columns by the names of SQLite, which has one integer alone."""
    return {
        name: {"bytea": "blob", "bigint": "integer", "double precision": "real"}.get(type, type)
        for name, type in table.items()
    }


async def test_the_migrations_lead_to_the_columns_that_statements_write(database: Sqlite | Postgres) -> None:
    await (await database.open()).close()
    defined = TABLES
    if isinstance(database, Sqlite):
        defined = {name: in_sqlite(table) for name, table in TABLES.items()}
    found = await tables(database)
    assert found == defined
    assert [list(found[name]) for name in TABLES] == [list(table) for table in TABLES.values()]


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migrations of a later Tablero, which has one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, folder)
    for dialect in ("sqlite", "postgresql"):
        (folder / f"0002.{dialect}.sql").write_text("CREATE TABLE more (number INTEGER);")
    monkeypatch.setattr(migrations, "FOLDER", folder)
    return folder


async def begun(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the Tablero of today leaves it."""
    with monkeypatch.context() as today:
        today.setattr(migrations, "FOLDER", Path(migrations.__file__).parent)
        journal = await place.open()
        await journal.append([Effects([begin("a")])])
        await journal.close()


def revision(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        [(found,)] = connection.execute("PRAGMA user_version")
    return int(found)


@pytest.mark.usefixtures("later")
async def test_an_older_database_is_brought_up_to_date_once(
    database: Sqlite | Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(database, monkeypatch)
    for rooms in ({"a": 1}, {"a": 1, "b": 1}):
        journal = await database.open()
        assert await lengths(journal) == rooms
        await journal.append([Effects([begin("b" if len(rooms) == 1 else "c")])])
        await journal.close()
        assert await database.ask("SELECT * FROM more") == []


@pytest.mark.usefixtures("later")
async def test_an_older_file_is_copied_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Sqlite(tmp_path)
    await begun(place, monkeypatch)
    copy = place.path.with_name("tablero.db.before-0002")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.write_text("half of it, from an earlier try")
    await (await place.open()).close()
    assert (revision(place.path), revision(copy)) == (2, 1)
    assert not unfinished.exists()
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT id, head FROM room").fetchall() == [("a", 0)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_database_that_is_new_or_up_to_date_is_not_copied(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    for _ in range(2):
        await (await place.open()).close()
    assert {path.name for path in place.path.parent.iterdir()} == {"tablero.db", "tablero.db.lock"}


async def test_a_migration_that_fails_has_changed_nothing(
    database: Sqlite | Postgres, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(database, monkeypatch)
    for dialect in ("sqlite", "postgresql"):
        (later / f"0002.{dialect}.sql").write_text("DROP TABLE record; SELECT nonsense;")
    with pytest.raises(BadDatabase, match="nonsense"):
        await database.open()
    monkeypatch.undo()
    journal = await database.open()
    assert await lengths(journal) == {"a": 1}
    await journal.append([Effects([begin("b")])])
    await journal.close()
