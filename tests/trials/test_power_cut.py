"""The journal on a disk that fails: small versions of `make power-cut`, and a whole server on such a disk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import apsw
import pytest

from tablero_server.app import Server
from tablero_server.journal import BadDatabase, JournalBroken
from tests.harness.wire import a_server, a_table
from trials.disk import Disk, Fault
from trials.disk_journal import open_on
from trials.power_cut import NORMAL, OFTEN, Verdict, broken, cuts, failing, full_disk

SEED = 8470


async def test_a_power_cut_loses_no_acknowledged_move(tmp_path: Path) -> None:
    verdict = await cuts(12, SEED, tmp_path, "power cut", OFTEN)
    assert verdict.kept, verdict
    assert verdict.struck == 12
    assert verdict.acknowledged > 300


async def test_without_a_sync_at_every_commit_the_same_cuts_lose_moves(tmp_path: Path) -> None:
    verdict = await cuts(12, SEED, tmp_path, "synchronous=NORMAL", NORMAL)
    assert verdict.lost > 0
    assert not verdict.unsound


async def test_a_full_disk_loses_nothing_and_the_journal_goes_on_when_there_is_room(tmp_path: Path) -> None:
    verdict = await full_disk(2, SEED, tmp_path)
    assert verdict.kept, verdict
    assert verdict.struck == 2


async def test_a_failed_write_loses_nothing(tmp_path: Path) -> None:
    verdict = await failing("write", 5, SEED, tmp_path)
    assert verdict.kept, verdict
    assert verdict.struck > 2


async def test_a_failed_sync_loses_nothing_also_when_the_power_goes_later(tmp_path: Path) -> None:
    verdict = await failing("sync", 10, SEED, tmp_path)
    assert verdict.kept, verdict
    assert verdict.struck > 5


def test_a_run_that_loses_nothing_without_syncs_sees_nothing() -> None:
    assert broken([Verdict("power cut", lost=1)]) == ["power cut"]
    assert broken([Verdict("synchronous=NORMAL", lost=1)]) == []
    assert len(broken([Verdict("synchronous=NORMAL")])) == 1


@asynccontextmanager
async def on_a_disk(folder: Path) -> AsyncIterator[tuple[Disk, Server]]:
    disk = Disk(Random(SEED))
    async with a_server(await open_on(disk, folder / "tablero.db", "test")) as server:
        yield disk, server


async def test_a_server_on_a_full_disk_asks_for_patience_and_goes_on_by_itself(tmp_path: Path) -> None:
    async with on_a_disk(tmp_path) as (disk, server), a_table(server) as (ana, ben, room):
        disk.set_fault(Fault("write", 1, apsw.SQLITE_FULL, lasting=True))
        turn = {"room": room, "seat": 0, "ply": 0, "move": "b2"}
        refused = await ana.ask("playTurn", **turn)
        assert (refused["type"], refused["code"]) == ("refused", "retryLater")
        assert (await ana.ask("resume", room=room, epoch="?", seq=0))["type"] == "snapshot"  # reading goes on
        disk.set_fault(None)
        assert (await ana.ask("playTurn", **turn))["type"] == "nextPlayer"
        assert [record.kind for record in await server.journal.log(room)].count("turn") == 1
        heard = await ben.hear()
        while heard.get("last", {}).get("move") != "b2":
            heard = await ben.hear()


async def test_a_start_on_a_full_disk_ends_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "tablero.db"
    await (await open_on(Disk(Random(SEED)), path, "test")).close()
    disk = Disk(Random(SEED))
    disk.set_fault(Fault("write", 1, apsw.SQLITE_FULL, lasting=True))
    with pytest.raises(
        BadDatabase, match=r"Cannot write .*: no room\. Make room on its disk and start again"
    ):
        await open_on(disk, path, "test")
    await (await open_on(Disk(Random(SEED)), path, "test")).close()


async def test_a_failed_sync_ends_the_server_and_acknowledges_nothing(tmp_path: Path) -> None:
    async with on_a_disk(tmp_path) as (disk, server), a_table(server) as (ana, _, room):
        disk.set_fault(Fault("sync", 1, apsw.SQLITE_IOERR_FSYNC))
        await ana.tell("playTurn", room=room, seat=0, ply=0, move="b2")
        with pytest.raises(JournalBroken):
            await server.broken()
        server.network.stopping = True
        await server.service.say_goodbye()
        await server.network.stop()
        await ana.closed()
        assert not any(message.get("last") for message in ana.heard)
