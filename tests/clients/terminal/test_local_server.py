"""A server of one's own."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from select import select

import pytest

from tablero.terminal import local_server
from tablero.terminal.local_server import LocalServer, NotStarted, missing_for_a_server

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


async def test_it_ends_with_the_program_that_started_it() -> None:
    if sys.platform != "linux":
        pytest.skip("Only Linux ends a process with its parent")
    starter = (
        "import asyncio, sys, os\n"
        "from tablero.terminal.local_server import LocalServer\n"
        "async def main():\n"
        f"    server = LocalServer((sys.executable, '-c', {PRETENDS!r}))\n"
        "    await server.start('ws://127.0.0.1:8123/ws')\n"
        "    print(server._process.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    path = os.pathsep.join(each for each in sys.path if each)
    process = await asyncio.create_subprocess_exec(
        *python(starter), stdout=asyncio.subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}
    )
    out, _ = await process.communicate()
    with suppress(ProcessLookupError):
        server = os.pidfd_open(int(out))
        assert select([server], [], [], 10)[0], "the server is still there"
        os.close(server)
