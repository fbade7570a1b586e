"""Replays in processes of their own: what they make, when they are ended, and who has to wait."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tablero_games import GAMES
from tablero_games.record.file import write
from tablero_server.core.refusal import Refusal
from tablero_server.http.replays import Replays, WantedReplay
from tablero_server.processes import replay_process
from tests.harness.games.records import play

RECORD = write(play(GAMES["quoridor"], {"size": 5})).encode()


def children_of(pid: int) -> set[int]:
    """Asked of each process by itself: threads that start some may end meanwhile."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            if (process / "stat").read_text().rpartition(")")[2].split()[1] == str(pid):
                found.add(int(process.name))
    return found


@asynccontextmanager
async def replays(seconds: float = 20, most_waiting: int = 1) -> AsyncIterator[Replays]:
    """Whose processes are gone with it."""
    before, made = children_of(os.getpid()), Replays(seconds, most_waiting)
    try:
        yield made
    finally:
        await made.stop()
        assert children_of(os.getpid()) <= before


def helper_of(replays: Replays) -> int:
    assert replays._helper is not None
    return replays._helper._process.pid


async def test_one_helper_makes_all_of_them_and_keeps_no_process_of_any() -> None:
    async with replays() as ours:
        made = await ours.make("a", RECORD)
        helper = helper_of(ours)
        assert json.loads(gzip.decompress(made))["game"] == "quoridor"
        assert await ours.make("b", RECORD) == made
        assert (helper_of(ours), children_of(helper)) == (helper, set())


async def test_what_the_process_refuses_is_a_refusal() -> None:
    async with replays() as ours:
        with pytest.raises(Refusal, match="Line 1 of") as caught:
            await ours.make("a", b"{}\n")
        assert caught.value.fields["line"] == 1


def instead(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Something else is done with each record that does not say so itself."""
    (folder / "instead.py").write_text(
        "import json, os, sys\n"
        "from tablero_server.processes import replay_process\n"
        f"def replayed(record, so_far):\n    {text}\n"
        "replay_process.replayed = replayed\n"
        "replay_process.main()\n"
    )
    paths = (str(folder), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setattr(replay_process, "__name__", "instead")


async def test_one_that_takes_too_long_is_ended_and_the_next_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    instead(monkeypatch, tmp_path, "while record == b'long': pass\n    return 0, record")
    async with replays(0.05) as ours:
        with pytest.raises(Refusal, match="takes longer than"):
            await ours.make("a", b"long")
        helper, ours._seconds = helper_of(ours), 20
        assert await ours.make("a", b"short") == b"short"
        assert helper_of(ours) == helper


@pytest.mark.parametrize("how", ["raise SystemExit(7)", f"os.kill(os.getpid(), {signal.SIGKILL:d})"])
async def test_one_that_breaks_is_no_replay_and_the_next_is_made(
    how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    instead(monkeypatch, tmp_path, f"if record == b'bad': {how}\n    return 0, record")
    async with replays() as ours:
        with pytest.raises(RuntimeError, match="a replay ended with"):
            await ours.make("a", b"bad")
        assert ours._helper is None, "a part of the record may be left on its line"
        assert await ours.make("a", b"good") == b"good"


async def test_a_helper_that_was_killed_is_started_again() -> None:
    async with replays() as ours:
        await ours.make("a", RECORD)
        os.kill(helper_of(ours), signal.SIGKILL)
        with pytest.raises(RuntimeError, match="has ended"):
            await ours.make("a", RECORD)
        assert await ours.make("a", RECORD)


async def test_the_process_is_told_no_setting_of_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TABLERO_DATABASE", "postgresql://a:secret@b/c")
    told = "json.dumps([name for name in os.environ if name.startswith('TABLERO')]).encode()"
    instead(monkeypatch, tmp_path, f"return 0, {told}")
    async with replays() as ours:
        assert await ours.make("a", RECORD) == b"[]"


# Who has to wait


class Order(Replays):
    """Makes one when the test says so, and remembers which."""

    def __init__(self, most_waiting: int) -> None:
        super().__init__(1, most_waiting)
        self.made: list[bytes] = []
        self.may_make = asyncio.Semaphore(0)

    async def _make(self, asked: WantedReplay) -> bytes:
        await self.may_make.acquire()
        self.made.append(asked.record)
        return asked.record

    async def ask(self, *records: str) -> list[asyncio.Task[bytes]]:
        """By whoever is called like the first letter; the first of all is begun."""
        asked = [asyncio.create_task(self.make(each[0], each.encode())) for each in records]
        for _ in range(3):
            await asyncio.sleep(0)
        return asked

    async def make_all(self) -> list[bytes]:
        while self._waiting or (self._making and not self._making.done()):
            self.may_make.release()
            await asyncio.sleep(0)
        return self.made


async def refused(asked: asyncio.Task[bytes]) -> Refusal:
    await asyncio.sleep(0)
    assert asked.done()
    with pytest.raises(Refusal, match="Many replays") as caught:
        await asked
    return caught.value


async def test_whoever_had_a_turn_lets_the_others_go_first() -> None:
    order = Order(8)
    await order.ask("a1", "a2", "a3", "b1")
    assert await order.make_all() == [b"a1", b"b1", b"a2", b"a3"]


async def test_who_asks_while_too_many_wait_is_told_to_come_back() -> None:
    order = Order(1)
    await order.ask("a1")
    _, late = await order.ask("b1", "c1")
    assert (await refused(late)).retry_after_ms
    assert await order.make_all() == [b"a1", b"b1"]


async def test_whoever_has_most_waiting_makes_place_for_a_newcomer() -> None:
    order = Order(2)
    await order.ask("a1")
    _, newest = await order.ask("b1", "b2")
    await order.ask("c1")
    await refused(newest)
    assert await order.make_all() == [b"a1", b"b1", b"c1"]


async def test_whoever_had_a_turn_makes_place_for_a_newcomer() -> None:
    order = Order(1)
    await order.ask("a1")
    order.may_make.release()
    await order.ask("b1")
    [again] = await order.ask("a2")
    await order.ask("c1")
    await refused(again)
    assert await order.make_all() == [b"a1", b"b1", b"c1"]


async def test_nothing_is_made_for_whoever_has_gone() -> None:
    order = Order(8)
    begun, waiting, _ = await order.ask("a1", "b1", "c1")
    begun.cancel()
    waiting.cancel()
    assert await order.make_all() == [b"a1", b"c1"], "what was begun is made to its end"
