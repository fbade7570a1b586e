"""What a server starts with, or the sentence that says why it does not start."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import migrations, open_journal
from tablero_server.journal.journal import NotRead
from tablero_server.journal.questions import NEWEST, Question, games_of
from tablero_server.journal.rows import placings_from
from tests.harness.databases import Sqlite, contents_of, made_before, why_not
from tests.harness.journal_entries import begin, came_out, lengths, refused


async def test_memory_is_a_database_too_and_goes_with_its_journal() -> None:
    journal = await open_journal("memory")
    placing = came_out("a", 0)
    await journal.append([Effects([begin("a")], kept=[placing])])
    assert await refused(journal, Effects([begin("a")])) == [0]
    assert (await lengths(journal), len(await journal.log("a"))) == ({"a": 1}, 1)
    assert placings_from(await journal.read(games_of("ann0", "ann0", NEWEST, 9))) == (placing,)
    with pytest.raises(NotRead, match="nonsense"):
        await journal.read(Question("SELECT nonsense", ()))
    await journal.check()
    await journal.close()
    assert await lengths(await open_journal("memory")) == {}


async def test_without_a_word_it_is_a_file_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TABLERO_HOME", raising=False)
    monkeypatch.setattr("tablero_server.journal.opening.user_data_path", lambda name: tmp_path / name)
    await (await open_journal("")).close()
    assert (tmp_path / "tablero" / "tablero.db").exists()


async def test_three_slashes_are_beside_the_server_and_four_are_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await (await open_journal("sqlite:///here%20too.db")).close()
    assert (tmp_path / "here too.db").exists()
    await (await open_journal(f"sqlite:///{tmp_path}/there.db")).close()
    assert (tmp_path / "there.db").exists()


@pytest.mark.parametrize("url", ["mysql://root@localhost/x", "tablero.db", "redis:", "sqlite3:///x"])
async def test_an_unknown_kind_of_database_is_refused_with_those_there_are(url: str) -> None:
    assert "has to be memory, sqlite:///PATH or postgresql://USER@HOST/NAME" in await why_not(url)


@pytest.mark.parametrize(
    "url", ["sqlite:", "sqlite://", "sqlite:///", "sqlite://tablero.db", "sqlite://data/x.db"]
)
async def test_a_url_without_a_file_says_how_to_write_one(url: str) -> None:
    assert f"{url} names no file: write sqlite:///tablero.db" in await why_not(url)


async def test_a_folder_that_is_not_there_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    missing = tmp_path / "no" / "such"
    told = f"There is no folder {missing}: make it with `mkdir -p {missing}`"
    four_slashes = ", or write the whole path with four slashes: sqlite:////no/such/x.db"
    assert await why_not("sqlite:///no/such/x.db") == f"{told}{four_slashes}."
    assert await why_not(f"sqlite:///{missing}/x.db") == f"{told}."
    assert os.listdir(tmp_path) == []


async def test_a_folder_that_nobody_may_look_into_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of a service with a user of its own, and another user asks."""

    def forbidden(folder: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "is_dir", forbidden)
    told = "Cannot look into /var/lib/x: Permission denied. Say this as the user whose database it is."
    assert await why_not("sqlite:////var/lib/x/games.db") == told


async def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Not a database at all. " * 100)
    sentence = await why_not(f"sqlite:///{path}")
    assert f"{path} is not a sound database (file is not a database)" in sentence
    assert path.read_text().startswith("Not a database")


async def test_a_database_that_is_not_ours_is_left_as_it_is_until_it_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "our games.db"
    before = made_before(path)
    for _ in range(2):
        sentence = await why_not(f"sqlite:///{path}")
        assert sentence.startswith(f"{path} was made by another program or an unreleased Tablero: put")
        assert contents_of(tmp_path) == before
    await asyncio.to_thread(subprocess.run, sentence.split("`")[1], shell=True, check=True)
    await (await open_journal(f"sqlite:///{path}")).close()
    aside = tmp_path / "our games-old"
    assert contents_of(aside) == before
    with closing(sqlite3.connect(aside / path.name)) as connection:
        assert connection.execute("SELECT name FROM player").fetchall() == [("ann",), ("rob",)]


async def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    journal = await place.open()
    await journal.append([Effects([begin(f"room-{number}")]) for number in range(500)])
    await journal.close()
    whole = place.path.read_bytes()
    place.path.write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])
    assert "is not a sound database" in await why_not(place.url)
    place.path.write_bytes(whole)
    await (await place.open()).close()


async def test_a_second_server_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    first = await place.open()
    assert f"Another Tablero server is using the database {place.path}" in await why_not(place.url)
    await first.close()
    await (await place.open()).close()


async def test_a_folder_that_cannot_be_made_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "file"))
    sentence = await why_not("")
    assert f"Cannot write the database {tmp_path}/file/tablero.db" in sentence
    assert f"The server runs as uid {os.geteuid()}" in sentence
    assert f"`chown -R {os.geteuid()} {tmp_path}/file`" in sentence


async def test_a_file_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    place.path.mkdir(parents=True)
    assert f"Cannot write the database {place.path}: Is a directory" in await why_not(place.url)


async def test_a_failed_start_leaves_no_lock(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    await place.ask("PRAGMA user_version = 9999")
    await why_not(place.url)
    await place.ask(f"PRAGMA user_version = {migrations.newest()}")
    await (await place.open()).close()


async def test_a_newer_schema_is_left_alone(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    journal = await place.open()
    await journal.append([Effects([begin("a")])])
    await journal.close()
    await place.ask("PRAGMA user_version = 9999")
    told = f"{place.path} was written by a newer Tablero (schema 9999). Update this program, or restore"
    assert told in await why_not(place.url)
    await place.ask(f"PRAGMA user_version = {migrations.newest()}")
    journal = await place.open()
    assert await lengths(journal) == {"a": 1}
    await journal.close()


async def test_a_postgresql_that_does_not_answer_is_named_without_its_password() -> None:
    sentence = await why_not("postgresql://ann:secret@127.0.0.1:1/games")
    assert "Cannot use the database games at 127.0.0.1" in sentence
    assert "secret" not in sentence


async def test_postgresql_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tablero_server.journal.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert "pip install 'tablero[cluster]'" in await why_not("postgresql://localhost/games")
