"""A server that announces itself is found from this machine, and not any more when it has stopped."""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address

import pytest

from tablero.client.dns_answers import FoundServer
from tablero.terminal.nearby import find
from tablero_server.reach.beacon import Beacon
from tests.harness.wire import PATIENCE

HOME = IPv4Address("127.0.0.1")
PORT = 39_471
"""Nothing listens there: only the announcement is looked for."""


@pytest.fixture(autouse=True)
def this_machine_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only other machines are, elsewhere."""
    monkeypatch.setattr("tablero.client.dns_answers.within_reach", lambda address: True)


async def ours(seconds: float = 1.0) -> list[FoundServer]:
    return [each for each in await asyncio.to_thread(find, seconds) if each.port == PORT]


async def until_found() -> list[FoundServer]:
    """Asks again, for on a busy machine an answer may come late."""
    while not (found := await ours()):
        pass
    return found


async def test_it_is_found_with_its_way_until_it_stops() -> None:
    announced = Beacon("party.example", PORT, lambda: [HOME], secure=True, path="/games/")
    announced.start()
    async with asyncio.timeout(PATIENCE):
        await announced.told.wait()
        found = await until_found()
        await announced.stop()
    assert found == [FoundServer("Tablero on party", PORT, ("127.0.0.1",), "/games/", True)]
    assert found[0].urls == (f"https://127.0.0.1:{PORT}/games/",)
    assert await ours() == []


async def test_it_is_announced_as_soon_as_there_is_an_address() -> None:
    addresses: list[IPv4Address] = []
    announced = Beacon("party", PORT, lambda: list(addresses), look_seconds=0.01)
    announced.start()
    async with asyncio.timeout(PATIENCE):
        assert not announced.told.is_set()
        addresses.append(HOME)
        await announced.told.wait()
        await announced.stop()


async def test_what_keeps_it_from_being_announced_is_told_once_and_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = asyncio.Event()
    tries: list[list[IPv4Address]] = []

    def addresses() -> list[IPv4Address]:
        return [HOME]

    async def no_network(self: Beacon, addresses: list[IPv4Address]) -> None:
        tries.append(addresses)
        if len(tries) == 3:
            asked.set()
        raise OSError("no such device")

    warnings: list[str] = []
    monkeypatch.setattr(Beacon, "_announce", no_network)
    monkeypatch.setattr(
        "tablero_server.reach.beacon.log.warning", lambda event, **facts: warnings.append(event)
    )
    announced = Beacon("party", PORT, addresses, look_seconds=0.001)
    announced.start()
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
        await announced.stop()
    assert warnings == ["others do not find this server by themselves"]
