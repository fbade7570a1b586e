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
from tablero_server.replays import Replays
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
    made = await Replays(20, 1).make(RECORD)
    assert json.loads(gzip.decompress(made))["game"] == "quoridor"


async def test_what_the_process_refuses_is_a_refusal() -> None:
    with pytest.raises(Refusal, match="Line 1 of") as caught:
        await Replays(20, 1).make(b"{}\n")
    assert caught.value.fields["line"] == 1


def a_program(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Something else than a replay is run."""
    (folder / "instead.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(replay_process, "__name__", "instead")


async def test_one_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_program(monkeypatch, tmp_path, "while True: pass")
    with pytest.raises(Refusal, match="takes longer than"):
        await Replays(0.3, 1).make(RECORD)


async def test_one_that_breaks_is_no_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_program(monkeypatch, tmp_path, "raise SystemExit(7)")
    with pytest.raises(RuntimeError, match="ended with 7"):
        await Replays(20, 1).make(RECORD)


async def test_who_asks_while_too_many_wait_is_told_to_come_back() -> None:
    replays = Replays(20, 1)
    first = asyncio.create_task(replays.make(RECORD))
    await asyncio.sleep(0)  # lets it begin
    with pytest.raises(Refusal, match="Many replays") as caught:
        await replays.make(RECORD)
    assert caught.value.retry_after_ms
    assert await first
    assert await replays.make(RECORD)


async def test_whoever_goes_ends_what_was_made_for_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    a_program(monkeypatch, tmp_path, f"open({str(begun)!r}, 'w').close()\nwhile True: pass")
    asked = asyncio.create_task(Replays(20, 1).make(RECORD))
    await asyncio.to_thread(begun.read_text)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


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
        await Replays(20, 1).make(RECORD)
    assert caught.value.fields == {"seconds": []}
