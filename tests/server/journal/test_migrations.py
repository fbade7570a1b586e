"""Migrations lead to the schema that the code defines, after a copy, and lose nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgpack
import pytest

from tablero_games.record.verify import verify
from tablero_server.core.effects import Effects
from tablero_server.journal import BadDatabase, migrations
from tablero_server.journal.schema import TABLES
from tablero_server.journal.sqlite import SqliteJournal
from tests.harness.databases import OLDEST, Place, Postgres, Sqlite, fill_with_an_older_schema
from tests.harness.journal_entries import begin, lengths, said
from tests.harness.pages import a_browser
from tests.harness.wire import a_server, a_wire

MADE_BY_ALEMBIC = Path(__file__).parent / "made_by_alembic"
"""Databases of the time when Alembic ran the migrations, with three rooms and two players in each."""
ANAS_TOKENS = {
    Sqlite: "CJqI-gGDcqkHCwEvKYBoRS6i53JM7D4RzuebK7M2XE8",
    Postgres: "5Xz8kEeI8rGjRV8KzwOvODy3q3InbbGtuoMYgsktulg",
}


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        [(found,)] = connection.execute("SELECT version_num FROM alembic_version")
    return str(found)


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
    del columns["alembic_version"], columns["meta"]
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


async def indexes(place: Sqlite | Postgres) -> list[str]:
    if isinstance(place, Sqlite):
        sql = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    else:
        sql = "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname"
    return [str(line).replace(getattr(place, "schema", ""), "") for (line,) in await place.ask(sql)]


async def test_a_database_that_alembic_made_is_opened_and_goes_on(database: Sqlite | Postgres) -> None:
    await (await database.open()).close()
    new = await tables(database), await indexes(database)
    if isinstance(database, Sqlite):
        database.path.unlink()
        database.path.with_name("tablero.db.lock").unlink()
        shutil.copy(MADE_BY_ALEMBIC.with_suffix(".db"), database.path)
    else:
        for table in ("alembic_version", "meta", *TABLES):
            await database.ask(f"DROP TABLE {table} CASCADE")
        await database.script(MADE_BY_ALEMBIC.with_suffix(".sql").read_text())
    async with a_server(await database.open(), token_days=100_000) as server:
        rooms = [views.room for views in server.service.hub.rooms.open.values()]
        assert sorted((room.game.name, room.state.value, room.ply) for room in rooms) == [
            ("minesweeper", "playing", 0),
            ("quoridor", "playing", 2),
            ("tic-tac-toe", "finished", 5),
        ]
        async with a_browser(server) as browser:
            for room in rooms:
                status, record = await browser.get(f"/api/rooms/{room.id}/record")
                assert (status, verify(record).valid) == (200, True)
        async with a_wire(server) as ana:
            await ana.hello(token=ANAS_TOKENS[type(database)])
            [quoridor] = [room.id for room in rooms if room.game.name == "quoridor"]
            await ana.ask("join", id="new-join", room=quoridor, watch=True)
            turn = await ana.ask("playTurn", id="new-turn", room=quoridor, seat=0, ply=2, move="e3")
            assert turn["type"] == "ok", turn
            told = await ana.ask("showHistory", id="new-history", room=quoridor)
            assert [turn["ply"] for turn in told["turns"]] == [1, 2, 3]
            offered = await ana.ask("offer", id="new-offer", room=quoridor, seat=0, what="takeback")
            assert offered["type"] == "ok", offered
    assert (await tables(database), await indexes(database)) == new
    placings = await database.placings()
    assert [(each.seat, each.place, each.kind, each.private) for each in placings] == [
        (0, 1, "win", False),
        (1, 2, "win", False),
    ]
    assert [each.player for each in placings] == [each.rival for each in reversed(placings)]


OLD_RESULTS: list[tuple[str, str, str, list[tuple[object, ...]]]] = [
    (
        "a win",
        '["ann","rob"]',
        '{"kind":"win","winners":[1],"reason":"line","scores":[3,6],"ranking":[[1],[0]]}',
        [(0, "ann", 0, "rob", 2, 3), (1, "rob", 1, "ann", 1, 6)],
    ),
    (
        "a win without a ranking",
        '["ann","rob"]',
        '{"kind":"win","winners":[0],"reason":"line","scores":null,"ranking":null}',
        [(0, "ann", 0, "rob", 1, None), (1, "rob", 1, "ann", 2, None)],
    ),
    (
        "a shared place",
        '["ann","rob","eve"]',
        '{"kind":"win","winners":[2],"reason":"line","scores":[1,1,9],"ranking":[[2],[0,1]]}',
        [(0, "ann", 0, None, 2, 1), (1, "rob", 1, None, 2, 1), (2, "eve", 0, None, 1, 9)],
    ),
    (
        "a draw",
        '["ann","rob"]',
        '{"kind":"draw","winners":[],"reason":"line","scores":null,"ranking":null}',
        [(0, "ann", 0, "rob", 1, None), (1, "rob", 1, "ann", 1, None)],
    ),
    (
        "an aborted game of one with herself, and an empty seat",
        '["ann","ann",""]',
        '{"kind":"aborted","winners":[],"reason":"line","scores":null,"ranking":null}',
        [(0, "ann", 0, None, None, None), (1, "ann", 0, None, None, None)],
    ),
    (
        "one with herself",
        '["ann","ann"]',
        '{"kind":"loss","winners":[],"reason":"line","scores":[4],"ranking":null}',
        [(0, "ann", 0, None, None, 4), (1, "ann", 0, None, None, None)],
    ),
]


@pytest.mark.parametrize(
    ("players", "outcome", "expected"), [old[1:] for old in OLD_RESULTS], ids=[old[0] for old in OLD_RESULTS]
)
async def test_what_was_a_line_a_game_is_a_row_a_seat(
    database: Sqlite | Postgres, players: str, outcome: str, expected: list[tuple[object, ...]]
) -> None:
    await from_before_placings(database)
    hash = "x'00'" if isinstance(database, Sqlite) else "'x'"
    await database.ask(f"INSERT INTO player VALUES ('rob', 'Rob', {hash}, 1, 1, 1)")
    await database.ask("INSERT INTO room VALUES (1, 'r', 1, 'me', 0, 1, NULL, 'tic-tac-toe')")
    await database.ask(f"INSERT INTO result VALUES (1, 'tic-tac-toe', 77, '{players}', '{outcome}')")
    await (await database.open()).close()
    placings = await database.placings()
    assert [
        (each.seat, each.player, int(each.bot), each.rival, each.place, each.score) for each in placings
    ] == expected
    assert {(each.room, each.game, each.at, each.value) for each in placings} == {
        ("r", "tic-tac-toe", 77, None)
    }


@pytest.mark.parametrize("private", [True, False, None])
async def test_what_was_private_stays_private(database: Sqlite | Postgres, private: bool | None) -> None:
    await from_before_placings(database)
    await database.ask("INSERT INTO room VALUES (1, 'r', 1, 'me', 0, 1, NULL, 'tic-tac-toe')")
    if private is not None:
        body = msgpack.packb({"game": "tic-tac-toe", "private": private, "clock": None}).hex()
        blob = f"x'{body}'" if isinstance(database, Sqlite) else f"'\\x{body}'"
        columns = "(room, seq, kind, at, body)"
        await database.ask(f"INSERT INTO record {columns} VALUES (1, 0, 'created', 1, {blob})")
    outcome = '{"kind":"draw","winners":[],"reason":"line","scores":null,"ranking":null}'
    await database.ask(f"""INSERT INTO result VALUES (1, 'tic-tac-toe', 7, '["ann"]', '{outcome}')""")
    await (await database.open()).close()
    assert [each.private for each in await database.placings()] == [private is not False]


async def from_before_placings(place: Sqlite | Postgres) -> None:
    """A database without rooms, as the last server left it that kept one line a game."""
    if isinstance(place, Sqlite):
        with closing(sqlite3.connect(place.path)) as connection:
            connection.executescript(migrations.upgrade("sqlite", None, "0003"))
    else:
        await place.script(migrations.upgrade("postgresql", None, "0003"))


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
    copy = place.path.with_name(f"tablero.db.before-{migrations.newest()}")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.write_text("half of it")
    await (await place.open()).close()
    assert revision(copy) == OLDEST
    assert not unfinished.exists()


async def test_a_migration_that_fails_has_changed_nothing(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    fill_with_an_older_schema(place.path)
    broken = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, broken)
    (broken / "9999.sqlite.sql").write_text("DROP TABLE record; SELECT nonsense;")
    with pytest.raises(BadDatabase, match="no such column: nonsense"):
        await SqliteJournal.opened(place.path, "me", lambda: ("x", 1), broken)
    assert revision(place.path) == OLDEST
    journal = await place.open()
    assert await lengths(journal) == {"a": 1}
    await journal.append([Effects([begin("b")])])
    await journal.close()
