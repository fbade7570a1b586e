"""A server is found, and hears of others; what else is announced becomes text and a link, or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address
from typing import Any

import pytest
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from tablero.client.dns_answers import FoundServer
from tablero.playing.nearby import find
from tablero_server.reach.neighbours import SERVICE, Beacon, Neighbour, Neighbours, within_reach
from tests.harness.neighbours import REACH, announced
from tests.harness.wire import PATIENCE

HOME = IPv4Address("127.0.0.1")
ALONE, ONE, OTHER, HOSTILE = 39_471, 39_481, 39_482, 39_483
"""Nothing listens there: only the announcements are looked for."""


def only_ours(address: IPv4Address) -> bool:
    return address == HOME


@asynccontextmanager
async def a_beacon(machine: str, port: int, neighbours: Neighbours) -> AsyncIterator[Beacon]:
    beacon = Beacon(machine, port, lambda: [HOME], path="/games/", neighbours=neighbours)
    beacon.start()
    try:
        async with asyncio.timeout(PATIENCE):
            await beacon.told.wait()
        yield beacon
    finally:
        await beacon.stop()


async def until(seen: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not seen():  # noqa: ASYNC110 - what comes by multicast sets no event here
            await asyncio.sleep(0.02)


def ports(found: list[Neighbour]) -> set[int]:
    """Of those that a test has announced; others may run beside it."""
    return {int(each.link.split(":")[2].split("/")[0]) for each in found} & {ONE, OTHER, HOSTILE}


async def test_two_servers_hear_of_each_other_until_one_of_them_stops() -> None:
    first, second = Neighbours(only_ours), Neighbours(only_ours)
    async with a_beacon("one", ONE, first):
        async with a_beacon("other", OTHER, second):
            await until(lambda: ports(first.others(ONE, [HOME])) == {OTHER})
            await until(lambda: ports(second.others(OTHER, [HOME])) == {ONE})
            assert Neighbour("Tablero on one", f"http://127.0.0.1:{ONE}/games/") in second.others(
                OTHER, [HOME]
            )
        await until(lambda: not ports(first.others(ONE, [HOME])))
    assert first.others(0, []) == []


async def test_a_hostile_name_is_text_and_what_it_says_of_its_way_is_not_believed() -> None:
    listening = Neighbours(only_ours)
    async with a_beacon("one", ONE, listening):
        here = AsyncZeroconf(interfaces=[str(HOME)], ip_version=IPVersion.V4Only)
        try:
            told = announced("<img src=x onerror=alert(1)>", HOSTILE, {"path": "//evil.example/", "tls": "1"})
            await here.async_register_service(told)
            await until(lambda: HOSTILE in ports(listening.others(ONE, [HOME])))
            links = [each for each in listening.others(ONE, [HOME]) if str(HOSTILE) in each.link]
            assert links == [Neighbour("<img src=x onerror=alert(1)>", f"https://127.0.0.1:{HOSTILE}/")]
        finally:
            await here.async_close()


def heard(told: list[AsyncServiceInfo], may_be: Any = only_ours) -> list[Neighbour]:
    neighbours = Neighbours(may_be)
    for each in told:
        neighbours._hear(each.name, each)
    return neighbours.others(0, [])


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "javascript:alert(1)",
        "/a b",
        "/../admin",
        "/a?x=1",
        "/a#go=code",
        "/" + "a" * 64,
        "/\u2028",
        "",
        "@evil.example/",
        "/a\r\nSet-Cookie",
    ],
)
def test_a_path_that_is_not_plain_is_none(path: str) -> None:
    [found] = heard([announced("x", 1, {"path": path})])
    assert found.link == "http://127.0.0.1:1/"


def test_a_name_is_one_short_line() -> None:
    told = announced("x", 1, {})
    told._name = f"\x1b[2Ja\n\u202eb{'c' * 200}.{SERVICE}"
    [found] = heard([told])
    assert found.name.isprintable()
    assert len(found.name) <= 60


def test_nobody_fills_the_list_and_one_machine_has_few_lines() -> None:
    one = [announced(f"x{port}", port, {}) for port in range(1, 40)]
    assert len(heard(one)) == 3
    many = [announced(f"x{at}", 1, {}, address=f"10.0.0.{at}") for at in range(1, 40)]
    assert len(heard(many, within_reach)) == 20


async def test_names_that_come_by_the_thousand_are_not_all_asked_about() -> None:
    neighbours = Neighbours(only_ours)
    here = AsyncZeroconf(interfaces=[str(HOME)], ip_version=IPVersion.V4Only)
    try:
        for at in range(1_000):
            neighbours._tell(here, f"x{at}.{SERVICE}", gone=False)
        assert (len(neighbours._asking), len(neighbours._waiting)) == (8, 64)
        await neighbours.forget()
        assert not neighbours._asking
    finally:
        await here.async_close()


@pytest.mark.parametrize(("address", "is_one"), REACH)
def test_only_a_machine_in_a_private_network_is_a_neighbour(address: str, is_one: bool) -> None:
    assert within_reach(IPv4Address(address)) is is_one
    assert bool(heard([announced("x", 1, {}, address=address)], within_reach)) is is_one


@pytest.fixture(autouse=True)
def this_machine_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only other machines are, elsewhere."""
    monkeypatch.setattr("tablero.client.dns_answers.within_reach", lambda address: True)


async def ours(seconds: float = 1.0) -> list[FoundServer]:
    return [each for each in await asyncio.to_thread(find, seconds) if each.port == ALONE]


async def until_found() -> list[FoundServer]:
    """Asks again, for on a busy machine an answer may come late."""
    while not (found := await ours()):
        pass
    return found


async def test_it_is_found_with_its_way_until_it_stops() -> None:
    announced = Beacon("party.example", ALONE, lambda: [HOME], secure=True, path="/games/")
    announced.start()
    async with asyncio.timeout(PATIENCE):
        await announced.told.wait()
        found = await until_found()
        await announced.stop()
    assert found == [FoundServer("Tablero on party", ALONE, ("127.0.0.1",), "/games/", True)]
    assert found[0].urls == (f"https://127.0.0.1:{ALONE}/games/",)
    assert await ours() == []


async def test_it_is_announced_as_soon_as_there_is_an_address() -> None:
    addresses: list[IPv4Address] = []
    announced = Beacon("party", ALONE, lambda: list(addresses), look_seconds=0.01)
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
        "tablero_server.reach.neighbours.log.warning", lambda event, **facts: warnings.append(event)
    )
    announced = Beacon("party", ALONE, addresses, look_seconds=0.001)
    announced.start()
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
        await announced.stop()
    assert warnings == ["could not announce this server on the network"]
