"""Twenty people against twenty bots on one host: the delay for other players, and the lateness of the bots.

`python -m bench.bots [--seconds S] [--json]` starts a server and a bot host in separate processes. Two
scripted people play each other all the time. First they are the only players (quiet). Then twenty others play
random legal moves against bots of all five games (loaded). The two measure the server's latency: from a ping
to its pong, and from a move to the opponent's `nextPlayer`.

The lateness of a bot is the time from the event of its turn to the event of its move, as its opponent gets
them, minus the brain's limit. 100 ms are allowed; the exit code is 1 if a bot took longer. All processes
share one machine, so its other work also affects the figures.
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
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field
from itertools import cycle, islice
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgpack
import uvloop
from websockets import Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from tablero.brains import find_brain
from tablero_games import GAMES

GAMES_AT_ONCE = 20
LEVELS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("quoridor:expert", {}),
    ("quoridor:hard", {}),
    ("connect-four:lookahead", {}),
    ("dots-and-boxes:expert", {}),
    ("minesweeper:exact", {"mode": "race", "level": "intermediate"}),
    ("tic-tac-toe:perfect", {}),
    ("quoridor:expert", {}),
    ("connect-four:full-text", {}),
    ("dots-and-boxes:hard", {}),
    ("minesweeper:pinv", {"mode": "race", "level": "beginner"}),
)
"""The bots that the people play against, one after another, with their options."""
ALLOWED_SECONDS = 0.1
PAUSE_SECONDS = (0.2, 0.6)
"""The seconds for which a person looks at the board."""
EVERY_SECONDS = 0.02
"""The seconds between two moves, or two pings, of the measuring players."""
ROOMY = {
    "TABLERO_OWN_ROOMS_PER_MINUTE": "1000",
    "TABLERO_ROOMS": "1000",
    "TABLERO_MESSAGES_PER_SECOND": "1000",
    "TABLERO_MESSAGES_BURST": "1000",
    "TABLERO_TURNS_PER_SECOND": "1000",
    "TABLERO_TURNS_BURST": "1000",
}
"""Raised limits, because the measurement sends more than people do."""
SERVE = "from tablero_server.app import serve; serve(port=0, bots=False, log='json')"


class Thought(NamedTuple):
    """The time that a bot used for a move, and its limit."""

    spec: str
    seconds: float
    limit: float


@dataclass
class Latencies:
    """Latencies in seconds."""

    pings: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)


@dataclass
class Measured:
    quiet: Latencies = field(default_factory=Latencies)
    loaded: Latencies = field(default_factory=Latencies)
    thoughts: list[Thought] = field(default_factory=list)
    games: int = 0
    given_up: list[str] = field(default_factory=list)
    """Messages of bots that had to stop."""


class Person:
    """A scripted client that reads and writes msgpack without the library."""

    def __init__(self, socket: ClientConnection, seed: int) -> None:
        self._socket = socket
        self.random = Random(seed)

    async def send(self, type: str, **fields: Any) -> None:
        id = f"{self.random.getrandbits(96):024x}"
        await self._socket.send(msgpack.packb({"type": type, "id": id, **fields}))

    async def move_soon(self, room: str, ply: int, move: str) -> None:
        """Plays a move in a separate task, so that the arrival of a bot's move is noticed at once."""
        await asyncio.sleep(self.random.uniform(*PAUSE_SECONDS))
        await self.send("playTurn", room=room, seat=0, ply=ply, move=move)

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = msgpack.unpackb(await self._socket.recv())
        return message

    async def until(self, type: str) -> dict[str, Any]:
        while (message := await self.hear())["type"] != type:
            if message["type"] == "refused":
                raise RuntimeError(str(message))
        return message


@asynccontextmanager
async def person(port: int, seed: int) -> AsyncIterator[Person]:
    async with connect(
        f"ws://127.0.0.1:{port}/ws",
        subprotocols=[Subprotocol("tablero.v1.msgpack")],
        compression=None,
        ping_interval=None,
    ) as socket:
        someone = Person(socket, seed)
        await someone.send("hello", protocol=1, client="bench")
        await someone.until("welcome")
        yield someone


