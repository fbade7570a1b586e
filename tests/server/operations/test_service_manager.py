"""systemd is told that the server serves, lives and stops; the unit is one that systemd takes."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tablero_server.operations.configuration import read_settings
from tablero_server.operations.service_manager import ServiceManager
from tests.harness.processes import tablero_serve
from tests.harness.wire import PATIENCE

ROOT = Path(__file__).parents[3]
UNIT = ROOT / "examples" / "systemd" / "tablero.service"
ANALYZE = shutil.which("systemd-analyze")
NO_ANALYZE = "The systemd unit was read by nobody but these tests: systemd-analyze is missing."


class Listening:
    """What systemd hears."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)

    async def hear(self) -> str:
        async with asyncio.timeout(PATIENCE):
            return (await asyncio.get_running_loop().sock_recv(self._socket, 1_000)).decode()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd() -> Iterator[Listening]:
    with TemporaryDirectory() as folder:
        listening = Listening(f"{folder}/notify")
        yield listening
        listening.close()


async def test_it_hears_of_the_start_of_the_life_and_of_the_end(systemd: Listening) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "20000"})
    manager.ready("127.0.0.1:8470")
    assert await systemd.hear() == "READY=1\nSTATUS=Serves at 127.0.0.1:8470"
    assert [await systemd.hear() for _ in range(3)] == ["WATCHDOG=1"] * 3
    manager.stopping()
    heard = await systemd.hear()
    while heard == "WATCHDOG=1":
        heard = await systemd.hear()
    assert heard == "STOPPING=1\nSTATUS=Says goodbye"


async def test_a_name_that_is_no_file_is_understood() -> None:
    listening = Listening(f"@tablero-{os.getpid()}")
    ServiceManager({"NOTIFY_SOCKET": listening.address}).ready("x")
    assert (await listening.hear()).startswith("READY=1")
    listening.close()


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"NOTIFY_SOCKET": ""},
        {"NOTIFY_SOCKET": "/nowhere/notify"},
        {"WATCHDOG_USEC": "20000"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "soon"},
    ],
)
async def test_without_anybody_who_listens_nothing_happens(environment: dict[str, str]) -> None:
    manager = ServiceManager(environment)
    manager.ready("x")
    manager.stopping()
    assert manager._feeding is None


async def test_the_server_says_so_when_it_serves_and_stops(systemd: Listening) -> None:
    told = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "100000", "TABLERO_ADMIN_ADDRESS": "off"}
    async with tablero_serve("--port", "0", "--no-bots", **told) as process:
        assert (await systemd.hear()).startswith("READY=1\nSTATUS=Serves at 127.0.0.1:")
        assert await systemd.hear() == "WATCHDOG=1"
        process.send_signal(signal.SIGTERM)
        heard = "WATCHDOG=1"
        while heard == "WATCHDOG=1":
            heard = await systemd.hear()
        assert heard.startswith("STOPPING=1")
        await process.communicate()
        assert process.returncode == 0


def test_the_units_settings_are_settings() -> None:
    said = dict(re.findall(r"(?m)^Environment=(TABLERO_\w+)=(.*)$", UNIT.read_text()))
    assert "TABLERO_HOME" in said
    assert read_settings(said)


@pytest.mark.skipif(ANALYZE is None, reason=NO_ANALYZE)
def test_systemd_takes_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    here = tmp_path / "tablero.service"
    here.write_text(UNIT.read_text().replace("/opt/tablero/bin/tablero", shutil.which("true") or "/bin/true"))
    verified = subprocess.run([str(ANALYZE), "verify", str(here)], capture_output=True, text=True)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    command = [str(ANALYZE), "security", "--offline=true", "--threshold=20", str(here)]
    judged = subprocess.run(command, capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout[-300:]
