"""Migrations lead to the schema that the code defines, after a copy, and lose nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine
from sqlalchemy.schema import CreateTable

from tablero_server.core.effects import Effects
from tablero_server.journal import BadDatabase, migrations
from tablero_server.journal.schema import metadata
from tablero_server.journal.sqlite import SqliteJournal

from .places import Sqlite
from .test_journals import begin, lengths, said

OLDEST = "0001"


def fill_with_an_older_schema(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(migrations.upgrade("sqlite", None, OLDEST))
        connection.execute("INSERT INTO meta VALUES ('first', 1)")
        connection.execute("INSERT INTO room VALUES (1, 'a', 1, 'me', 0, 1, NULL, 'tic-tac-toe')")
        connection.execute(
            "INSERT INTO record VALUES (1, 0, 'created', 1, NULL, NULL, NULL, NULL, x'80', NULL)"
        )
        connection.commit()


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        [(found,)] = connection.execute("SELECT version_num FROM alembic_version")
    return str(found)


def test_the_migrations_lead_to_the_schema_that_is_defined() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.executescript(migrations.upgrade("sqlite", None))
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        made = dict(raw.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    for table in metadata.sorted_tables:
        defined = str(CreateTable(table).compile(engine))
        assert made[table.name].split() == defined.split(), table.name
    engine.dispose()


async def test_an_older_database_is_copied_and_then_brought_up_to_date(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    fill_with_an_older_schema(place.path)
    journal = await place.open()
    await journal.append([Effects([said("a", 1)])])
    assert await lengths(journal) == {"a": 2}
    assert await place.ask("SELECT lineage FROM meta") == [("first",)]
    await journal.close()
    copy = place.path.with_name(f"tablero.db.before-{migrations.newest()}")
    assert (revision(place.path), revision(copy)) == (migrations.newest(), OLDEST)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT id, head FROM room").fetchall() == [("a", 0)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_database_that_is_new_or_up_to_date_is_not_copied(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    for _ in range(2):
        await (await place.open()).close()
    assert {path.name for path in place.path.parent.iterdir()} == {"tablero.db", "tablero.db.lock"}


async def test_a_copy_that_ended_halfway_is_made_again(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    fill_with_an_older_schema(place.path)
    place.path.with_name("tablero.db.before-0002.unfinished").write_text("half of it")
    await (await place.open()).close()
    assert revision(place.path.with_name("tablero.db.before-0002")) == OLDEST
    assert not place.path.with_name("tablero.db.before-0002.unfinished").exists()


async def test_a_migration_that_fails_has_changed_nothing(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    fill_with_an_older_schema(place.path)
    broken = tmp_path / "migrations"
    (broken / "versions").mkdir(parents=True)
    for script in (migrations.FOLDER / "versions").glob("*.py"):
        (broken / "versions" / script.name).write_text(script.read_text())
    (broken / "versions" / "v0003_broken.py").write_text(
        "from alembic import op\nrevision, down_revision = '0003', '0002'\n"
        "def upgrade():\n    op.execute('DROP TABLE record')\n    op.execute('SELECT nonsense')\n"
    )
    with pytest.raises(BadDatabase, match="no such column: nonsense"):
        await SqliteJournal.opened(place.path, "me", lambda: ("x", 1), broken)
    assert revision(place.path) == OLDEST
    journal = await place.open()
    assert await lengths(journal) == {"a": 1}
    await journal.append([Effects([begin("b")])])
    await journal.close()