# The two measuring players


async def two_people(port: int, latencies: list[Latencies]) -> None:
    """Plays two people against each other without end, at an even pace; latencies go into the last of
    `latencies`.
    """
    async with person(port, 1) as first, person(port, 2) as second:
        while True:
            await first.send("createRoom", game="connect-four", private=True, subscribe=["nextPlayer"])
            joined = await first.until("joined")
            await second.send("join", code=joined["code"], subscribe=["nextPlayer"])
            turns = [await each.until("nextPlayer") for each in (first, second)]
            while turns[0]["seats"]:
                (seat,) = turns[0]["seats"]
                mover, other = (first, second) if seat == 0 else (second, first)
                await asyncio.sleep(EVERY_SECONDS)
                began = time.perf_counter()
                await mover.send("ping")
                await mover.until("pong")
                latencies[-1].pings.append(time.perf_counter() - began)
                move = mover.random.choice(GAMES["connect-four"].legal_moves(turns[seat]["view"], seat))
                began = time.perf_counter()
                await mover.send("playTurn", room=joined["room"], seat=seat, ply=turns[0]["ply"], move=move)
                turns[1 - seat] = await other.until("nextPlayer")
                latencies[-1].moves.append(time.perf_counter() - began)
                turns[seat] = await mover.until("nextPlayer")
            for each in (first, second):
                await each.send("leave", room=joined["room"])
                await each.until("left")


# The players against bots


async def against_bots(port: int, number: int, measured: Measured) -> None:
    """Plays one game after another, each against the next bot on the list."""
    async with person(port, 100 + number) as someone:
        for spec, options in islice(cycle(LEVELS), number % len(LEVELS), None):
            await one_game(someone, spec, options, measured)


async def one_game(someone: Person, spec: str, options: dict[str, Any], measured: Measured) -> None:
    game, limit = GAMES[spec.partition(":")[0]], find_brain(spec).limit_seconds
    watched = ["nextPlayer", "chat"]
    seats = {"seats": 2} if options.get("mode") == "race" else {}
    await someone.send("createRoom", game=game.name, options=options, subscribe=watched, **seats)
    room = (await someone.until("joined"))["room"]
    await someone.send("invite", room=room, seat=1, bot=spec)
    began, moving = 0.0, asyncio.create_task(asyncio.sleep(0))
    while (event := await someone.hear()).get("outcome") is None:
        if event["type"] == "said":
            measured.given_up.append(f"{spec}: {event['text']}")
        if event["type"] != "nextPlayer":
            continue
        now, last = time.perf_counter(), event.get("last") or {}
        if last.get("seat") == 1 and "withdrew" not in last:
            measured.thoughts.append(Thought(spec, now - began, limit))
        if "last" not in event or last.get("seat") == 1 or game.counts(game.read_options(options)) != "own":
            began = now
        if 0 in event["seats"] and (last.get("seat") != 1 or 1 not in event["seats"]):
            move = someone.random.choice(game.legal_moves(event["view"], 0))
            moving = asyncio.create_task(someone.move_soon(room, event["ply"], move))
    moving.cancel()
    measured.games += 1
    await someone.send("leave", room=room)
    while (await someone.hear())["type"] != "left":
        pass  # perhaps a move that was too late


# The measurement


@contextmanager
def started(command: list[str], **more: Any) -> Iterator[subprocess.Popen[str]]:
    with TemporaryDirectory() as home:
        env = {
            **os.environ,
            **ROOMY,
            "TABLERO_HOME": home,
            "TABLERO_DATABASE": f"sqlite:///{home}/tablero.db",
        }
        process = subprocess.Popen([sys.executable, *command], env=env, text=True, **more)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(20)


