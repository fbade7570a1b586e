"""The real client whose terminal goes away: a window is closed, a line is cut, a multiplexer is killed."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows hangs nobody up", allow_module_level=True)

from tests.harness.client import real_server
from tests.harness.processes import environment
from tests.harness.pty_screen import in_a_terminal

SECONDS = 10.0


@pytest.mark.parametrize("mode", ["", "--plain"])
@pytest.mark.parametrize("how", ["told", "not told", "stuck"])
async def test_it_ends_with_its_terminal(how: str, mode: str, tmp_path: Path) -> None:
    own = environment(tmp_path) | {"TERM": "xterm-256color"}
    client = (sys.executable, "-m", "tablero", "play", *mode.split())
    async with real_server() as url, in_a_terminal(*client, url, "--name", "Ana", environment=own) as ana:
        await ana.shows("Type help" if mode else "Play now")
        if how == "stuck":  # what it writes is read by nobody, until even its own thread waits
            ana.type("?" + "\x1b?" * 40)
        if how != "not told":
            ana.process.send_signal(signal.SIGHUP)
        ana.close()
        async with asyncio.timeout(SECONDS):
            await ana.process.wait()
