"""A laptop hosts, and others join from its network: two network namespaces with a cable between them.

The server is found, a game is played, the cable is pulled and plugged in again, and the game continues.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.harness.warm import python, start

SECONDS = 120
HOST, GUEST = "10.91.17.1", "10.91.17.2"
PORT = 8470


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@dataclass
class Networks:
    """The names of the two namespaces, and the folder for all files."""

    host: str
    guest: str
    folder: Path
    warmed: dict[str, str]
    """The addresses of warmed processes, by namespace."""

    def plug(self, *, into: bool) -> None:
        ip("-n", self.guest, "link", "set", "cable", "up" if into else "down")

    def environment(self) -> dict[str, str]:
        kept = {name: str(self.folder) for name in ("HOME", "TABLERO_HOME")}
        paths = os.pathsep.join(path for path in sys.path if path)
        ours = {name: text for name, text in os.environ.items() if not name.startswith("TABLERO_")}
        return {**ours, **kept, "PYTHONPATH": paths, "TABLERO_DATABASE": "memory", "TABLERO_LANG": "en"}

    async def tablero(self, where: str, *words: str, **environment: str) -> Process:
        return await asyncio.create_subprocess_exec(
            *(*python(self.warmed[where]), "-m", "tablero", *words),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self.environment() | environment,
        )


@pytest.fixture(scope="module")
def both_networks() -> Iterator[Networks]:
    if sys.platform != "linux" or shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("needs Linux, root and `ip` (Debian's iproute2)")
    both = Networks(f"tablero-h{os.getpid()}", f"tablero-g{os.getpid()}", Path(), {})
    try:
        ip("netns", "add", both.host)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"needs network namespaces: {error.stderr.strip()}")
    try:
        ip("netns", "add", both.guest)
        cable = ("link", "add", "cable", "netns", both.host, "type", "veth")
        ip(*cable, "peer", "name", "cable", "netns", both.guest)
        for name, address in ((both.host, HOST), (both.guest, GUEST)):
            ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
            for interface in ("lo", "cable"):
                ip("-n", name, "link", "set", interface, "up")
        ends = []
        for name in (both.host, both.guest):
            both.warmed[name], end = start("ip", "netns", "exec", name)
            ends.append(end)
        yield both
        for end in ends:
            end()
    finally:
        ip("netns", "delete", both.host)
        subprocess.run(["ip", "netns", "delete", both.guest], check=False, capture_output=True)


@pytest.fixture
def networks(both_networks: Networks, tmp_path: Path) -> Networks:
    return replace(both_networks, folder=tmp_path)


class Terminal:
    """A program in a terminal: a test types and reads."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.read: list[str] = []

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def reads(self, text: str) -> str:
        """The next line that contains this text."""
        assert self._process.stdout is not None
        while line := (await self._process.stdout.readline()).decode():
            self.read.append(line)
            if text in line:
                return line
        raise AssertionError(f"{text!r} is not in {self.read}")


@asynccontextmanager
async def a_party(networks: Networks) -> AsyncIterator[None]:
    """A server for the whole network, ready once it is announced."""
    server = await networks.tablero(
        networks.host,
        "serve",
        "--lan",
        "--no-bots",
        TABLERO_SILENCE_SECONDS="4",
        TABLERO_FIRST_MOVE_SECONDS="0",
    )
    try:
        assert server.stdout is not None
        assert server.stderr is not None
        printed = (await server.stdout.readuntil(b"Ctrl-C.\n")).decode()
        assert f"Others in your network open:  http://{HOST}:{PORT}/\n" in printed
        while b"announced on the network" not in (line := await server.stderr.readline()):
            assert line, "it is not announced"
        yield
    finally:
        server.terminate()
        await server.communicate()


@asynccontextmanager
async def at_a_terminal(networks: Networks, name: str, address: str) -> AsyncIterator[Terminal]:
    process = await networks.tablero(networks.guest, "play", address, "--name", name)
    try:
        yield Terminal(process)
    finally:
        process.kill()
        await process.communicate()


async def found_by_the_guest(networks: Networks) -> str:
    finding = await networks.tablero(networks.guest, "find", "--json")
    out, errors = await finding.communicate()
    assert finding.returncode == 0, errors
    [server] = map(json.loads, out.splitlines())
    assert server["name"].startswith("Tablero on ")
    return str(server["address"])


async def a_table(ana: Terminal) -> str:
    """The code of a table with Ana on a seat."""
    ana.type("create tic-tac-toe private")
    line = await ana.reads("others can join")
    found = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", line)
    assert found is not None, line
    return found[0]


