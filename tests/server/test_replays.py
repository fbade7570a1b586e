"""Replays in processes of their own: what they make, when they are ended, and who has to wait."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablero_games import GAMES
from tablero_games.record.file import write
from tablero_server import replay_process
from tablero_server.core.refusal import Refusal
from tablero_server.replays import Replays, WantedReplay
from tests.harness.games.records import play

RECORD = write(play(GAMES["quoridor"], {"size": 5})).encode()


def children() -> set[str]:
    """Other tests may have left some that help them."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    return {pid for task in tasks for pid in (task / "children").read_text().split()}


@pytest.fixture(autouse=True)
def no_child_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


async def test_a_replay_is_made_and_its_process_is_gone() -> None:
    made = await Replays(20, 1).make("a", RECORD)
    assert json.loads(gzip.decompress(made))["game"] == "quoridor"


async def test_what_the_process_refuses_is_a_refusal() -> None:
    with pytest.raises(Refusal, match="Line 1 of") as caught:
        await Replays(20, 1).make("a", b"{}\n")
    assert caught.value.fields["line"] == 1


def a_program(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Something else than a replay is run."""
    (folder / "instead.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(replay_process, "__name__", "instead")


async def test_one_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_program(monkeypatch, tmp_path, "while True: pass")
    with pytest.raises(Refusal, match="takes longer than"):
        await Replays(0.3, 1).make("a", RECORD)


async def test_one_that_breaks_is_no_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_program(monkeypatch, tmp_path, "raise SystemExit(7)")
    with pytest.raises(RuntimeError, match="ended with 7"):
        await Replays(20, 1).make("a", RECORD)


async def test_the_process_is_told_no_setting_of_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TABLERO_DATABASE", "postgresql://a:secret@b/c")
    a_program(
        monkeypatch, tmp_path,
        "import json, os, sys\n"
        "fields = {'seconds': sorted(name for name in os.environ if name.startswith('TABLERO'))}\n"
        "print(json.dumps({'reason': 'replayTooLong', 'fields': fields}))\nsys.exit(3)",
    )  # fmt: skip
    with pytest.raises(Refusal) as caught:
        await Replays(20, 1).make("a", RECORD)
    assert caught.value.fields == {"seconds": []}


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