async def bots_are_there(port: int) -> None:
    async with person(port, 3) as someone:
        await someone.send("watchLobby")
        lobby = await someone.until("lobby")
        while not any(player.get("card") for player in lobby.get("players", [])):
            lobby = await someone.until("lobbyChanged")


async def measure(port: int, seconds: float) -> Measured:
    measured = Measured()
    latencies = [measured.quiet]
    await bots_are_there(port)
    tasks = [asyncio.create_task(two_people(port, latencies))]
    try:
        await asyncio.wait(tasks, timeout=seconds / 4)
        tasks += [asyncio.create_task(against_bots(port, n, measured)) for n in range(GAMES_AT_ONCE)]
        latencies.append(measured.loaded)
        ended, _ = await asyncio.wait(tasks, timeout=seconds * 3 / 4, return_when=asyncio.FIRST_EXCEPTION)
        for task in ended:
            task.result()  # a task that ended has failed
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return measured


@dataclass
class Result:
    games: int
    """The number of finished games."""
    games_at_once: int
    bot_moves: int
    latencies_ms: dict[str, dict[str, float]]
    worst_lateness_ms: float
    """The longest time beyond a limit; below 0 if every bot was quicker."""
    latest: list[str]
    """The latest move of each level."""
    too_late: int
    given_up: list[str]


def result_of(measured: Measured) -> Result:
    latencies = {}
    for when, measurement in (("quiet", measured.quiet), ("loaded", measured.loaded)):
        for what, seconds in (("ping", measurement.pings), ("move", measurement.moves)):
            cuts = statistics.quantiles(seconds, n=100)
            latencies[f"{what} {when}"] = {
                "count": len(seconds),
                "p50": round(cuts[49] * 1e3, 2),
                "p99": round(cuts[98] * 1e3, 2),
                "max": round(max(seconds) * 1e3, 2),
            }
    worst: dict[str, Thought] = {}
    for thought in sorted(measured.thoughts, key=lambda thought: thought.seconds):
        worst[thought.spec] = thought
    late = [thought.seconds - thought.limit for thought in measured.thoughts]
    return Result(
        games=measured.games,
        games_at_once=GAMES_AT_ONCE,
        bot_moves=len(measured.thoughts),
        latencies_ms=latencies,
        worst_lateness_ms=round(max(late) * 1e3, 1),
        latest=[f"{spec} {each.seconds:.3f} s of {each.limit:g} s" for spec, each in sorted(worst.items())],
        too_late=sum(seconds > ALLOWED_SECONDS for seconds in late),
        given_up=measured.given_up,
    )


def main() -> int:
    parser = ArgumentParser(prog="python -m bench.bots", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with started(["-c", SERVE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        words = "".join(c if c.isdigit() else " " for c in server.stdout.readline()).split()
        port = int(words[-1])
        host = ["-m", "tablero", "bot-host", "--server", f"ws://127.0.0.1:{port}/ws", "--capacity", "40"]
        host += ["--pace", "0", "--no-greetings"]  # so that only the time for thinking is measured
        with started(host, stderr=subprocess.DEVNULL, start_new_session=True):  # like `tablero serve`
            measured = uvloop.run(measure(port, chosen.seconds))
    result = result_of(measured)
    if chosen.json:
        print(json.dumps(asdict(result)))
    else:
        for name, cuts in result.latencies_ms.items():
            print(f"{name:12} p50 {cuts['p50']} ms, p99 {cuts['p99']} ms, max {cuts['max']} ms")
        print(
            f"{result.bot_moves} moves of bots in {result.games_at_once} games at a time,"
            f" {result.games} of them played to the end; the slowest of each level:"
        )
        for line in [*result.latest, *result.given_up]:
            print(f"  {line}")
        print(
            f"worst lateness {result.worst_lateness_ms} ms beyond the limit;"
            f" {result.too_late} moves more than {ALLOWED_SECONDS * 1e3:.0f} ms late"
        )
    return 1 if result.too_late or result.given_up else 0


if __name__ == "__main__":
    sys.exit(main())
