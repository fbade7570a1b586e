"""What a database holds, while nobody and while somebody uses it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import BadDatabase, migrations
from tablero_server.operations.database_state import DatabaseState, in_words, read_only, state_of
from tests.harness.databases import NOT_ON_POSTGRES, POSTGRES, Sqlite, a_schema, contents_of, made_before
from tests.harness.journal_entries import begin


def state(place: Sqlite) -> DatabaseState:
    found = state_of(place.url)
    assert found is not None
    return found


async def test_it_is_counted_also_while_a_server_has_it(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    assert state_of(place.url) is None
    journal = await place.open()
    await journal.append([Effects([begin("r1")]), Effects([begin("r2")])])
    before = sorted((path.name, path.stat().st_size) for path in place.path.parent.iterdir())
    there = state(place)
    assert (there.numbers["room"], there.revision, there.wrong) == (2, migrations.newest(), "")
    assert there.numbers["record"] == 2
    assert there.newest > 0
    assert sorted((path.name, path.stat().st_size) for path in place.path.parent.iterdir()) == before
    await journal.close()
    assert state(place).numbers == there.numbers


async def test_reading_changes_nothing(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    with (
        closing(read_only(place.path)) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM player")


async def test_an_older_and_a_newer_schema_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    assert not state(place).outdated
    with monkeypatch.context() as later:
        later.setattr(migrations, "newest", lambda: 2)
        assert state(place).outdated
        assert state(place).copied_before.endswith("tablero.db.before-0002")
    await place.ask("PRAGMA user_version = 9999")
    assert "newer Tablero (schema 9999)" in state(place).wrong


def test_a_database_that_is_not_ours_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    before = made_before(place.path)
    assert f"{place.path} was made by another program" in state(place).wrong
    assert contents_of(place.path.parent) == before


@pytest.mark.parametrize(
    ("content", "wrong"), [(b"", "is empty"), (b"no database" * 999, "is not a sound database")]
)
def test_what_is_no_database_is_told(tmp_path: Path, content: bytes, wrong: str) -> None:
    place = Sqlite(tmp_path)
    place.path.write_bytes(content)
    found = state(place)
    assert wrong in found.wrong
    assert found.do


def test_a_file_of_somebody_elses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Sqlite(tmp_path)
    place.path.write_bytes(b"")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert state(place).do == f"Say: chown {os.geteuid()} {place.path}*"


def test_numbers_are_said_in_words() -> None:
    assert in_words({"record": 1, "sanction": 1, "played": 2}) == "1 entry, 1 ban or mute, 2 results"


@pytest.mark.skipif(POSTGRES is None, reason=NOT_ON_POSTGRES)
async def test_a_postgresql_is_counted_and_a_newer_or_another_one_is_told() -> None:
    async with a_schema() as place:
        assert await asyncio.to_thread(state_of, place.url) is None
        journal = await place.open()
        await journal.append([Effects([begin("r1")]), Effects([begin("r2")])])
        found = await asyncio.to_thread(state_of, place.url)
        await journal.close()
        assert found is not None
        assert (found.numbers["room"], found.revision, found.wrong) == (2, migrations.newest(), "")
        assert found.newest > 0
        await place.ask("UPDATE meta SET revision = 9999")
        newer = await asyncio.to_thread(state_of, place.url)
        await place.ask("DROP TABLE meta")
        not_ours = await asyncio.to_thread(state_of, place.url)
    assert newer is not None
    assert "newer Tablero (schema 9999)" in newer.wrong
    assert not_ours is not None
    assert "has tables of another program" in not_ours.wrong


def test_a_postgresql_that_does_not_answer_is_told_without_its_password() -> None:
    found = state_of("postgresql://ann:secret@127.0.0.1:1/games")
    assert found is not None
    assert "games at 127.0.0.1 cannot be used" in found.wrong
    assert "secret" not in found.wrong + found.do


def test_postgresql_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tablero_server.journal.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(BadDatabase, match=r"pip install 'tablero\[cluster\]'"):
        state_of("postgresql://localhost/games")
