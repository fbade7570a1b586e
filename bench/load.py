"""Measure moves per second of server CPU, the time from a move to the opponent, and other loads.

`python -m bench.load [--rooms N] [--rounds R] [--seconds S] [--whole-games] [--database URL] [--json]`: N
rooms at a time, each with two scripted Connect Four players that answer each other as fast as they can. They
play for S seconds on a real server process with its SQLite journal in a temporary folder. Then they send the
same traffic to the bare stack (bench/bare.py) for the same time. This is repeated R times. The figure is the
median of the rounds' ratios, because other work of the machine slows both sides.

Only moves are timed: the rooms of all games are made beforehand, because the bare stack has no rooms. With
--whole-games, rooms are also made, joined and left in the timed part, and each move bears its share of that.

With `--against TREE` the other side is another version of Tablero: a folder with another state of this
repository (`git worktree add TREE REVISION`), whose server is measured in turn with this one.

With `--clock` the rooms have clocks of one hour and one second for each move. Without `--against`, the other
side then has rooms without clocks.

With `--scenario NAME` (bench/scenarios.py; `all` for all of them) each figure is printed beside its limit,
and the exit code is 1 if a limit is exceeded. With `--against` each figure is printed beside that of the
other tree, with their ratio. These are medians of R rounds, each with a fresh server of either tree.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import uvloop
from websockets.asyncio.client import ClientConnection

from tests.harness.crowd import Player, a_full_game, a_socket, allow_many_sockets, make_room
from tests.harness.serving import UNLIMITED, Serving, cpu_seconds, the_bare_stack

from .scenarios import SCENARIOS, Figure

WARM_UP_SECONDS = 1.0
MOST_MOVES_A_SECOND = 45_000
CLOCK = {"base": 3_600, "increment": 1}
ON_A_DISK = "/var/tmp"
"""A folder on a disk: /tmp may be memory, where a sync costs nothing."""


@dataclass
class Result:
    moves: int
    seconds: float
    server_cpu_seconds: float
    moves_per_cpu_second: int
    microseconds_a_move: float
    p50_ms: float
    p99_ms: float

    def __str__(self) -> str:
        return (
            f"{self.moves_per_cpu_second:7} moves/s of server CPU"
            f" ({self.microseconds_a_move} µs a move; {self.moves} moves in {self.seconds} s),"
            f" to the opponent p50 {self.p50_ms} ms, p99 {self.p99_ms} ms"
        )


@dataclass
class Meter:
    """A start signal for all players; it counts only while it runs."""

    rooms: int
    games: int
    """The number of games prepared for each room's players."""
    ready: asyncio.Barrier = field(init=False)
    running: bool = False
    latencies: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ready = asyncio.Barrier(self.rooms + 1)

    def moved(self, sent: float) -> None:
        if self.running:
            self.latencies.append(time.perf_counter() - sent)


PlaysIn: TypeAlias = Callable[[int, int, list[str], Meter], Coroutine[Any, Any, None]]
"""A function that plays a pair's moves at a port while the meter runs; its number names the pair."""


async def tablero_room(
    port: int, number: int, script: list[str], meter: Meter, *, clock: dict[str, int] | None = None
) -> None:
    async with a_socket(port) as first, a_socket(port) as second:
        players = await _players(first, second, number)
        rooms = [await make_room(players, clock) for _ in range(meter.games)]
        await meter.ready.wait()
        for room in rooms:
            await _play(players, room, script, meter)
        raise RuntimeError("every prepared game is over; measure for fewer --seconds")


async def tablero_games(
    port: int, number: int, script: list[str], meter: Meter, *, clock: dict[str, int] | None = None
) -> None:
    async with a_socket(port) as first, a_socket(port) as second:
        players = await _players(first, second, number)
        await meter.ready.wait()
        while True:
            room = await make_room(players, clock)
            await _play(players, room, script, meter)
            for player in players:
                await player.send("leave", room=room)
                await player.next("left")


async def _players(first: ClientConnection, second: ClientConnection, number: int) -> list[Player]:
    players = [Player(first, f"a{number}"), Player(second, f"b{number}")]
    for player in players:
        await player.hello()
    return players


