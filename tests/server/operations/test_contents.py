"""Two databases have equal sums if they hold the same, in whatever order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from tablero_server.operations.contents import PLAYED, fingerprint, played, sums_of, told


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            "CREATE TABLE player (id TEXT, seen INTEGER); CREATE TABLE token (hash BLOB);"
            "INSERT INTO player VALUES ('a', 1), ('b', 2); INSERT INTO token VALUES (x'00');"
        )
        yield connection


def test_order_does_not_matter_and_any_change_does(database: sqlite3.Connection) -> None:
    before = sums_of(database, PLAYED)
    database.executescript("DELETE FROM player; INSERT INTO player VALUES ('b', 2), ('a', 1);")
    assert sums_of(database, PLAYED) == before
    database.execute("UPDATE player SET seen = 3 WHERE id = 'b'")
    assert sums_of(database, PLAYED) != before
    database.execute("DELETE FROM player WHERE id = 'b'")
    assert sums_of(database, PLAYED)["player"].count == 1


def test_the_fingerprint_is_of_what_was_played_alone(database: sqlite3.Connection) -> None:
    before = sums_of(database, ("player", "token"))
    database.execute("DELETE FROM token")
    after = sums_of(database, ("player", "token"))
    assert (after == before, fingerprint(after) == fingerprint(before)) == (False, True)
    database.execute("DELETE FROM player")
    assert fingerprint(sums_of(database, PLAYED)) != fingerprint(before)


def test_tables_of_another_schema_are_passed_over(database: sqlite3.Connection) -> None:
    contents = sums_of(database, (*PLAYED, "token"))
    assert list(contents) == ["player", "token"]
    assert list(played(contents)) == ["player"]
    assert told(contents) == "2 players, 1 token"
