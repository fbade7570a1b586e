"""Copies of an SQLite file: what is kept, what is refused, and that nothing half is left."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import migrations
from tablero_server.operations import sqlite_copies
from tablero_server.operations.copies import unfinished
from tests.harness.command_line import tablero
from tests.harness.databases import Sqlite, contents_of, made_before
from tests.harness.journal_entries import begin
from tests.harness.processes import done, said


async def a_backup(place: Sqlite, file: Path) -> None:
    journal = await place.open()
    await journal.append([Effects([begin("r1")])])
    await journal.close()
    await done("backup", file, "--database", place.url)


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def content_of(name: str) -> bytes:
    return Path(name).read_bytes()


async def test_what_was_replaced_is_kept_beside_it(tmp_path: Path) -> None:
    place, file = Sqlite(tmp_path), tmp_path / "backup"
    await a_backup(place, file)
    place_now = await place.open()
    await place_now.append([Effects([begin("r2")])])
    await place_now.close()
    aside = Path((await done("restore", file, "--database", place.url, "--replace"))["aside"])
    with closing(sqlite3.connect(aside)) as connection:
        assert connection.execute("SELECT count(*) FROM room").fetchone() == (2,)
    assert await place.ask("SELECT count(*) FROM room") == [(1,)]
    assert mode_of(aside) == mode_of(file) == 0o600
    assert not unfinished(place.path).exists()


async def test_a_damaged_database_is_replaced_without_a_question(tmp_path: Path) -> None:
    place, file = Sqlite(tmp_path), tmp_path / "backup"
    await a_backup(place, file)
    place.path.write_bytes(b"damaged" * 999)
    restored = await done("restore", file, "--database", place.url)
    assert (restored["unknown"], content_of(restored["aside"])[:7]) == (True, b"damaged")
    journal = await place.open()
    assert len((await journal.load()).logs) == 1
    await journal.close()


async def test_a_database_in_use_is_not_replaced(tmp_path: Path) -> None:
    place, file = Sqlite(tmp_path), tmp_path / "backup"
    await a_backup(place, file)
    journal = await place.open()
    before = place.path.read_bytes()
    code, text = await said("restore", file, "--database", place.url, "--replace")
    assert (code, "Another Tablero server is using the database" in text) == (1, True), text
    assert place.path.read_bytes() == before
    await journal.close()


async def test_of_a_database_with_another_schema_no_tokens_are_taken(tmp_path: Path) -> None:
    place, file = Sqlite(tmp_path), tmp_path / "backup"
    await a_backup(place, file)
    await place.ask("PRAGMA user_version = 9999")
    assert (await done("restore", file, "--database", place.url, "--replace"))["unknown"]
    assert await place.ask("PRAGMA user_version") == [(migrations.newest(),)]


async def test_a_database_that_is_not_ours_is_neither_copied_nor_replaced(tmp_path: Path) -> None:
    place, file = Sqlite(tmp_path), tmp_path / "backup"
    await a_backup(place, file)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    before = made_before(theirs / "games.db")
    for arguments in (("backup", tmp_path / "copy"), ("restore", file), ("restore", file, "--replace")):
        code, text = await said(*arguments, "--database", f"sqlite:///{theirs}/games.db")
        assert (code, f"{theirs}/games.db was made by another program" in text) == (1, True), text
    assert contents_of(theirs) == before
    assert not (tmp_path / "copy").exists()


def test_a_full_disk_leaves_no_half_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Sqlite(tmp_path)
    asyncio.run(a_backup(place, tmp_path / "backup"))

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(sqlite_copies, "sums_of", full)
    code, text = tablero("backup", str(tmp_path / "second"), "--database", place.url)
    assert (code, text.endswith("is full. Make room on its disk.\n")) == (1, True), text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "games"]


async def test_a_copy_that_differs_never_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Sqlite(tmp_path)
    await a_backup(place, tmp_path / "backup")
    monkeypatch.setattr(sqlite_copies, "_sound", lambda file: {})
    code, text = tablero("backup", str(tmp_path / "second"), "--database", place.url)
    assert (code, "is not what the database holds" in text) == (1, True)
    assert not (tmp_path / "second").exists()