async def bare_room(port: int, number: int, script: list[str], meter: Meter) -> None:
    query = f"?pair={number}"
    async with a_socket(port, query) as first, a_socket(port, query) as second:
        players = [Player(first, f"a{number}"), Player(second, f"b{number}")]
        await meter.ready.wait()
        while True:
            await _play(players, f"room{number:08}", script, meter)


async def _play(players: list[Player], room: str, script: list[str], meter: Meter) -> None:
    for ply, move in enumerate(script):
        mover, other = players[ply % 2], players[1 - ply % 2]
        sent = time.perf_counter()
        await mover.send("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        await other.next("nextPlayer")
        meter.moved(sent)
        await mover.next("nextPlayer")


async def measure(room: PlaysIn, port: int, pid: int, rooms: int, seconds: float) -> Result:
    # More games than two players can finish in the time.
    meter = Meter(rooms, games=2 + round((seconds + WARM_UP_SECONDS) * MOST_MOVES_A_SECOND / rooms / 42))
    games = [a_full_game(seed) for seed in range(8)]
    tasks = [asyncio.create_task(room(port, n, games[n % 8], meter)) for n in range(rooms)]
    await asyncio.wait([asyncio.create_task(meter.ready.wait()), *tasks], return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(WARM_UP_SECONDS)
    cpu, start, meter.running = cpu_seconds(pid), time.perf_counter(), True
    used = 0.0
    while not used or len(meter.latencies) < 2:  # on a busy machine a short run may have no result
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        used = cpu_seconds(pid) - cpu
        if done:
            break
    meter.running, took, cpu = False, time.perf_counter() - start, used
    for task in tasks:
        if task.done():
            task.result()  # a room that ended has failed
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    moves = len(meter.latencies)
    cuts = statistics.quantiles(meter.latencies, n=100)
    return Result(
        moves=moves,
        seconds=round(took, 2),
        server_cpu_seconds=round(cpu, 2),
        moves_per_cpu_second=round(moves / cpu),
        microseconds_a_move=round(cpu / moves * 1e6, 1),
        p50_ms=round(cuts[49] * 1e3, 2),
        p99_ms=round(cuts[98] * 1e3, 2),
    )


def with_the_code_of(tree: Path) -> dict[str, str]:
    """The environment in which Python finds another tree's packages first."""
    packages = [str(tree.resolve() / folder) for folder in ("protocol", "games", "server", "clients")]
    return {"PYTHONPATH": os.pathsep.join(packages)}


def unknown_to(tree: Path) -> set[str]:
    """The settings that the other tree's server does not know; it would refuse to start with them."""
    settings = (tree / "server" / "tablero_server" / "settings.py").read_text("utf-8")
    return {name for name in UNLIMITED if f"{name.removeprefix('TABLERO_').lower()}:" not in settings}


@contextmanager
def a_server(database: str | None, tree: Path | None = None) -> Iterator[Serving]:
    """A server with a journal in a temporary folder and a long timeout, because these clients don't ping."""
    variables = {"TABLERO_SILENCE_SECONDS": "3600", "TABLERO_FIRST_MOVE_SECONDS": "3600"}
    variables |= {} if tree is None else with_the_code_of(tree)
    with TemporaryDirectory(dir=ON_A_DISK) as folder:
        home = Path(folder)
        url = database or f"sqlite:///{home / 'tablero.db'}"
        with Serving(home, url, **variables) as serving:
            for unknown in set() if tree is None else unknown_to(tree):
                del serving.env[unknown]
            serving.start()
            serving.wait_until_open()
            yield serving


def run_scenario(name: str, chosen: Namespace, tree: Path | None = None) -> list[Figure]:
    with a_server(None if tree is not None else chosen.database, tree) as serving:
        return uvloop.run(SCENARIOS[name](serving, chosen.rooms, chosen.seconds))


class Compared(NamedTuple):
    """One figure of a scenario in both trees: the medians of all rounds, and of the ratios between
    the trees.
    """

    name: str
    unit: str
    ours: float
    theirs: float
    ratio: float

    def __str__(self) -> str:
        return f"{self.name:44}{self.ours:>10g} {self.unit:6}{self.theirs:>10g} before{self.ratio:>8.2f}"


def compared(name: str, chosen: Namespace) -> list[Compared]:
    """The figures of both trees; in each round, each tree gets a fresh server."""
    rounds = [
        (run_scenario(name, chosen), run_scenario(name, chosen, chosen.against)) for _ in range(chosen.rounds)
    ]
    found = []
    for figures in zip(*(zip(ours, theirs, strict=True) for ours, theirs in rounds), strict=True):
        ours, theirs = [each.value for each, _ in figures], [each.value for _, each in figures]
        ratios = [one / other for one, other in zip(ours, theirs, strict=True) if other]
        medians = [statistics.median(each) if each else 0.0 for each in (ours, theirs, ratios)]
        found.append(Compared(figures[0][0].name, figures[0][0].unit, *medians))
    return found


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m bench.load", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--whole-games", action="store_true")
    parser.add_argument(
        "--scenario", choices=[*SCENARIOS, "all"], help="instead of players as fast as can be"
    )
    parser.add_argument("--database", metavar="URL", help="instead of a file of its own")
    parser.add_argument("--against", metavar="TREE", type=Path, help="instead of the bare stack")
    parser.add_argument("--clock", action="store_true", help="in rooms with clocks")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    allow_many_sockets()
    return scenarios(chosen) if chosen.scenario else closed_loop(chosen)


def scenarios(chosen: Namespace) -> int:
    names = list(SCENARIOS) if chosen.scenario == "all" else [chosen.scenario]
    if chosen.against is not None:
        against = [each for name in names for each in compared(name, chosen)]
        whole = json.dumps({"rooms": chosen.rooms, "figures": [each._asdict() for each in against]})
        print(whole if chosen.json else "\n".join(map(str, against)))
        return 0
    figures = []
    for name in names:
        found = run_scenario(name, chosen)
        figures += found
        if not chosen.json:
            print(*found, sep="\n", flush=True)
    if chosen.json:
        shown = [asdict(figure) | {"passed": figure.passed} for figure in figures]
        print(json.dumps({"rooms": chosen.rooms, "figures": shown}))
    return 0 if all(figure.passed for figure in figures) else 1


def closed_loop(chosen: Namespace) -> int:
    without = tablero_games if chosen.whole_games else tablero_room
    room: PlaysIn = partial(without, clock=CLOCK) if chosen.clock else without
    other = "bare"
    other_room: PlaysIn = bare_room
    if chosen.against is not None:
        other, other_room = "before", room
    elif chosen.clock:
        other, other_room = "without", without
    rounds = []
    with a_server(chosen.database) as serving, _other_side(chosen, serving) as (port, pid):
        for _ in range(chosen.rounds):
            ours = uvloop.run(measure(room, serving.port, serving.pid, chosen.rooms, chosen.seconds))
            rounds.append((ours, uvloop.run(measure(other_room, port, pid, chosen.rooms, chosen.seconds))))
            if not chosen.json:
                print(f"{'tablero':8} {rounds[-1][0]}\n{other:8} {rounds[-1][1]}", flush=True)
    ratios = [round(ours.moves_per_cpu_second / theirs.moves_per_cpu_second, 2) for ours, theirs in rounds]
    if chosen.json:
        shown = [{"tablero": asdict(ours), other: asdict(theirs)} for ours, theirs in rounds]
        print(json.dumps({"rooms": chosen.rooms, "rounds": shown, "ratios": ratios}))
    else:
        print(f"ratio    {statistics.median(ratios):.2f} (rounds: {', '.join(map(str, sorted(ratios)))})")
    return 0


@contextmanager
def _other_side(chosen: Namespace, serving: Serving) -> Iterator[tuple[int, int]]:
    """The port and process id of the server to compare with."""
    if chosen.against is not None:
        with a_server(None, chosen.against) as before:
            yield before.port, before.pid
    elif chosen.clock:
        yield serving.port, serving.pid
    else:
        with the_bare_stack() as bare:
            yield bare


if __name__ == "__main__":
    sys.exit(main())
