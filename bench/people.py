"""Measure how much processor time, memory and disk space people need who play at a human pace.

`python -m bench.people [--people N,N,...] [--seconds S]`: for each N, that many scripted clients play Connect
Four in pairs, with a move at each table every four seconds. Processor time is that of the server's process,
as a share of one core, so other work of the machine changes it little.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import uvloop

from tests.harness.crowd import a_crowd, allow_many_sockets, make_rooms
from tests.harness.serving import Serving

from .scenarios import Table, tables_of

SECONDS_A_MOVE = 4.0
MOVES_A_GAME = 42
PATIENT = "600"
"""A long timeout, because these clients send no pings."""


@dataclass(frozen=True)
class Taken:
    people: int
    moves_a_second: float
    of_a_core: float
    mebibytes: float
    bytes_a_move: float
    p99_ms: float

    def __str__(self) -> str:
        return (
            f"| {self.people:,} | {self.moves_a_second:,.0f} | {100 * self.of_a_core:.1f} % | "
            f"{self.mebibytes:.0f} MiB | {self.bytes_a_move:.0f} bytes | {self.p99_ms:.1f} ms |"
        )


HEAD = "| people | moves a second | of one core | memory | disk a move | 99 of 100 moves within |"


async def measure(people: int, seconds: float) -> Taken:
    with (
        TemporaryDirectory(dir="/var/tmp") as folder,
        Serving(Path(folder), f"sqlite:///{folder}/db", TABLERO_SILENCE_SECONDS=PATIENT) as serving,
    ):
        serving.start()
        await asyncio.to_thread(serving.wait_until_open)
        serving.stop()
        database = Path(folder) / "db"
        empty = database.stat().st_size
        serving.start()
        await asyncio.to_thread(serving.wait_until_open)
        async with a_crowd(serving.port, people) as players:
            games = int(seconds / SECONDS_A_MOVE / MOVES_A_GAME) + 1
            sat = tables_of(players, await make_rooms(players, games))
            cpu, began = serving.cpu_seconds(), perf_counter()
            late = await at_their_pace(sat, seconds)
            took = perf_counter() - began
            cpu, memory = serving.cpu_seconds() - cpu, serving.resident_bytes()
        serving.stop()
        return Taken(
            people,
            len(late) / took,
            cpu / took,
            memory / 2**20,
            (database.stat().st_size - empty) / len(late),
            1e3 * quantiles(late, n=100)[98],
        )


async def at_their_pace(sat: Sequence[Table], seconds: float) -> list[float]:
    """Plays at a human pace, with the moves of different tables spread evenly. Returns the latencies."""
    late: list[float] = []
    begin, moving = perf_counter() + 0.1, []
    for number in range(round(seconds / SECONDS_A_MOVE * len(sat))):
        due = begin + number * SECONDS_A_MOVE / len(sat)
        await asyncio.sleep(max(0.0, due - perf_counter()))
        moving.append(asyncio.create_task(sat[number % len(sat)].move(due, late)))
    await asyncio.gather(*moving)
    return late


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m bench.people", description=__doc__)
    parser.add_argument("--people", default="20,200,1000,4000")
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args(arguments)
    allow_many_sockets()
    print(HEAD, "|---|---|---|---|---|---|", sep="\n")
    for people in map(int, asked.people.split(",")):
        print(uvloop.run(measure(people, asked.seconds)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
