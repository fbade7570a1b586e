"""A database of every earlier schema opens, its tokens open the door, and its games go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import migrations
from tablero_server.journal.rows import rows_of
from tests.harness.desk import Desk
from tests.harness.wire import a_server, a_wire

from .places import Postgres, Sqlite

EARLIER = sorted({path.name.partition(".")[0] for path in migrations.FOLDER.glob("*.sql")})[:-1]
TOKENS_OF_THEIR_OWN = "0006"
"""From this schema on a player may have several; before, each had one."""


async def execute(place: Sqlite | Postgres, statements: Iterable[str]) -> None:
    script = "\n".join(statements)
    if isinstance(place, Postgres):
        await place.script(script)
        return
    with closing(sqlite3.connect(place.path)) as connection:
        connection.executescript(script)


def dialect(place: Sqlite | Postgres) -> migrations.Dialect:
    return "sqlite" if isinstance(place, Sqlite) else "postgresql"


def row(place: Sqlite | Postgres, table: str, *values: object) -> str:
    def literal(value: object) -> str:
        match value:
            case None:
                return "NULL"
            case bytes() | bytearray():
                return f"X'{value.hex()}'" if isinstance(place, Sqlite) else f"'\\x{value.hex()}'"
            case str():
                return f"'{value}'"
        return str(value)

    return f"INSERT INTO {table} VALUES ({', '.join(map(literal, values))});"


def fill(place: Sqlite | Postgres, revision: str, desk: Desk) -> list[str]:
    """What a server with this schema would have written of the desk's players and its one game."""
    lines = [migrations.upgrade(dialect(place), None, revision)]
    lines.append("INSERT INTO meta (lineage, created) VALUES ('first', 1);")
    for peer in (each for each in desk.peers.values() if each.token):
        id, name, bot, created, seen = desk.players[peer.player]
        hash = sha256((peer.token or "").encode()).digest()
        if revision < TOKENS_OF_THEIR_OWN:
            lines.append(row(place, "player", id, name, hash, int(bot), created, seen))
        else:
            lines.append(row(place, "player", id, name, int(bot), created, seen))
            lines.append(row(place, "token", hash, id, "phone", created, seen))
    [(room, log)] = desk.journal.items()
    lines.append(row(place, "room", 1, room, 1, "me", log[-1].seq, log[0].at, None, log[0].body["game"]))
    for _, *rest in rows_of([Effects(log)], {}, "me").write:
        lines.append(row(place, "record", 1, *rest))
    return lines


@pytest.mark.parametrize("revision", EARLIER)
async def test_tokens_of_an_earlier_schema_still_open_the_door_and_its_games_go_on(
    database: Sqlite | Postgres, revision: str
) -> None:
    desk = Desk()
    desk.now = 1_790_000_000_000
    ann, bob, room = desk.pair()
    ann.play(room, "b2")
    await execute(database, fill(database, revision, desk))
    async with (
        a_server(await database.open(), token_days=100_000) as server,
        a_wire(server) as anna,
        a_wire(server) as bobby,
    ):
        for wire, peer in ((anna, ann), (bobby, bob)):
            welcome = await wire.ask("hello", protocol=1, client="test", token=peer.token)
            assert welcome["player"] == {"id": peer.player, "name": peer.name, "bot": False}
            assert [held["room"] for held in welcome["rooms"]] == [room]
            await wire.ask("join", room=room, watch=True, subscribe=["nextPlayer"])
        turn = await bobby.ask("playTurn", room=room, seat=1, ply=1, move="a1")
        assert (turn["type"], turn["ply"]) == ("nextPlayer", 2)
    server_of_later = await database.open()
    assert {token.player for token in (await server_of_later.load()).tokens} == {ann.player, bob.player}
    await server_of_later.close()
