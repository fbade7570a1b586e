"""Loads other than players who answer at once, each with its limit.

Law: latencies count from the time at which an action was due, even if its sender was late: in a queue of
ours, people would wait, too.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import Any

from tests.harness.crowd import Player, a_crowd, a_full_game, a_socket, make_room, make_rooms
from tests.harness.serving import Serving, the_bare_stack

MOVES_A_SECOND = 500
WARM_UP_SECONDS = 1.0
IDLE_CONNECTIONS = 5_000
STORM_CLIENTS = 1_000
WATCHERS = 100
CROWD, OTHERS = 1_000, 50
"""The watchers of one room, and the rooms beside it."""


@dataclass(frozen=True)
class Figure:
    """One measured value; `bar` is its upper limit, or with `at_least` its lower limit."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    at_least: bool = False

    @property
    def passed(self) -> bool:
        if self.bar is None:
            return True
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def __str__(self) -> str:
        line = f"{self.name:44}{self.value:>10g} {self.unit}"
        if self.bar is None:
            return line
        return f"{line:66} {'PASS' if self.passed else 'FAIL'} {'≥' if self.at_least else '≤'} {self.bar:g}"


def latencies(what: str, seconds: Sequence[float], p50: float | None, p99: float | None) -> list[Figure]:
    """The figures for these latencies, with limits in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return [
        Figure(f"{what}, median of {len(seconds)}", round(cuts[49] * 1e3, 2), "ms", p50),
        Figure(f"{what}, p99", round(cuts[98] * 1e3, 2), "ms", p99),
    ]


class Table:
    """Two players, and the scripted moves of the games before them."""

    def __init__(self, players: Sequence[Player], rooms: Sequence[str], number: int) -> None:
        self._players = players
        self._moves = [
            (room, ply, move) for room in rooms for ply, move in enumerate(a_full_game(number % 8))
        ]
        self._next = 0
        self._at_rest = asyncio.Lock()

    async def move(self, due: float, measured: list[float]) -> None:
        """Plays the next move once the last one has arrived. Notes how long after `due` the opponent
        gets it.
        """
        async with self._at_rest:
            room, ply, move = self._moves[self._next]
            self._next += 1
            mover, other = self._players[ply % 2], self._players[1 - ply % 2]
            await mover.send("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            await other.next("nextPlayer")
            measured.append(perf_counter() - due)
            await mover.next("nextPlayer")


def tables_of(players: Sequence[Player], rooms: Sequence[Sequence[str]]) -> list[Table]:
    return [Table(players[2 * n : 2 * n + 2], own, n) for n, own in enumerate(rooms)]


async def steady(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """Moves at an even pace over all rooms, on the server and then on the bare stack."""
    count = round(MOVES_A_SECOND * (seconds + WARM_UP_SECONDS))
    async with a_crowd(serving.port, 2 * rooms) as players:
        tables = tables_of(players, await make_rooms(players, count // rooms // 42 + 1))
        cpu = serving.cpu_seconds()
        measured = await _at_an_even_pace(tables, count)
        cpu = serving.cpu_seconds() - cpu
    with the_bare_stack() as (port, _):
        async with AsyncExitStack() as stack:
            pairs = [
                [
                    Player(await stack.enter_async_context(a_socket(port, f"?pair={n}")), f"{n}{end}")
                    for end in "ab"
                ]
                for n in range(rooms)
            ]
            names = [["bare"] * (count // rooms // 42 + 1)] * rooms
            plain = await _at_an_even_pace([Table(pairs[n], names[n], n) for n in range(rooms)], count)
    what = f"{MOVES_A_SECOND} moves/s in {rooms} rooms: to the opponent"
    return [
        *latencies(what, measured, 0.4, 25),
        *latencies("the same, of the bare stack", plain, None, None),
        Figure("server CPU a move", round(cpu / count * 1e6), "µs"),
    ]


async def _at_an_even_pace(tables: Sequence[Table], count: int) -> list[float]:
    """Latencies of moves to the opponent, once all connections are warmed up."""
    measured: list[float] = []
    begin, moving = perf_counter() + 0.1, []
    for number in range(count):
        due = begin + number / MOVES_A_SECOND
        await asyncio.sleep(max(0.0, due - perf_counter()))
        moving.append(asyncio.create_task(tables[number % len(tables)].move(due, measured)))
    await asyncio.gather(*moving)
    return measured[round(MOVES_A_SECOND * WARM_UP_SECONDS) :]


async def burst(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """All rooms move at the same moment, once a second."""
    rounds = max(1, round(seconds))
    async with a_crowd(serving.port, 2 * rooms) as players:
        tables = tables_of(players, await make_rooms(players, rounds // 42 + 1))
        measured: list[float] = []
        begin = perf_counter()
        for number in range(rounds):
            due = begin + number
            await asyncio.sleep(max(0.0, due - perf_counter()))
            await asyncio.gather(*(table.move(due, measured) for table in tables))
    return latencies(f"{rooms} moves at once: to the opponent", measured, None, 1_000)


async def spectators(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """One room with as many watchers as allowed, and ten moves a second."""
    count = max(2, round(10 * seconds))
    async with a_crowd(serving.port, 2) as players, a_crowd(serving.port, WATCHERS, "w") as watchers:
        tables = tables_of(players, [names := [await make_room(players) for _ in range(count // 42 + 1)]])
        for name in names:
            for watcher in watchers:
                await watcher.send("join", room=name, watch=True, subscribe=["nextPlayer"])
                await watcher.next("nextPlayer")
        shown: list[float] = []
        measured: list[float] = []

        async def watch(watcher: Player, due: float) -> None:
            await watcher.next("nextPlayer")
            shown.append(perf_counter() - due)

        for _ in range(count):
            due = perf_counter()
            watching = [watch(watcher, due) for watcher in watchers]
            await asyncio.gather(tables[0].move(due, measured), *watching)
            await asyncio.sleep(max(0.0, due + 0.1 - perf_counter()))
    return [
        *latencies(f"{WATCHERS} watch: to the opponent", measured, 10, 50),
        *latencies(f"{WATCHERS} watch: to each of them", shown, None, 100),
    ]


async def crowd(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """A room with a thousand watchers beside fifty other rooms, with a turn a second in each; measured
    without the watchers, then with them.
    """
    turns = min(21, max(2, round(seconds)))  # twice as many turns make one game
    async with a_crowd(serving.port, 2 * (OTHERS + 1)) as players:
        names = await make_rooms(players, 1)
        tables = tables_of(players, names)
        alone = await _a_turn_a_second(tables, turns)
        async with _an_audience(serving.port, names[0][0], CROWD) as heard:
            began = perf_counter()
            watched = await _a_turn_a_second(tables, turns)
    behind = [came - began - number // CROWD for number, came in enumerate(sorted(heard))]
    p99 = [[_p99(room), _p99(list(chain(*others)))] for room, *others in (alone, watched)]
    figures = [
        Figure(f"{name}, {when}: p99", round(value * 1e3, 2), "ms")
        for values, when in zip(p99, ("nobody watches", f"{CROWD} watch"), strict=True)
        for name, value in zip(("the room", f"{OTHERS} others"), values, strict=True)
    ]
    ratios = [after / before for before, after in zip(*p99, strict=True)]
    return [
        *figures,
        Figure("the room: p99 of watched by p99 of alone", round(ratios[0], 2), "times", 1.5),
        Figure(f"{OTHERS} others: the same", round(ratios[1], 2), "times", 1.5),
        Figure("frames that each watcher got", len(heard) / CROWD, f"of {turns}", turns, at_least=True),
        *latencies("behind the turn", behind, None, 500),
    ]


def _p99(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=100)[98]


async def _a_turn_a_second(tables: Sequence[Table], turns: int) -> list[list[float]]:
    """For each table, the times of its turns to the opponent. The first table moves at the start of each
    second.
    """
    measured: list[list[float]] = [[] for _ in tables]
    begin, moving = perf_counter(), []
    for number in range(turns):
        for each, table in enumerate(tables):
            due = begin + number + each / len(tables)
            await asyncio.sleep(max(0.0, due - perf_counter()))
            moving.append(asyncio.create_task(table.move(due, measured[each])))
    await asyncio.gather(*moving)
    return measured


@asynccontextmanager
async def _an_audience(port: int, room: str, count: int) -> AsyncIterator[list[float]]:
    """Yields a list for each watcher. When the block ends, the lists get the arrival times of the frames."""
    pipe, came = asyncio.subprocess.PIPE, list[float]()
    command = (sys.executable, "-m", "bench.audience", str(port), room, str(count))
    watching = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=2**26)
    assert watching.stdin is not None
    assert watching.stdout is not None
    try:
        await watching.stdout.readline()
        yield came
        await asyncio.sleep(1)
        watching.stdin.close()
        came += json.loads(await watching.stdout.readline())
    finally:
        if watching.returncode is None:
            watching.terminate()
        await watching.wait()


async def reconnect_storm(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """Cuts all connections; then all players return at once and ask for the whole position."""
    took: list[float] = []

    async def come_back(player: Player, room: str) -> None:
        async with a_socket(serving.port) as socket:
            player.socket = socket
            await player.hello()
            await player.send("resume", room=room, epoch="?", seq=0)
            await player.next("snapshot")
            took.append(perf_counter() - cut)

    async with a_crowd(serving.port, STORM_CLIENTS) as players:
        names = [name for [name] in await make_rooms(players, 1)]
        cpu, cut = serving.cpu_seconds(), perf_counter()
        for player in players:
            player.socket.transport.abort()
        await asyncio.gather(*(come_back(player, names[n // 2]) for n, player in enumerate(players)))
        cpu = serving.cpu_seconds() - cpu
    ordered = sorted(took)
    return [
        Figure(f"{STORM_CLIENTS} cut off: resumed, median", round(statistics.median(took), 2), "s"),
        Figure(f"{STORM_CLIENTS} cut off: resumed, p95", round(ordered[int(0.95 * len(took))], 2), "s", 3),
        Figure("server CPU each", round(cpu / len(took) * 1e6), "µs"),
    ]


async def idle(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """Connections of seated players who send nothing: the memory that each costs the server."""
    async with a_crowd(serving.port, 20) as few:
        await make_rooms(few, 1)
        before = serving.resident_bytes()
        async with a_crowd(serving.port, IDLE_CONNECTIONS, "i") as players:
            await make_rooms(players, 1)
            await asyncio.sleep(min(1, seconds))
            each = (serving.resident_bytes() - before) / len(players) / 1024
            cpu = serving.cpu_seconds()
            await asyncio.sleep(seconds)
            cpu = (serving.cpu_seconds() - cpu) / seconds
    return [
        Figure(f"{IDLE_CONNECTIONS} idle and seated: memory each", round(each, 1), "KiB", 20),
        Figure("processor while nothing happens", round(100 * cpu, 1), "%"),
    ]


async def joins(serving: Serving, rooms: int, seconds: float) -> list[Figure]:
    """People who take seats at waiting tables: each join is saved and starts a game."""
    each = max(1, round(3_000 * seconds / rooms))
    async with a_crowd(serving.port, 2 * rooms) as players:
        hosts, guests = players[::2], players[1::2]

        async def open_rooms(host: Player) -> list[str]:
            names = []
            for _ in range(each):
                await host.send("createRoom", game="connect-four")
                names.append((await host.next("joined"))["room"])
            return names

        async def sit_down(guest: Player, names: Sequence[str]) -> None:
            for name in names:
                await guest.send("join", room=name)
                await guest.next("joined")

        waiting = await asyncio.gather(*map(open_rooms, hosts))
        began, cpu = perf_counter(), serving.cpu_seconds()
        await asyncio.gather(*map(sit_down, guests, waiting))
        took, cpu = perf_counter() - began, serving.cpu_seconds() - cpu
    count = each * rooms
    return [
        Figure(f"{count} joins: a second of server CPU", round(count / cpu), "joins", 3_000, at_least=True),
        Figure("joins a second", round(count / took), "joins"),
    ]


SCENARIOS: dict[str, Callable[[Serving, int, float], Coroutine[Any, Any, list[Figure]]]] = {
    "steady": steady,
    "burst": burst,
    "spectators": spectators,
    "crowd": crowd,
    "reconnect-storm": reconnect_storm,
    "joins": joins,
    "idle": idle,
}
