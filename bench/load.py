"""Moves per second of server CPU, and how long a move takes to its opponent.

`python -m bench.load [--rooms N] [--seconds S] [--whole-games] [--json]`: N rooms at a time, each of two
scripted Connect Four players that answer each other as fast as they can, against a real server process; then
the same traffic against the bare stack (bench/bare.py), and the ratio of the two. What is timed is moves: the
rooms of all games are made beforehand, since the bare stack has none to make. With --whole-games they are
made, joined and left in the timed part, and a move bears its share of that. Trust the ratio: the machine may
be busy with other things.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

import msgpack
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from tablero_games import GAMES

WARM_UP_SECONDS = 1.0
MOST_MOVES_A_SECOND = 45_000
ROOMY = {
    "TABLERO_ROOMS": "1000000",
    "TABLERO_ROOMS_PER_PERSON": "1000000",
    "TABLERO_CONNECTIONS": "100000",
    "TABLERO_TURNS_PER_SECOND": "1000000",
    "TABLERO_TURNS_BURST": "1000000",
    "TABLERO_MESSAGES_PER_SECOND": "1000000",
    "TABLERO_MESSAGES_BURST": "1000000",
}


@dataclass
class Result:
    moves: int
    seconds: float
    server_cpu_seconds: float
    moves_per_cpu_second: int
    microseconds_a_move: float
    p50_ms: float
    p99_ms: float


@dataclass
class Meter:
    """Says when to begin, and counts only while it is running."""

    rooms: int
    games: int
    """How many games each room's players have before them."""
    ready: asyncio.Barrier = field(init=False)
    running: bool = False
    latencies: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ready = asyncio.Barrier(self.rooms + 1)

    def moved(self, sent: float) -> None:
        if self.running:
            self.latencies.append(time.perf_counter() - sent)


def a_full_game(seed: int) -> list[str]:
    """A Connect Four game that fills the board without a winner: 42 moves."""
    random = Random(seed)
    while True:
        position, moves = GAMES["connect-four"].start(), []
        while not position.outcome:
            (seat,) = position.to_move
            moves.append(random.choice(position.legal_moves(seat)))
            position = position.play(seat, moves[-1])
        if len(moves) == 42:
            return moves


class Player:
    """A scripted client: msgpack in, msgpack out, nothing in between."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self._socket = socket
        self._name = name
        self._sent = 0

    async def send(self, type: str, **fields: Any) -> None:
        self._sent += 1
        await self._socket.send(msgpack.packb({"type": type, "id": f"{self._name}-{self._sent}", **fields}))

    async def next(self, *types: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = msgpack.unpackb(await self._socket.recv())
            if message["type"] in types:
                return message
            if message["type"] == "refused":
                raise RuntimeError(str(message))


async def tablero_room(port: int, number: int, script: list[str], meter: Meter) -> None:
    async with _socket(port) as first, _socket(port) as second:
        players = await _players(first, second, number)
        rooms = [await _make_room(players) for _ in range(meter.games)]
        await meter.ready.wait()
        for room in rooms:
            await _play(players, room, script, meter)
        raise RuntimeError("every prepared game is over; measure for fewer --seconds")


async def tablero_games(port: int, number: int, script: list[str], meter: Meter) -> None:
    async with _socket(port) as first, _socket(port) as second:
        players = await _players(first, second, number)
        await meter.ready.wait()
        while True:
            room = await _make_room(players)
            await _play(players, room, script, meter)
            for player in players:
                await player.send("leave", room=room)
                await player.next("left")


async def _players(first: ClientConnection, second: ClientConnection, number: int) -> list[Player]:
    players = [Player(first, f"a{number}"), Player(second, f"b{number}")]
    for player in players:
        await player.send("hello", protocol=1, client="bench")
        await player.next("welcome")
    return players


async def _make_room(players: list[Player]) -> str:
    await players[0].send("createRoom", game="connect-four", subscribe=["nextPlayer"])
    room: str = (await players[0].next("joined"))["room"]
    await players[1].send("join", room=room, subscribe=["nextPlayer"])
    for player in players:
        await player.next("nextPlayer")
    return room


async def bare_room(port: int, number: int, script: list[str], meter: Meter) -> None:
    query = f"?pair={number}"
    async with _socket(port, query) as first, _socket(port, query) as second:
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


@asynccontextmanager
async def _socket(port: int, query: str = "") -> AsyncIterator[ClientConnection]:
    async with connect(
        f"ws://127.0.0.1:{port}/ws{query}",
        subprotocols=["tablero.v1.msgpack"],  # type: ignore[list-item]  # a NewType of str
        compression=None,
        ping_interval=None,
        open_timeout=30,
    ) as socket:
        yield socket


async def measure(room: Any, port: int, pid: int, rooms: int, seconds: float) -> Result:
    # More games than two players get through in the time, at a rate that this stack does not reach.
    meter = Meter(rooms, games=2 + round((seconds + WARM_UP_SECONDS) * MOST_MOVES_A_SECOND / rooms / 42))
    games = [a_full_game(seed) for seed in range(8)]
    tasks = [asyncio.create_task(room(port, n, games[n % 8], meter)) for n in range(rooms)]
    await asyncio.wait([asyncio.create_task(meter.ready.wait()), *tasks], return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(WARM_UP_SECONDS)
    cpu, start, meter.running = cpu_seconds(pid), time.perf_counter(), True
    await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    meter.running, took, cpu = False, time.perf_counter() - start, cpu_seconds(pid) - cpu
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


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(command: list[str], room: Any, rooms: int, seconds: float) -> Result:
    """Starts a server, waits for the port that it prints, measures, and stops it."""
    server = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, **ROOMY},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        port = int("".join(character if character.isdigit() else " " for character in line).split()[-1])
        return uvloop.run(measure(room, port, server.pid, rooms, seconds))
    finally:
        server.terminate()
        server.wait(10)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--whole-games", action="store_true")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    serve = "from tablero_server.app import serve; serve(port=0, bots=False, log='json')"
    bare = run(["-m", "bench.bare"], bare_room, chosen.rooms, chosen.seconds)
    room = tablero_games if chosen.whole_games else tablero_room
    ours = run(["-c", serve], room, chosen.rooms, chosen.seconds)
    ratio = round(ours.moves_per_cpu_second / bare.moves_per_cpu_second, 2)
    if chosen.json:
        print(
            json.dumps({"rooms": chosen.rooms, "tablero": asdict(ours), "bare": asdict(bare), "ratio": ratio})
        )
        return
    for name, result in (("tablero", ours), ("bare", bare)):
        print(
            f"{name:8} {result.moves_per_cpu_second:7} moves/s of server CPU"
            f" ({result.microseconds_a_move} µs a move; {result.moves} moves in {result.seconds} s),"
            f" to the opponent p50 {result.p50_ms} ms, p99 {result.p99_ms} ms"
        )
    print(f"ratio    {ratio}")


if __name__ == "__main__":
    main()
