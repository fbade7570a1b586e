"""A backup under load, restored: everything is there by its hash, and games go on from it. Real processes."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablero_server.journal import migrations
from tablero_server.operations.copies import PLAYED, fingerprint, played, sums_of, told
from tests.harness.command_line import tablero
from tests.harness.copies import check_backup_and_restore, check_nothing_is_revived, what_happened_since
from tests.harness.databases import Sqlite
from tests.harness.processes import said


async def test_a_backup_under_load_is_restored_elsewhere_and_games_go_on_from_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.db"
    (tmp_path / "elsewhere").mkdir()
    await check_backup_and_restore(tmp_path, database, f"sqlite:///{tmp_path}/elsewhere/games.db")


# What was ended, banned or pardoned meanwhile


async def test_a_restore_revives_no_ended_token_and_no_ban(tmp_path: Path) -> None:
    await check_nothing_is_revived(Sqlite(tmp_path), tmp_path / "backup")


async def test_elsewhere_it_says_what_it_cannot_know(tmp_path: Path) -> None:
    await what_happened_since(Sqlite(tmp_path), tmp_path / "backup")
    code, text = await said("restore", tmp_path / "backup", "--database", f"sqlite:///{tmp_path}/else.db")
    assert (code, "Tokens, bans and mutes are as they were" in text) == (0, True), text
    assert "`tablero admin list`" in text


# What is refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("backup", "there", "--database", "sqlite:///games.db"), "there is there already. Say --replace"),
        (("backup", "long" * 99, "--database", "sqlite:///games.db"), "Cannot write longlong"),
        (("backup", "no/folder", "--database", "sqlite:///games.db"), "There is no folder "),
        (("backup", "new", "--database", "sqlite:///none.db"), "There is no database "),
        (("backup", "games.db", "--database", "sqlite:///games.db", "--replace"), "is the database itself"),
        (("backup", "new", "--database", "sqlite:///there"), "there was made by another program"),
        (
            ("backup", "new", "--database", "sqlite:///newer.db"),
            "newer.db was written by a newer Tablero (sc",
        ),
        (
            ("restore", "newer.db", "--database", "sqlite:///new.db"),
            "newer.db was written by a newer Tablero",
        ),
        (("backup", "new", "--database", "memory"), "A server in memory keeps nothing"),
        (("backup", "new", "--database", "postgresql://u:pw@127.0.0.1:1/n"), "Cannot use the database n at"),
        (("restore", "nothing", "--database", "sqlite:///new.db"), "Cannot read nothing: No such file"),
        (("restore", "text", "--database", "sqlite:///new.db"), "text is no backup"),
        (("restore", "half", "--database", "sqlite:///new.db"), "half is damaged ("),
        (
            ("restore", "there", "--database", "sqlite:///new.db"),
            "there is no backup: another program or an un",
        ),
        (("restore", "games.db", "--database", "sqlite:///there"), "there was made by another program"),
        (
            ("restore", "games.db", "--database", "sqlite:///there", "--replace"),
            "there was made by another program",
        ),
        (("restore", "games.db", "--database", "postgresql://u@127.0.0.1:1/n"), "a backup of a SQLite data"),
        (("restore", "games.db", "--database", "memory"), "A server in memory keeps nothing"),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("there")) as connection:
        connection.execute("CREATE TABLE theirs (number)")
    with closing(sqlite3.connect("games.db")) as connection:
        connection.executescript(migrations.upgrade("sqlite"))
        connection.executemany(
            "INSERT INTO token VALUES (?, '', '', 1, 1)", [(b"%d" % n,) for n in range(999)]
        )
        connection.commit()
    shutil.copy("games.db", "newer.db")
    with closing(sqlite3.connect("newer.db")) as connection, connection:
        connection.execute("PRAGMA user_version = 9999")
    Path("half").write_bytes(Path("games.db").read_bytes()[:20_000])
    Path("text").write_text("no backup")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    code, text = tablero(*arguments)
    assert (code, sentence in text) == (1, True), text
    lock = tmp_path / "new.db.lock"
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path != lock} == before


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_postgresql_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    file = tmp_path / "dump"
    if command == "restore":
        file.write_bytes(b"PGDMP")
    for module in ("tablero_server.journal.postgres", "tablero_server.operations.postgres_copies"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    code, text = tablero(command, str(file), "--database", "postgresql://localhost/games")
    assert (code, "pip install 'tablero[cluster]'" in text) == (1, True), text


# What is compared


@pytest.fixture
def contents() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            "CREATE TABLE player (id TEXT, seen INTEGER); CREATE TABLE token (hash BLOB);"
            "INSERT INTO player VALUES ('a', 1), ('b', 2); INSERT INTO token VALUES (x'00');"
        )
        yield connection


def test_order_does_not_matter_and_any_change_does(contents: sqlite3.Connection) -> None:
    before = sums_of(contents, PLAYED)
    contents.executescript("DELETE FROM player; INSERT INTO player VALUES ('b', 2), ('a', 1);")
    assert sums_of(contents, PLAYED) == before
    contents.execute("UPDATE player SET seen = 3 WHERE id = 'b'")
    assert sums_of(contents, PLAYED) != before
    contents.execute("DELETE FROM player WHERE id = 'b'")
    assert sums_of(contents, PLAYED)["player"].count == 1


def test_the_fingerprint_is_of_what_was_played_alone(contents: sqlite3.Connection) -> None:
    before = sums_of(contents, ("player", "token"))
    contents.execute("DELETE FROM token")
    after = sums_of(contents, ("player", "token"))
    assert (after == before, fingerprint(after) == fingerprint(before)) == (False, True)
    contents.execute("DELETE FROM player")
    assert fingerprint(sums_of(contents, PLAYED)) != fingerprint(before)


def test_tables_of_another_schema_are_passed_over(contents: sqlite3.Connection) -> None:
    sums = sums_of(contents, (*PLAYED, "token"))
    assert list(sums) == ["player", "token"]
    assert list(played(sums)) == ["player"]
    assert told(sums) == "2 players, 1 token"
