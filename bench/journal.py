"""Measure the journal's processor time for each move, in the whole process, if several moves share a commit.

`python -m bench.journal [--database URL] [--json]`; by default the database is a temporary file. The games
are spread over many rooms, and successive moves are in different rooms. First the same moves go to a journal
that does nothing; that time is subtracted.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from random import Random
from tempfile import TemporaryDirectory

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.ids import Ids
from tablero_server.journal import open_journal

Append = Callable[[Sequence[Effects]], Awaitable[None]]

ROOMS = 500
GROUPS = (1, 10, 50, 200)
RELOADED = 40
"""The entries of each room when everything is loaded."""


@dataclass(frozen=True, slots=True)
class Cost:
    group: int
    cpu: float
    """Microseconds of processor time for a move: all threads, user and kernel."""
    wall: float
    """Microseconds of wall time for a move."""


@dataclass(frozen=True, slots=True)
class Report:
    costs: list[Cost]
    rooms: int
    entries: int
    load: float
    """The seconds to load that many rooms and entries."""


def games(rooms: int, random: Random) -> Iterator[Effects]:
    """The starts of `rooms` games, then a thousand moves a second, each in the next room."""
    ids = Ids(random.randbytes)
    names = [ids.key() for _ in range(rooms)]
    players = [(ids.key(), ids.key()) for _ in range(rooms)]
    for name in names:
        body = {"game": "connect-four", "version": 1, "options": {}, "seats": 2, "seed": f"{ids.seed():x}"}
        yield Effects([Entry(name, 0, "created", 0, None, None, body)])
    now = 1_700_000_000_000
    for seq in count(1):
        for name, pair in zip(names, players, strict=True):
            now += 1
            cause = Cause(pair[seq % 2], f"{random.getrandbits(96):024x}", random.getrandbits(32))
            yield Effects([Entry(name, seq, "turn", now, cause, seq % 2, {"move": "4"})])


async def nowhere(effects: Sequence[Effects]) -> None: ...


def spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def write(append: Append, moves: list[Effects], group: int) -> Cost:
    batches = [moves[start : start + group] for start in range(0, len(moves), group)]
    cpu, wall = spent(), time.perf_counter()
    for batch in batches:
        await append(batch)
    cpu, wall = spent() - cpu, time.perf_counter() - wall
    return Cost(group, 1e6 * cpu / len(moves), 1e6 * wall / len(moves))


async def measure(database: str, seed: int, reloaded: int) -> Report:
    journal = await open_journal(database)
    costs = []
    for group in GROUPS:
        source = games(ROOMS, Random(seed + group))
        begun = list(islice(source, ROOMS))
        moves = list(islice(source, min(20_000, 2_000 * group)))
        free = await write(nowhere, moves, group)
        await write(journal.append, begun, ROOMS)
        cost = await write(journal.append, moves, group)
        costs.append(Cost(group, cost.cpu - free.cpu, cost.wall))
    source = games(reloaded, Random(seed))
    for _ in range(RELOADED):
        await write(journal.append, list(islice(source, reloaded)), 500)
    start = time.perf_counter()
    saved = await journal.load()
    load = time.perf_counter() - start
    await journal.close()
    return Report(costs, len(saved.logs), sum(map(len, saved.logs)), load)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--database", metavar="URL")
    parser.add_argument("--reloaded", type=int, default=10_000, metavar="ROOMS")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seed = int.from_bytes(os.urandom(4), "big")
    with TemporaryDirectory(dir="/var/tmp") as folder:
        database = options.database or f"sqlite:///{folder}/tablero.db"
        report = asyncio.run(measure(database, seed, options.reloaded))
    if options.json:
        json.dump(asdict(report), sys.stdout)
        return
    for cost in report.costs:
        print(
            f"{cost.group:4} a commit   {cost.cpu:6.1f} us of processor a move   {cost.wall:7.1f} us a move"
        )
    print(f"loading {report.rooms} rooms of {report.entries} entries in all: {report.load:.2f} s")


if __name__ == "__main__":
    main()
