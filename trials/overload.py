"""Two people play while strangers do their worst: is a move as fast, and is the server as small, as promised?

`python -m trials.overload [--seconds S] [--scale F] [--json]`: a real server process with its usual limits,
one kind of attack after the other, then all at once, each from a process of its own. What is asked for: the
99th percentile of a move stays within twice the quiet one of the same run, memory within what is computed for
so many connections, one connection too many gets 503, and the log has no traceback. The last figure needs a
quiet machine: attackers, server and players share its cores.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from bench.crowd import Player, a_full_game, a_socket, allow_many_sockets, make_room
from bench.serving import UNLIMITED, Serving
from tablero_server.settings import Settings
from tests.harness.raw import request
from trials.attacks import message
from trials.crowding import guests_called, open_rooms

KIB = 1_024
SOCKET_BYTES = 40 * KIB
"""One connection with its buffers, session and account; a bare TCP connection costs less."""
UNREAD_BYTES = 256 * KIB + 16 * KIB + 192 * KIB
"""For one that does not read: its outbox, and in its transport what still flowed and one lobby on top."""
HEAP_MIB = 8
"""What an allocator keeps of what was needed for a moment."""
PILING_UP_SECONDS = 10
"""How long those who never read go on before it is measured."""
PAUSE_SECONDS = 0.012
"""Between two moves, so that each seat stays below its 20 turns a second with room to spare."""
UNNOTICED_MS = 3.0
"""A quiet move takes less than a millisecond; twice that is within what a shared machine adds by itself."""
MANY = {
    "silent": 2_000,
    "half-header": 200,
    "dripping": 200,
    "keep-alive": 2_000,
    "no-hello": 200,
    "idle-guest": 2_000,
    "flood": 20,
    "giant": 20,
    "never-reading": 200,
    "stale-turns": 20,
}
GUESTS = {"lobby": 100, "namesakes": 20, "snapshots": 10}
"""They keep to every rate, on a server that holds much already."""
TABLES = 2_400
NAMESAKES = 8_000
READERS = 10
"""Of records of a game that goes on; each comes back a fifth of a second after it has one."""
LONG_GAME = 10_000


@dataclass
class Phase:
    name: str
    attackers: int
    moves: int
    p50_ms: float
    p99_ms: float
    grew_mib: float
    bound_mib: float


@contextmanager
def a_deployed_server(**changed: str) -> Iterator[Serving]:
    """A server as a host gets it, every limit as it is by default, but for what is `changed`."""
    with TemporaryDirectory() as folder:
        usual = {
            name: str(Settings.model_fields[name.removeprefix("TABLERO_").lower()].default)
            for name in UNLIMITED
        }
        with Serving(Path(folder).absolute(), "memory", **{**usual, **changed}) as serving:
            serving.start()
            serving.wait_until_open()
            yield serving


def complaints(serving: Serving) -> list[str]:
    """Lines of its log that no attacker may cause."""
    [log] = Path(serving.env["TABLERO_HOME"]).glob("server-*.log")
    words = ("Traceback", '"error"', '"critical"')
    return [line for line in log.read_text().splitlines() if any(word in line for word in words)]


def mib(serving: Serving) -> float:
    return serving.resident_bytes() / KIB / KIB


@contextmanager
def attackers(port: int, many: dict[str, int]) -> Iterator[None]:
    """So many of each kind, in a process of their own, from when the last of them is at it."""
    if not many:
        yield
        return
    counts = [f"{kind}={number}" for kind, number in many.items()]
    command = [sys.executable, "-m", "trials.attacks", str(port), *counts]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            assert running.stdout.readline() == "ready\n"
            yield
            assert running.poll() is None, "the attackers have given up"
        finally:
            running.kill()


def bound_mib(many: dict[str, int]) -> float:
    """By how much so many attackers may make the server grow."""
    if not many:
        return 0
    unread = many.get("never-reading", 0) * UNREAD_BYTES
    return HEAP_MIB + (sum(many.values()) * SOCKET_BYTES + unread) / KIB / KIB


async def play_on(players: list[Player], seconds: float, server: Serving) -> tuple[list[float], float]:
    """Moves for so long: how many ms each took to the opponent; and the server's size at its largest."""
    latencies, peak, game = [], 0.0, a_full_game(1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        room = await make_room(players)
        for ply, move in enumerate(game):
            mover, other = players[ply % 2], players[1 - ply % 2]
            sent = time.perf_counter()
            await mover.send("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            await other.next("nextPlayer")
            latencies.append((time.perf_counter() - sent) * 1e3)
            await mover.next("nextPlayer")
            await asyncio.sleep(PAUSE_SECONDS)
        peak = max(peak, mib(server))
        for player in players:
            await player.send("leave", room=room)
            await player.next("left")
    return latencies, peak


async def meanwhile_heard(players: list[Player], starting: asyncio.Task[None]) -> None:
    """Thousands of attackers may take longer to start than anybody may be silent."""
    while not starting.done():
        for player in players:
            await player.send("ping")
            await player.next("pong")
        await asyncio.wait([starting], timeout=5)
    await starting


async def measure(server: Serving, many: dict[str, int], seconds: float) -> list[Phase]:
    phases: list[Phase] = []
    async with a_socket(server.port) as first, a_socket(server.port) as second:
        players = [Player(first, "a"), Player(second, "b")]
        for player in players:
            await player.hello()
        await play_on(players, 1, server)

        async def once(name: str, those: dict[str, int]) -> Phase:
            before = mib(server)
            with ExitStack() as stack:
                starting = asyncio.to_thread(stack.enter_context, attackers(server.port, those))
                await meanwhile_heard(players, asyncio.create_task(starting))
                await asyncio.sleep(PILING_UP_SECONDS if "never-reading" in those else 0)
                latencies, peak = await play_on(players, seconds, server)
            cuts = statistics.quantiles(latencies, n=100)
            growth, bound = round(max(0.0, peak - before), 1), round(bound_mib(those), 1)
            figures = (len(latencies), round(cuts[49], 2), round(cuts[98], 2), growth, bound)
            return Phase(name, sum(those.values()), *figures)

        async def phase(name: str, those: dict[str, int]) -> None:
            """The best of three, if it takes so many: a machine may be busy with something else."""
            tries = [await once(name, those)]
            while those and tries[-1].p99_ms > allowed_ms(phases) and len(tries) < 3:
                tries.append(await once(name, those))
            best = min(tries, key=lambda each: each.p99_ms)
            phases.append(replace(best, grew_mib=max(each.grew_mib for each in tries)))

        await phase("quiet", {})
        for kind, number in many.items():
            await phase(kind, {kind: number})
        if len(many) > 1:
            await phase("all at once", {kind: max(1, number // 2) for kind, number in many.items()})
        await phase("quiet again", {})
    return phases


async def flag(player: Player, room: str, ply: int) -> None:
    """A turn that changes little and can be taken back by the next, for a game without end."""
    await player.send("playTurn", room=room, seat=0, ply=ply, move=("flag a1", "unflag a1")[ply % 2])
    await player.next("ok", "seq")


async def measure_records(server: Serving, readers: int, turns: int, seconds: float) -> list[Phase]:
    """The same while strangers read the record of a long game, which changes ten times a second."""
    async with a_socket(server.port) as socket:
        third = Player(socket, "c")
        await third.hello()
        await third.send("createRoom", game="minesweeper")
        room = (await third.next("joined"))["room"]
        for ply in range(turns):
            await flag(third, room, ply)

        async def go_on() -> None:
            for ply in count(turns):
                await flag(third, room, ply)
                await asyncio.sleep(0.1)

        playing = asyncio.create_task(go_on())
        phases = await measure(server, {f"records@{room}": readers}, seconds)
        playing.cancel()
    return [replace(phase, name=phase.name.partition("@")[0]) for phase in phases]


async def measure_guests(
    server: Serving, many: dict[str, int], tables: int, namesakes: int, seconds: float
) -> list[Phase]:
    """The same while thousands of tables are open, and thousands of players have one name."""
    await guests_called("ana", server.port, namesakes)
    async with open_rooms(server.port, tables):
        return await measure(server, many, seconds)


async def fill(server: Serving, connections: int) -> tuple[float, list[int]]:
    """Idle guests up to the cap: by how many MiB the server grew, and what three more were told."""
    before, opened = mib(server), []
    statuses = []
    for _ in range(connections + 3):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(request(Sec_WebSocket_Protocol="tablero.v1.msgpack"))
        status = int((await reader.readuntil(b"\r\n\r\n")).split()[1])
        if status == 101:
            writer.write(message("hello", protocol=1, client="bench"))
        else:
            statuses.append(status)
        opened.append(writer)
    grown = mib(server) - before
    for writer in opened:
        writer.close()
    return grown, statuses


def allowed_ms(phases: list[Phase]) -> float:
    """Twice the quiet 99th percentile, or what nobody notices."""
    return max(UNNOTICED_MS, *(2 * phase.p99_ms for phase in phases if not phase.attackers))


def verdict(phases: list[Phase]) -> list[str]:
    """What is not as promised."""
    wrong, allowed = [], allowed_ms(phases)
    for phase in phases:
        if phase.p99_ms > allowed:
            wrong.append(f"{phase.name}: p99 {phase.p99_ms} ms is over the {allowed} ms allowed")
        if phase.attackers and phase.grew_mib > phase.bound_mib:
            wrong.append(f"{phase.name}: grew by {phase.grew_mib} MiB, over the {phase.bound_mib} computed")
    return wrong


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--connections", type=int, default=5_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    allow_many_sockets()
    connections: int = chosen.connections
    many = {kind: max(2, round(number * chosen.scale)) for kind, number in MANY.items()}
    with a_deployed_server() as server:
        phases = uvloop.run(measure(server, many, chosen.seconds))
        wrong = verdict(phases) + complaints(server)
    with a_deployed_server() as server:
        guests = {kind: max(2, round(number * chosen.scale)) for kind, number in GUESTS.items()}
        crowded = uvloop.run(measure_guests(server, guests, TABLES, NAMESAKES, chosen.seconds))
        phases, wrong = phases + crowded, wrong + verdict(crowded) + complaints(server)
    fast = {  # at once as well: a server's time stands still while it is late
        "TABLERO_TURNS_PER_SECOND": "10000",
        "TABLERO_TURNS_BURST": "20000",
        "TABLERO_ROOM_TURNS": "20000",
    }
    with a_deployed_server(**fast) as server:
        reading = uvloop.run(measure_records(server, READERS, LONG_GAME, chosen.seconds))
        phases, wrong = phases + reading, wrong + verdict(reading) + complaints(server)
    with a_deployed_server(TABLERO_CONNECTIONS=str(connections), TABLERO_HELLO_SECONDS="60") as server:
        grown, statuses = uvloop.run(fill(server, connections))
        if statuses != [503] * 3:
            wrong.append(f"beyond {connections} connections: {statuses}")
        if grown > connections * 150 / 5_000:
            wrong.append(f"{connections} idle connections: {grown:.0f} MiB")
    if chosen.json:
        print(json.dumps({"phases": [asdict(phase) for phase in phases], "idle_mib": grown, "wrong": wrong}))
        return bool(wrong)
    for phase in phases:
        print(
            f"{phase.name:14} {phase.attackers:5} attackers  {phase.moves:5} moves"
            f"  p50 {phase.p50_ms:6.2f} ms  p99 {phase.p99_ms:7.2f} ms"
            f"  grew {phase.grew_mib:6.1f} MiB of at most {phase.bound_mib:6.1f}"
        )
    per_socket = f"{grown * KIB / connections:.1f} KiB each"
    print(f"{connections} idle connections: {grown:.0f} MiB, {per_socket}; three more: {statuses}")
    print("\n".join(wrong) or "all as promised")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
