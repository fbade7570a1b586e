"""The SQL: of one text for both databases, with every row given as parameters and none in the text."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest

from tablero_server.journal.rows import Rows
from tablero_server.journal.schema import TABLES
from tablero_server.journal.statements import STATEMENTS, Statement


def test_there_is_a_statement_for_each_field_of_what_is_written_and_in_its_order() -> None:
    assert tuple(STATEMENTS) == Rows._fields


@pytest.mark.parametrize("name", STATEMENTS)
def test_on_sqlite_each_value_of_each_row_is_a_parameter(name: str) -> None:
    statement = STATEMENTS[name]
    for rows in (1, 3):
        assert statement.for_sqlite(rows).count("?") == rows * len(statement.columns)
    assert "{" not in statement.for_sqlite(1)


@pytest.mark.parametrize("name", STATEMENTS)
def test_on_postgresql_each_column_is_one_array_of_its_type(name: str) -> None:
    statement = STATEMENTS[name]
    given = re.findall(r"\$(\d+)::([\w ]+)\[\]", statement.for_postgres())
    assert given == [(str(at), type) for at, (_, type) in enumerate(statement.columns, 1)]
    assert "OR FAIL" not in statement.for_postgres()
    assert "{" not in statement.for_postgres()


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_column_that_is_given_is_named(name: str) -> None:
    for column, _ in STATEMENTS[name].columns:
        assert re.search(rf"\b{column}\b", STATEMENTS[name].sql), column


def test_only_what_takes_rows_away_may_hit_fewer_rows_than_were_given() -> None:
    assert [name for name, statement in STATEMENTS.items() if not statement.exact] == [
        "forget",
        "end_tokens",
        "lift",
        "forget_mutes",
        "unmute",
    ]


@pytest.fixture
def database() -> closing[sqlite3.Connection]:
    """As much of the schema as these statements need, of its own types."""
    connection = sqlite3.connect(":memory:")
    for table in ("player", "room", "record"):
        connection.execute(f"CREATE TABLE {table} ({', '.join(TABLES[table])})")
    connection.execute("CREATE UNIQUE INDEX one ON player (id)")
    return closing(connection)


def test_a_row_whose_first_column_is_null_has_no_effect(database: closing[sqlite3.Connection]) -> None:
    """So a batch may be filled up to a size whose statement is known already."""
    with database as connection:
        keep = STATEMENTS["keep"]
        ann = ["ann" if column == "id" else 1 for column, _ in keep.columns]
        nothing = [None] * len(keep.columns)
        connection.execute(keep.for_sqlite(3), [*ann, *nothing, *nothing])
        assert connection.execute("SELECT id FROM player").fetchall() == [("ann",)]


def test_only_its_owner_takes_a_room_on_and_only_from_where_it_stands(
    database: closing[sqlite3.Connection],
) -> None:
    with database as connection:
        connection.execute("INSERT INTO room (id, owner_epoch, head) VALUES ('r', 7, 3)")

        def advance(epoch: int, before: int) -> int:
            values = {"room_id": "r", "epoch": epoch, "before": before, "after": 5, "closing": None}
            return run(connection, STATEMENTS["advance"], values)

        assert advance(6, 3) == 0
        assert advance(7, 2) == 0
        assert advance(7, 3) == 1
        assert advance(7, 3) == 0
        connection.execute("UPDATE room SET closed_at = 1")
        assert advance(7, 5) == 0


def run(connection: sqlite3.Connection, statement: Statement, values: dict[str, object]) -> int:
    row = [values[column] for column, _ in statement.columns]
    return connection.execute(statement.for_sqlite(1), row).rowcount
