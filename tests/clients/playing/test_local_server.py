"""A server of one's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablero.playing import local_server
from tablero.playing.local_server import LocalServer, NotStarted, missing_for_a_server

PRETENDS = "import sys, time\nprint('Listening on port', sys.argv[-1], flush=True)\ntime.sleep(60)"


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


async def test_it_is_there_when_it_says_so_and_ends_when_told() -> None:
    server = LocalServer(python(PRETENDS))
    assert not server.is_running
    await server.start("ws://127.0.0.1:8123/ws")
    assert server.is_running
    await server.stop()
    assert not server.is_running
    await server.stop()


async def test_why_it_does_not_begin_is_told() -> None:
    server = LocalServer(python("print('There is no room here.')"))
    with pytest.raises(NotStarted, match="There is no room here"):
        await server.start("ws://127.0.0.1:8123/ws")
    assert not server.is_running


async def test_what_it_says_of_an_error_comes_before_what_else_it_says() -> None:
    server = LocalServer(python("import sys; print('Good morning.'); sys.exit('The port is taken.')"))
    with pytest.raises(NotStarted, match=r"^The port is taken\.$"):
        await server.start("ws://127.0.0.1:8123/ws")


async def test_one_that_does_not_listen_in_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_server, "_BEGIN_SECONDS", 0.2)
    server = LocalServer(python("import time; time.sleep(60)"))
    with pytest.raises(NotStarted):
        await server.start("ws://127.0.0.1:8123/ws")
    assert not server.is_running


def test_what_hosting_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_for_a_server() is None
    monkeypatch.setattr(local_server, "find_spec", lambda name: None if name == "structlog" else object())
    assert missing_for_a_server() == "structlog"


TELLS = """
import signal, sys
told = open(sys.argv[1], "w", 1)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(told.write("asked to end\\n")))
print("Listening on port", sys.argv[-1], flush=True)
signal.pause()
"""
STARTER = f"""
import asyncio, os, sys
from tablero.playing.local_server import LocalServer
async def main():
    await LocalServer((sys.executable, "-c", {TELLS!r}, sys.argv[1])).start("ws://127.0.0.1:8123/ws")
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has signals and named pipes")
def test_it_is_asked_to_end_when_the_program_that_started_it_is_killed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    path = os.pathsep.join(each for each in sys.path if each)
    starter = subprocess.Popen(
        (*python(STARTER), str(tmp_path / "fifo")), env=os.environ | {"PYTHONPATH": path}
    )
    assert (tmp_path / "fifo").read_text() == "asked to end\n"  # which waits for its end
    starter.wait(10)
