"""Servers of one network hear of each other; what else is announced becomes text and a link, or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address
from typing import Any

import pytest
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from tablero_server.reach.beacon import Beacon
from tablero_server.reach.neighbours import SERVICE, Neighbour, Neighbours, within_reach
from tests.harness.neighbours import REACH, announced
from tests.harness.wire import PATIENCE

HOME = IPv4Address("127.0.0.1")
ONE, OTHER, HOSTILE = 39_481, 39_482, 39_483
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
