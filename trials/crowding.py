"""What a server already holds when strangers come: open tables, running games, players of one name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.harness.crowd import Player, a_crowd
from trials.attacks import enter, hear

EACH = 16
"""Rooms that one person may be in."""
_AT_ONCE = 50
LARGE = {"width": 50, "height": 50, "mines": 400}


@asynccontextmanager
async def open_rooms(port: int, tables: int) -> AsyncIterator[None]:
    """Some large games that may be watched, and so many tables at which seven of eight seats are free."""
    async with a_crowd(port, 1 + tables // EACH, "opener") as hosts:
        await _open_all(hosts[0], options=LARGE)
        await asyncio.gather(*(_open_all(host, options={"mode": "race"}, seats=8) for host in hosts[1:]))
        staying = asyncio.create_task(_stay(hosts))
        try:
            yield
        finally:
            staying.cancel()


async def _open_all(host: Player, **minesweeper: object) -> None:
    for _ in range(EACH):
        await host.send("createRoom", game="minesweeper", **minesweeper)
        await host.next("joined")


async def _stay(hosts: list[Player]) -> None:
    """Nobody is silent for too long."""
    while True:
        await asyncio.sleep(8)
        for host in hosts:
            await host.send("ping")
            await host.next("pong")


async def guests_called(name: str, port: int, count: int) -> None:
    """So many come, are called that or nearly that, and go."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def come_and_go() -> None:
        async with gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await enter(reader, writer, name=name)
            await hear(reader)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    await asyncio.gather(*(come_and_go() for _ in range(count)))
