"""Tests for any database with real processes: backups under load, and what a restore must not bring back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tablero_server.core.effects import Effects
from tablero_server.core.entry import EndedToken, Lifted, Sanction, SavedToken
from tests.harness.databases import Postgres, Sqlite, read_logs
from tests.harness.journal_entries import ANN, begin
from tests.harness.journal_entries import said as said_at
from tests.harness.playing_pairs import Book, play_for_ever
from tests.harness.processes import done, said
from tests.harness.serving import Serving
from tests.harness.wire import Wire, a_table, a_wire

SECONDS = 60.0


class Load:
    """Pairs that play without end, and the moves that they have played."""

    def __init__(self, url: str) -> None:
        self.heard = asyncio.Event()
        self.book = Book(heard=self.heard.set)
        self.pairs = [asyncio.create_task(play_for_ever(url, number, 1, self.book)) for number in range(3)]

    async def go_on(self, moves: int) -> None:
        until = len(self.book.acknowledged) + moves
        while len(self.book.acknowledged) < until:
            self.heard.clear()
            await self.heard.wait()

    async def end(self) -> None:
        for pair in self.pairs:
            pair.cancel()
        await asyncio.gather(*self.pairs, return_exceptions=True)


@asynccontextmanager
async def at(serving: Serving) -> AsyncIterator[None]:
    with serving:
        serving.start()
        await asyncio.to_thread(serving.wait_until_open)
        async with asyncio.timeout(SECONDS):
            yield


async def back(stack: AsyncExitStack, serving: Serving, token: str) -> Wire:
    wire = await stack.enter_async_context(a_wire(serving))
    wire._ids = (f"again-{number}" for number in count())  # the log has ids of the first connection
    await wire.hello(None, token=token)
    return wire


def welcome_of(wire: Wire) -> dict[str, Any]:
    return next(each for each in wire.heard if each["type"] == "welcome")


async def check_backup_and_restore(home: Path, database: str, elsewhere: str) -> None:
    """Backs up `database` while people play, restores it as `elsewhere`, and continues a game there."""
    file, serving = home / "backup", Serving(home, database)
    async with at(serving):
        load = Load(serving.url)
        async with a_table(serving) as (ana, ben, room):
            await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
            await load.go_on(60)
            before = list(load.book.acknowledged)
            made = await done("backup", file, "--database", database)
            await load.go_on(20)
            await ben.ask("playTurn", room=room, seat=1, ply=1, move="a1")
            epoch = next(each for each in ana.heard if each["type"] == "joined")["table"]["epoch"]
            tokens = [welcome_of(wire)["token"] for wire in (ana, ben)]
            await load.end()
            serving.kill()
    assert made["rows"]["room"] >= 4
    restored = await done("restore", file, "--database", elsewhere, "--replace")
    assert {name: restored[name] for name in ("rows", "fingerprint")} == {
        name: made[name] for name in ("rows", "fingerprint")
    }
    again = await done("backup", home / "again", "--database", elsewhere)
    assert again["fingerprint"] == made["fingerprint"]
    serving = Serving(home, elsewhere)
    async with at(serving), AsyncExitStack() as stack:
        ana, ben = [await back(stack, serving, token) for token in tokens]
        shown = [await each.ask("join", room=room, subscribe=["nextPlayer"]) for each in (ana, ben)]
        assert shown[0]["type"] == "joined", shown
        assert shown[0]["table"]["epoch"] != epoch
        turn = await ben.ask("playTurn", room=room, seat=1, ply=1, move="c3")
        assert (turn["type"], turn["ply"]) == ("nextPlayer", 2), turn
    logs = await read_logs(elsewhere, list({move.room for move in before}))
    kept = {(room, entry.cause[:2]) for room, log in logs.items() for entry in log if entry.cause}
    assert before
    assert {(move.room, (move.player, move.id)) for move in before} <= kept


OLD, NEW = b"\x01" * 32, b"\x02" * 32
LOST = SavedToken(OLD, "ann0", "lost phone", 1, 1)
CAME = SavedToken(NEW, "ann0", "new phone", 2, 2)
PARDONED = Sanction("s1", "out", None, "rob", None, None, "", 1)
BANNED = Sanction("s2", "out", "ann0", "ann", None, None, "", 2)


async def what_happened_since(place: Sqlite | Postgres, file: Path) -> None:
    """Ends a token after the backup, makes another, bans a player, and lifts another player's ban."""
    journal = await place.open()
    at_first = Effects([begin("r1")], kept=[ANN, LOST, PARDONED])
    await journal.append([at_first])
    assert (await done("backup", file, "--database", place.url))["rows"]["sanction"] == 1
    await journal.append([Effects(kept=[EndedToken(LOST.hash), CAME, Lifted(PARDONED), BANNED])])
    await journal.append([Effects([said_at("r1", 1)])])
    await journal.close()


async def check_nothing_is_revived(place: Sqlite | Postgres, file: Path) -> None:
    await what_happened_since(place, file)
    code, text = await said("restore", file, "--database", place.url)
    assert (code, "Say --replace to put the backup in its place." in text) == (1, True), text
    restored = await done("restore", file, "--database", place.url, "--replace")
    assert (restored["ended"], restored["bans"], restored["unknown"]) == (["ann"], 1, False)
    journal = await place.open()
    saved = await journal.load()
    assert (saved.restored, [token.hash for token in saved.tokens]) == (True, [NEW])
    assert [sanction.id for sanction in saved.sanctions] == ["s2"]
    assert [len(log) for log in saved.logs] == [1]
    await journal.close()