async def test_a_guest_finds_the_server_plays_and_goes_on_after_the_cable_was_pulled(
    networks: Networks,
) -> None:
    async with asyncio.timeout(SECONDS), a_party(networks):
        address = await found_by_the_guest(networks)
        assert address == f"{HOST}:{PORT}"
        async with at_a_terminal(networks, "ana", address) as ana:
            code = await a_table(ana)
            async with at_a_terminal(networks, "ben", f"http://{address}/?join={code}") as ben:
                await ana.reads("Your turn")
                ana.type("b2")
                await ben.reads("Your turn")
                networks.plug(into=False)
                await asyncio.gather(ana.reads("Connection lost"), ben.reads("Connection lost"))
                ben.type("a1")
                networks.plug(into=True)
                await asyncio.gather(ana.reads("You're back online"), ben.reads("You're back online"))
                for player, move in ((ana, "a3"), (ben, "c1"), (ana, "b3"), (ben, "b1")):
                    await player.reads("Your turn")
                    player.type(move)
                await asyncio.gather(ana.reads("ben wins"), ben.reads("You win"))


async def test_nobody_is_told_of_a_server_that_only_its_own_machine_reaches(networks: Networks) -> None:
    async with asyncio.timeout(SECONDS):
        server = await networks.tablero(networks.host, "serve", "--no-bots")
        assert server.stdout is not None
        await server.stdout.readuntil(b"Ctrl-C.\n")
        finding = await networks.tablero(networks.guest, "find")
        out, errors = await finding.communicate()
        assert (finding.returncode, out) == (1, b"")
        assert b"tablero serve --lan" in errors
        server.terminate()
        await server.communicate()


ASK = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=5).read().decode())"


async def test_two_servers_of_one_network_list_each_other(networks: Networks) -> None:
    async with asyncio.timeout(SECONDS), a_party(networks):
        other = await networks.tablero(networks.guest, "serve", "--lan", "--no-bots")
        try:
            assert other.stdout is not None
            await other.stdout.readuntil(b"Ctrl-C.\n")
            for asker, beside in ((GUEST, HOST), (HOST, GUEST)):
                expected = f"http://{beside}:{PORT}/"
                while [each["link"] for each in await listed(networks, asker)] != [expected]:
                    pass
        finally:
            other.terminate()
            await other.communicate()


async def listed(networks: Networks, server: str) -> list[dict[str, str]]:
    """The servers that the first page lists."""
    asking = await asyncio.create_subprocess_exec(
        *(*python(networks.warmed[networks.host]), "-c", ASK),
        f"http://{server}:{PORT}/api/nearby",
        stdout=PIPE,
    )
    out, _ = await asking.communicate()
    servers: list[dict[str, str]] = json.loads(out)["servers"]
    return servers


async def test_a_phone_beside_a_terminal_goes_on_after_the_cable_was_pulled(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.harness import browser
    from tests.harness.web.tables import state

    assert browser.CHROMIUM is not None
    in_the_guest = networks.folder / "chromium"
    in_the_guest.write_text(f'#!/bin/sh\nexec ip netns exec {networks.guest} {browser.CHROMIUM} "$@"\n')
    in_the_guest.chmod(0o700)
    monkeypatch.setattr(browser, "CHROMIUM", str(in_the_guest))
    expect = browser.expect
    async with asyncio.timeout(SECONDS), a_party(networks), browser.browsers() as people:
        address = await found_by_the_guest(networks)
        async with at_a_terminal(networks, "ana", address) as ana:
            phone = await people.page(f"http://{address}/{await a_table(ana)}", **browser.PHONE)
            await phone.get_by_label("Your name").fill("ben")
            await phone.get_by_role("button", name="Sit down").click()
            await ana.reads("Your turn")
            ana.type("b2")
            await expect(state(phone)).to_contain_text("Your turn")
            networks.plug(into=False)
            await expect(phone.get_by_text("Connection lost")).to_be_visible(timeout=30_000)
            await ana.reads("Connection lost")
            networks.plug(into=True)
            await ana.reads("You're back online")
            await expect(phone.get_by_text("Connection lost")).to_be_hidden(timeout=30_000)
            await phone.get_by_role("gridcell", name="a1, free").click()
            await ana.reads("Your turn")
        # The page requests missing files again when it needs them.
        people.complaints[:] = [each for each in people.complaints if "DISCONNECTED" not in each]
