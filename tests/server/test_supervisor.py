"""The bot host is started again when it ends, with growing pauses, and ends with the server."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tablero_server import app, supervisor
from tablero_server.settings import Settings
from tablero_server.supervisor import NoKey, keep_bot_host, keep_running, read_or_make
from tests.harness.wire import PATIENCE

DIES = [sys.executable, "-I", "-S", "-c", "raise SystemExit(3)"]


class Enough(Exception):
    """The test has seen what it wanted."""


class Pauses:
    """Sleeps not at all, but notes for how long it should have."""

    def __init__(self, most: int) -> None:
        self.seconds: list[float] = []
        self._most = most

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        if len(self.seconds) == self._most:
            raise Enough


async def test_it_is_started_again_and_again_with_growing_pauses() -> None:
    pauses = Pauses(8)
    with pytest.raises(Enough):
        await keep_running(DIES, pauses)
    assert pauses.seconds == [0.5, 1, 2, 4, 8, 16, 30, 30]


async def test_after_a_good_run_the_pause_is_short_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_HEALTHY_SECONDS", 0.0)
    pauses = Pauses(3)
    with pytest.raises(Enough):
        await keep_running(DIES, pauses)
    assert pauses.seconds == [0.5, 0.5, 0.5]


class Started:
    """Notes every process that is started, and how."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.processes: asyncio.Queue[Process] = asyncio.Queue()
        self.commands: list[tuple[str, ...]] = []
        self._start = asyncio.create_subprocess_exec
        monkeypatch.setattr(asyncio, "create_subprocess_exec", self._note)

    async def _note(self, *command: str, **more: Any) -> Process:
        self.commands.append(command)
        process = await self._start(*command, **more)
        self.processes.put_nowait(process)
        return process


async def stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    async with asyncio.timeout(PATIENCE):
        with suppress(asyncio.CancelledError):
            await task


async def test_it_is_stopped_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(monkeypatch)
    waits = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    task = asyncio.create_task(keep_running(waits))
    process = await started.processes.get()
    await stop(task)
    assert process.returncode == -signal.SIGTERM
    assert len(started.commands) == 1


async def test_one_that_will_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(supervisor, "_STOPPING_SECONDS", 0.05)
    started, deaf = Started(monkeypatch), tmp_path / "deaf"
    os.mkfifo(deaf)
    code = (
        f"import signal; signal.signal(15, signal.SIG_IGN); open({str(deaf)!r}, 'w').close(); signal.pause()"
    )
    task = asyncio.create_task(keep_running([sys.executable, "-I", "-S", "-c", code]))
    await asyncio.to_thread(deaf.read_bytes)
    process = await started.processes.get()  # it may be deaf before its parent knows that it has started
    await stop(task)
    assert process.returncode == -signal.SIGKILL


async def test_it_ends_when_its_server_is_killed_because_its_input_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = Started(monkeypatch)
    waits = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    pauses = Pauses(1)
    task = asyncio.create_task(keep_running(waits, pauses))
    process = await started.processes.get()
    assert process.stdin is not None
    process.stdin.close()  # as the system does with a dead process's pipes
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Enough):
            await task
    assert process.returncode == 0


async def test_the_bot_host_is_told_where_its_server_is(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(monkeypatch)
    task = asyncio.create_task(
        keep_bot_host("ws://127.0.0.1:1/ws", Path("/keys/bots"), "1 expert=0.5", False)
    )
    await started.processes.get()
    await stop(task)
    assert started.commands[0][1:] == (
        "-m", "tablero", "bot-host", "--until-eof", "--server", "ws://127.0.0.1:1/ws",
        "--pace", "1", "--pace", "expert=0.5", "--no-greetings", "--key", "/keys/bots",
    )  # fmt: skip


def test_a_key_is_made_once_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    place = tmp_path / "bots"
    made = read_or_make(str(place))
    assert made.file == place
    assert len(made.text) == 43
    assert place.stat().st_mode & 0o777 == 0o600
    assert read_or_make(str(place)) == made


def test_two_servers_have_two_keys(tmp_path: Path) -> None:
    assert read_or_make(str(tmp_path / "a")).text != read_or_make(str(tmp_path / "b")).text


@pytest.mark.parametrize("text", ["", "short\n", "x" * 31, "\xff" * 40])
def test_a_file_without_a_key_is_no_key(tmp_path: Path, text: str) -> None:
    place = tmp_path / "bots"
    place.write_text(text, "latin-1")
    with pytest.raises(NoKey, match="bots"):
        read_or_make(str(place))
    assert place.read_text("latin-1") == text, "it may be something that somebody needs"


def test_no_folder_is_made_for_a_file_that_the_host_names(tmp_path: Path) -> None:
    with pytest.raises(NoKey, match="no/such"):
        app._bot_key(Settings(bot_key=str(tmp_path / "no" / "such" / "key")))
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_is_named_it_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    made = app._bot_key(Settings(bots=True))
    assert made is not None
    assert made.file == tmp_path / "home" / "bot-key"


def test_a_server_plays_without_it_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "file" / "home"))
    assert app._bot_key(Settings(bots=True)) is None


def test_a_server_without_bots_of_its_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "data_folder", lambda: pytest.fail("nothing is to be kept"))
    assert app._bot_key(Settings(bots=False)) is None
