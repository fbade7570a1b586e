"""A backup under load, restored: everything is there by its hash, and games go on from it. Real processes."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bench.serving import Serving
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Sanction, SavedToken
from tablero_server.journal import migrations
from tests.harness.command_line import tablero
from tests.harness.databases import Postgres, Sqlite
from tests.harness.journal_entries import ANN, begin
from tests.harness.journal_entries import said as said_at
from tests.harness.processes import done, said
from tests.harness.wire import Wire, a_table, a_wire
from trials.kill_loop import read_logs
from trials.pairs import Book, play_for_ever

SECONDS = 60.0


class Load:
    """Pairs that play on and on, and how much they have played."""

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
    wire._ids = (f"again-{number}" for number in count())  # the log has those of the first connection
    await wire.hello(None, token=token)
    return wire


def welcome_of(wire: Wire) -> dict[str, Any]:
    return next(each for each in wire.heard if each["type"] == "welcome")


async def check_backup_and_restore(home: Path, database: str, elsewhere: str) -> None:
    """Backs `database` up while people play, restores it as `elsewhere`, and lets a game go on from there."""
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


async def test_a_backup_under_load_is_restored_elsewhere_and_games_go_on_from_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.db"
    (tmp_path / "elsewhere").mkdir()
    await check_backup_and_restore(tmp_path, database, f"sqlite:///{tmp_path}/elsewhere/games.db")


# What was ended, banned or pardoned meanwhile


OLD, NEW = b"\x01" * 32, b"\x02" * 32
LOST = SavedToken(OLD, "ann0", "lost phone", 1, 1)
CAME = SavedToken(NEW, "ann0", "new phone", 2, 2)
PARDONED = Sanction("s1", "out", None, "rob", None, None, "", 1)
BANNED = Sanction("s2", "out", "ann0", "ann", None, None, "", 2)


async def what_happened_since(place: Sqlite | Postgres, file: Path) -> None:
    """After the backup a token is ended, another made, somebody banned, and somebody else pardoned."""
    journal = await place.open()
    at_first = Effects([begin("r1")], players=(ANN,), tokens=(LOST,), sanctions=(PARDONED,))
    await journal.append([at_first])
    assert (await done("backup", file, "--database", place.url))["rows"]["sanction"] == 1
    await journal.append([Effects(ended=(LOST,), tokens=(CAME,), lifted=(PARDONED,), sanctions=(BANNED,))])
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


async def test_a_restore_revives_no_ended_token_and_no_ban(tmp_path: Path) -> None:
    await check_nothing_is_revived(Sqlite(tmp_path), tmp_path / "backup")


async def test_elsewhere_it_says_what_it_cannot_know(tmp_path: Path) -> None:
    await what_happened_since(Sqlite(tmp_path), tmp_path / "backup")
    code, text = await said("restore", tmp_path / "backup", "--database", f"sqlite:///{tmp_path}/else.db")
    assert (code, "Nothing here knows which tokens were ended" in text) == (0, True), text
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
        (("backup", "new", "--database", "sqlite:///there"), "the database of another program"),
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
        (("restore", "there", "--database", "sqlite:///new.db"), "the database of another program"),
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
        connection.executescript(migrations.upgrade("sqlite", None))
        connection.execute("INSERT INTO meta (lineage, created) VALUES ('it', 1)")
        connection.executemany(
            "INSERT INTO token VALUES (?, '', '', 1, 1)", [(b"%d" % n,) for n in range(999)]
        )
        connection.commit()
    shutil.copy("games.db", "newer.db")
    with closing(sqlite3.connect("newer.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    Path("half").write_bytes(Path("games.db").read_bytes()[:20_000])
    Path("text").write_text("no backup")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    code, text = tablero(*arguments)
    assert (code, sentence in text) == (1, True), text
    lock = tmp_path / "new.db.lock"
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path != lock} == before
