"""Check that people are served while one visitor uses up shared limits.

Law: each person has a separate address in a network without limits by address, and tries once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tests.harness.crowd import Player, a_crowd
from trials.attacks import PATIENCE_SECONDS, enter, hear, message, strangers

PEOPLE = 100
TABLES_EACH = 16
EXHAUSTING_SECONDS = 3
"""The seconds of an attack before the first person comes."""
BEGINNER = {"level": "beginner", "noGuess": True}

Visit = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bool]]
"""A person's action; it returns whether it succeeded."""


@dataclass
class Count:
    """The number of people who succeeded during an attack, and the time of the slowest."""

    name: str
    attackers: int
    people: int
    succeeded: int
    slowest: float

    def __str__(self) -> str:
        return (
            f"{self.name:14} {self.attackers:5} attackers  {self.succeeded} of {self.people} succeed, "
            f"the slowest after {self.slowest:.1f} s"
        )


async def come_with_codes(port: int, people: int = PEOPLE) -> Count:
    """Lets people join private tables by code while others guess codes."""
    async with a_crowd(port, -(-people // TABLES_EACH), "host") as hosts:
        codes = [await _private_table(hosts[number // TABLES_EACH]) for number in range(people)]
        return await _count("right-codes", port, {"wrong-codes": 8}, [_joins(code) for code in codes])


async def come_anew(port: int, people: int = PEOPLE) -> Count:
    """Lets new people in while one visitor brings players without end."""
    return await _count("newcomers", port, {"passers-by": 20}, [_is_let_in] * people)


async def look_for_fields(port: int, people: int = PEOPLE) -> Count:
    """Lets people open beginners' fields while others have hopeless fields searched for."""
    return await _count("fields", port, {"searches": 16}, [_gets_a_field] * people)


async def _count(name: str, port: int, attack: dict[str, int], visits: Sequence[Visit]) -> Count:
    async with strangers(port) as attackers:
        await attackers.attack(attack)
        await asyncio.sleep(EXHAUSTING_SECONDS if attack else 0)
        took = await asyncio.gather(
            *(_visit(port, f"127.0.1.{number}", visit) for number, visit in enumerate(visits, 1))
        )
    well = [seconds for seconds in took if seconds is not None]
    return Count(name, sum(attack.values()), len(visits), len(well), round(max(well, default=0), 1))


async def _visit(port: int, address: str, visit: Visit) -> float | None:
    """The seconds that a visit took, or None if it failed."""
    begun = time.monotonic()
    with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            try:
                await enter(reader, writer)
                if await visit(reader, writer):
                    return time.monotonic() - begun
            finally:
                writer.close()
    return None


async def _is_let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    return await _hears(reader, "welcome", "refused") == "welcome"


def _joins(code: str) -> Visit:
    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        writer.write(message("join", code=code))
        return await _hears(reader, "joined", "refused") == "joined"

    return visit


async def _gets_a_field(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    writer.write(message("createRoom", game="minesweeper", options=BEGINNER, subscribe=["nextPlayer"]))
    return await _hears(reader, "nextPlayer", "unprepared", "refused") == "nextPlayer"


async def _hears(reader: asyncio.StreamReader, *types: str) -> str:
    """The type of the first message that has one of these types."""
    while (heard := await hear(reader))["type"] not in types:
        pass
    return str(heard["type"])


async def _private_table(host: Player) -> str:
    await host.send("createRoom", game="tic-tac-toe", private=True)
    joined: dict[str, Any] = await host.next("joined")
    return str(joined["code"])
