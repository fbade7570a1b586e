"""A database of every earlier schema opens, its tokens open the door, and its games go on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from tablero_games.record.verify import verify
from tablero_server.core.effects import Effects
from tablero_server.journal import migrations
from tablero_server.journal.rows import rows_of
from tests.harness.databases import Postgres, Sqlite
from tests.harness.desk import Desk
from tests.harness.pages import a_browser
from tests.harness.wire import Json, a_server, a_wire

EARLIER = sorted({path.name.partition(".")[0] for path in migrations.FOLDER.glob("*.sql")})[:-1]
TOKENS_OF_THEIR_OWN = "0006"
"""From this schema on a player may have several; before, each had one."""

MADE_BY = Path(__file__).parent / "made_by"
"""What servers of their time have made and a kill has left, with the tokens of those who played there.

What one with schema 0002 has left is `made_by_alembic` beside this, which test_migrations opens."""
NEVER_IN_A_SERVER = {"0001", "0004", "0005", "0006"}
"""Schemas with which a later one came."""
MADE = sorted({path.name.partition(".")[0] for path in MADE_BY.glob("*.sql")})
TURNS = {"on": ("Ana", 0, 2, "c3"), "days": ("Ana", 0, 2, "e3"), "field": ("Ben", 1, 1, "flag")}
"""Who goes on in which room, with the first move that begins so."""


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


@pytest.mark.parametrize("revision", MADE)
async def test_what_a_server_of_its_time_has_left_is_all_there_and_goes_on(
    database: Sqlite | Postgres, revision: str
) -> None:
    made = MADE_BY / f"{revision}.{dialect(database)}.sql"
    await execute(database, [made.read_text("utf-8")])
    left: Json = json.loads(made.with_suffix(".json").read_text("utf-8"))
    tokens, rooms = left["tokens"], left["rooms"]
    async with a_server(await database.open(), token_days=100_000) as server:
        for device in tokens.keys() - {"Dan"}:
            async with a_wire(server) as wire:
                welcome = await wire.ask("hello", protocol=1, client="test", token=tokens[device])
                assert welcome["player"]["name"] == device.partition("'")[0]
        if "Dan" in tokens:
            async with a_wire(server) as dan:
                banned = await dan.ask("hello", protocol=1, client="test", token=tokens["Dan"])
                assert (banned["reason"], banned["fields"]["why"]) == ("keptOut", "made so")
        for called, (name, seat, ply, move) in TURNS.items():
            async with a_wire(server) as wire:
                await wire.ask("hello", protocol=1, client="test", token=tokens[name])
                room = rooms[called]
                await wire.ask("join", id=f"join-{called}", room=room, watch=True, subscribe=["nextPlayer"])
                while (now := await wire.hear())["type"] != "nextPlayer":
                    pass
                game = server.service.hub.rooms.open[room].room.game
                legal = game.legal_moves(now["view"], seat)
                turn = await wire.ask(
                    "playTurn",
                    id=f"turn-{called}",
                    room=room,
                    seat=seat,
                    ply=ply,
                    move=next(each for each in legal if each.startswith(move)),
                )
                assert turn["type"] == "nextPlayer", turn
        async with a_browser(server) as browser:
            ana = {"Authorization": f"Bearer {tokens['Ana']}"}
            for called in rooms.keys() - {"waiting"}:
                status, record = await browser.get(f"/api/rooms/{rooms[called]}/record", **ana)
                assert (status, verify(record).valid) == (200, True), called
            status, _ = await browser.get(f"/api/rooms/{rooms['private']}/record")
            assert status == 404
            _, page = await browser.get("/api/players/Ana", **ana)
            assert {game["room"] for game in json.loads(page)["games"]} == {
                rooms[called] for called in ("won", "private", "rated") if called in rooms
            }
            values = [rating["value"] for rating in json.loads(page)["ratings"]]
            assert values == ([1662] if "rated" in rooms else [])
    kept = await (server_of_later := await database.open()).load()
    assert len(kept.tokens) == len(tokens)
    await server_of_later.close()


def test_every_earlier_schema_that_a_server_had_has_left_something() -> None:
    assert set(EARLIER) - NEVER_IN_A_SERVER - {"0002"} <= set(MADE)
