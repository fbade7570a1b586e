"""Measure a game of two people under attack: latency of moves and size of the server, compared with the
promises.

`python -m trials.overload [--rounds N] [--seconds S] [--scale F] [--only KIND …] [--json]`: a real server
process with its default limits. Attackers in a separate process use one kind of attack after another, then
all together. Each kind is measured in rounds: a quiet slice, a slice under attack, and another quiet slice,
so that other work of the machine affects both kinds of slices.

The promises: the 99th percentile of a move, as the median of all slices, stays within twice the quiet one.
Memory stays within the limit computed for that many connections. One connection too many gets 503. The log
has no traceback. Of 100 people who come during an attack on shared limits, all have to succeed: with a right
code, as newcomers, or with a field that must be searched for. If the machine allows it, server and players
have a higher priority than all other processes.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from argparse import ArgumentParser
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import uvloop

from tablero_server.settings import Settings
from tests.harness.crowd import Player, a_full_game, a_socket, allow_many_sockets, make_room
from tests.harness.raw import request
from tests.harness.serving import UNLIMITED, Serving, a_free_port
from trials.attacks import PATIENCE_SECONDS, message, strangers
from trials.crowding import guests_called, open_rooms, packed_games
from trials.newcomers import Count, come_anew, come_with_codes, look_for_fields

KIB = 1_024
SOCKET_BYTES = 40 * KIB
"""The memory of a connection with its buffers, session and account; a bare TCP connection needs less."""
UNREAD_BYTES = 256 * KIB + 16 * KIB + 192 * KIB
"""The memory of a connection that does not read: its outbox, and the unread bytes in its transport, with one
lobby.
"""
HEAP_MIB = 8
"""The memory that an allocator keeps after a peak."""
PILING_UP_SECONDS = 3
"""The seconds for which attackers that never read continue before the measurement."""
SETTLING_SECONDS = 0.3
"""The seconds after an attack until the server has noticed that all have left."""
PAUSE_SECONDS = 0.006
"""The seconds between two moves, so that the two players stay below the rates for turns and new games."""
UNNOTICED_MS = 1.0
"""A latency below this counts as quiet, whatever the quiet slices took."""
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
"""Attackers that keep to every rate, on a server that is already rather full."""
TABLES = 2_400
NAMESAKES = 8_000
SHARED = {"wrong-codes": 8, "searches": 16, "replays": 4, "host-port": 2_000}
"""Attackers that use up shared limits."""
COUNTED = {
    "right-codes": (come_with_codes, {}),
    "newcomers": (come_anew, {"TABLERO_PLAYERS": "500", "TABLERO_ALL_GUESTS_PER_MINUTE": "600"}),
    "fields": (look_for_fields, {}),
}
"""For each such attack, the visit to try during it, and the server's settings."""
PACKED = {"packed-records": 3, "packed-watchers": 8}
"""Attackers who read packed correspondence games."""
PACKED_GAMES, PACKED_PLIES = 128, 180
"""The number of packed games, more than the server keeps for readers, and the plies of each."""
FORGETFUL, PACKED_AFTER_SECONDS = {"TABLERO_SESSION_SECONDS": "1"}, 4
KEPT_MIB = 24
"""The memory that the server keeps for requested records."""
SEEKERS = 300
RINGING_SECONDS = 11.0
"""The seconds in which each seek rings at least once."""
READERS = 10
"""Attackers that read records of a running game; each starts again a fifth of a second after its
last record.
"""
LONG_GAME = 10_000


@dataclass
class Phase:
    """The result for one kind of attack: times in ms, as medians of all slices."""

    name: str
    attackers: int
    moves: int
    quiet_p99: float
    p50: float
    p99: float
    busy: float
    """The share of one processor that the server used."""
    grew_mib: float
    bound_mib: float

    @property
    def times(self) -> float:
        """The percentile under attack as a multiple of the percentile in quiet slices."""
        return round(self.p99 / self.quiet_p99, 2)

    def __str__(self) -> str:
        return (
            f"{self.name:14} {self.attackers:5} attackers  {self.moves:5} moves  p50 {self.p50:5.2f} ms"
            f"  p99 {self.p99:6.2f} ms, quiet {self.quiet_p99:5.2f}: {self.times:5.2f} times"
            f"  busy {self.busy:4.0%}  grew {self.grew_mib:5.1f} MiB of at most {self.bound_mib:5.1f}"
        )


class Limits(NamedTuple):
    """The seconds for the measurement of each attack."""

    rounds: int
    seconds: float


Tell = Callable[[Phase], None]
"""A function that is called with the result of each kind once it is measured."""


@contextmanager
def a_deployed_server(**changed: str) -> Iterator[Serving]:
    """A server with the default limits, except for those in `changed`."""
    with TemporaryDirectory() as folder:
        usual = {
            name: str(Settings.model_fields[name.removeprefix("TABLERO_").lower()].default)
            for name in UNLIMITED
        }
        usual["TABLERO_OWN_ROOMS_PER_MINUTE"] = "1000000"  # the measured players open a room in each slice
        usual["TABLERO_ALL_GUESTS_PER_MINUTE"] = "1000000"  # otherwise many an attacker would not even get in
        with Serving(Path(folder).absolute(), "memory", **{**usual, **changed}) as serving:
            serving.start()
            serving.wait_until_open()
            # the server gets this process's priority, but its children don't
            if os.sched_getscheduler(0) == os.SCHED_RR:
                os.sched_setscheduler(serving.pid, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
            yield serving


def complaints(serving: Serving) -> list[str]:
    """The lines of the log that no attacker may cause."""
    [log] = Path(serving.env["TABLERO_HOME"]).glob("server-*.log")
    words = ("Traceback", '"error"', '"critical"')
    return [line for line in log.read_text().splitlines() if any(word in line for word in words)]


def mib(serving: Serving) -> float:
    return serving.resident_bytes() / KIB / KIB


def bound_mib(many: dict[str, int]) -> float:
    """The most memory that the server may gain under that many attackers."""
    unread = many.get("never-reading", 0) * UNREAD_BYTES
    kept = KEPT_MIB if any(kind.startswith("packed-") for kind in many) else 0
    return HEAP_MIB + kept + (sum(many.values()) * SOCKET_BYTES + unread) / KIB / KIB


class Slice(NamedTuple):
    moves: int
    p50: float
    p99: float
    busy: float
    peak_mib: float


async def play_on(players: list[Player], seconds: float, server: Serving) -> Slice:
    """Plays moves for that long. Returns their latencies in ms, and the server's largest size."""
    latencies, peak, game = [], 0.0, a_full_game(1)
    begun, used = time.monotonic(), server.cpu_seconds()
    async with asyncio.timeout(seconds + PATIENCE_SECONDS):
        while time.monotonic() < begun + seconds:
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
    busy = (server.cpu_seconds() - used) / (time.monotonic() - begun)
    cuts = statistics.quantiles(latencies, n=100)
    return Slice(len(latencies), cuts[49], cuts[98], busy, peak)


async def meanwhile_heard(players: list[Player], doing: Coroutine[None, None, None]) -> None:
    """Does `doing` while the players stay connected: thousands of attackers may need longer to start than a
    player may be silent.
    """
    starting = asyncio.create_task(doing)
    while not starting.done():
        for player in players:
            await player.send("ping")
            await player.next("pong")
        await asyncio.wait([starting], timeout=5)
    await starting


async def measure(server: Serving, many: dict[str, int], limits: Limits, tell: Tell) -> list[Phase]:
    """Measures one kind of attack after another, then all together."""
    phases: list[Phase] = []
    async with a_socket(server.port) as first, a_socket(server.port) as second:
        players = [Player(first, "a"), Player(second, "b")]
        for player in players:
            await player.hello()
        await play_on(players, 1, server)
        async with strangers(server.port) as attackers:
            between = await play_on(players, limits.seconds, server)

            async def against(name: str, those: dict[str, int]) -> None:
                nonlocal between
                quiet, attacked, grew = [between], [], 0.0
                for _ in range(limits.rounds):
                    before = mib(server)
                    await meanwhile_heard(players, attackers.attack(those))
                    await asyncio.sleep(PILING_UP_SECONDS if "never-reading" in those else 0)
                    attacked.append(await play_on(players, limits.seconds, server))
                    grew = max(grew, attacked[-1].peak_mib - before)
                    await attackers.attack({})
                    await asyncio.sleep(SETTLING_SECONDS)
                    between = await play_on(players, limits.seconds, server)
                    quiet.append(between)
                phase = phase_of(name, those, quiet, attacked, grew)
                tell(phase)
                phases.append(phase)

            for kind, number in many.items():
                await against(kind.partition("@")[0], {kind: number})
            if len(many) > 1:
                await against("all at once", {kind: max(1, number // 2) for kind, number in many.items()})
    return phases


def phase_of(
    name: str, many: dict[str, int], quiet: Sequence[Slice], attacked: Sequence[Slice], grew: float
) -> Phase:
    return Phase(
        name,
        sum(many.values()),
        sum(each.moves for each in attacked),
        quiet_p99=round(statistics.median(each.p99 for each in quiet), 2),
        p50=round(statistics.median(each.p50 for each in attacked), 2),
        p99=round(statistics.median(each.p99 for each in attacked), 2),
        busy=round(statistics.median(each.busy for each in attacked), 2),
        grew_mib=round(grew, 1),
        bound_mib=round(bound_mib(many), 1),
    )


async def flag(player: Player, room: str, ply: int) -> None:
    """Plays a turn that the next one reverses, for a game without end."""
    await player.send("playTurn", room=room, seat=0, ply=ply, move=("flag a1", "unflag a1")[ply % 2])
    await player.next("ok", "seq")


async def measure_records(
    server: Serving, readers: int, turns: int, limits: Limits, tell: Tell
) -> list[Phase]:
    """Measures attackers that read the record of a long game, which changes ten times a second."""
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
        try:
            return await measure(server, {f"records@{room}": readers}, limits, tell)
        finally:
            playing.cancel()


async def measure_guests(
    server: Serving, many: dict[str, int], tables: int, namesakes: int, limits: Limits, tell: Tell
) -> list[Phase]:
    """Measures with thousands of open tables, and thousands of players with one name."""
    await guests_called("ana", server.port, namesakes)
    async with open_rooms(server.port, tables):
        return await measure(server, many, limits, tell)


async def fill(server: Serving, connections: int) -> tuple[float, list[int]]:
    """Connects idle guests up to the limit. Returns the server's growth in MiB, and the answers to three more
    guests.
    """
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


async def measure_packed(
    server: Serving, many: dict[str, int], games: int, plies: int, limits: Limits, tell: Tell
) -> list[Phase]:
    """Measures attackers that ask for packed games."""
    rooms = await packed_games(server.port, games, plies)
    await asyncio.sleep(PACKED_AFTER_SECONDS)
    aimed = {f"{kind}@{','.join(rooms)}": number for kind, number in many.items()}
    return await measure(server, aimed, limits, tell)


async def measure_shared(server: Serving, many: dict[str, int], limits: Limits, tell: Tell) -> list[Phase]:
    """Measures attackers of shared limits, and of the host's own port."""
    port = server.env["TABLERO_ADMIN_ADDRESS"].rpartition(":")[2]
    aimed = {f"{kind}@{port}" if kind == "host-port" else kind: number for kind, number in many.items()}
    return await measure(server, aimed, limits, tell)


def refused(counts: list[Count]) -> list[str]:
    """The visits that failed."""
    return [str(count) for count in counts if count.succeeded < count.people]


def verdict(phases: list[Phase]) -> list[str]:
    """The broken promises."""
    wrong = []
    for phase in phases:
        allowed = max(UNNOTICED_MS, 2 * phase.quiet_p99)
        if phase.p99 > allowed:
            wrong.append(f"{phase.name}: p99 {phase.p99} ms is over the {allowed:.2f} ms allowed")
        if phase.grew_mib > phase.bound_mib:
            wrong.append(f"{phase.name}: grew by {phase.grew_mib} MiB, over the {phase.bound_mib} computed")
    return wrong


def go_first() -> bool:
    """Raises the priority of server and players above all other processes. Returns whether the machine allows
    that.
    """
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        return True
    return False


FAST = {  # for the server as well: its time stops while it is late
    "TABLERO_TURNS_PER_SECOND": "10000",
    "TABLERO_TURNS_BURST": "20000",
    "TABLERO_ROOM_TURNS": "20000",
}


EVERYTHING = [*MANY, *GUESTS, "records", *PACKED, "seekers", *SHARED, *COUNTED, "fill"]


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", nargs="*", default=EVERYTHING)
    parser.add_argument("--connections", type=int, default=5_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    allow_many_sockets()
    limits = Limits(chosen.rounds, chosen.seconds)

    def tell(what: object) -> None:
        if not chosen.json:
            print(what, flush=True)

    def scaled(many: dict[str, int]) -> dict[str, int]:
        return {kind: max(2, round(many[kind] * chosen.scale)) for kind in many if kind in chosen.only}

    tell(f"server and players go {'first' if go_first() else 'like everything else on this machine'}")
    phases: list[Phase] = []
    wrong: list[str] = []

    def against(attacking: Callable[[Serving], Coroutine[None, None, list[Phase]]], **changed: str) -> None:
        with a_deployed_server(**changed) as server:
            try:
                found = uvloop.run(attacking(server))
            except TimeoutError:
                wrong.append("an attack did not begin, or a slice did not end")
            else:
                phases.extend(found)
                wrong.extend(verdict(found))
            wrong.extend(complaints(server))

    if many := scaled(MANY):
        against(lambda server: measure(server, many, limits, tell))
    if guests := scaled(GUESTS):
        against(lambda server: measure_guests(server, guests, TABLES, NAMESAKES, limits, tell))
    if "records" in chosen.only:
        against(lambda server: measure_records(server, READERS, LONG_GAME, limits, tell), **FAST)
    if packed := scaled(PACKED):
        size, rates = (PACKED_GAMES, PACKED_PLIES), {**FAST, **FORGETFUL}
        against(lambda server: measure_packed(server, packed, *size, limits, tell), **rates)
    if seekers := scaled({"seekers": SEEKERS}):
        longer = limits._replace(seconds=max(limits.seconds, RINGING_SECONDS))
        against(lambda server: measure(server, seekers, longer, tell))
    if shared := scaled(SHARED):
        address = f"127.0.0.1:{a_free_port()}"
        against(lambda server: measure_shared(server, shared, limits, tell), TABLERO_ADMIN_ADDRESS=address)
    counts: list[Count] = []
    for name, (come, changed) in COUNTED.items():
        if name in chosen.only:
            with a_deployed_server(**changed) as server:
                counts.append(uvloop.run(come(server.port)))
                tell(counts[-1])
                wrong.extend(complaints(server))
    wrong.extend(refused(counts))
    if "fill" in chosen.only:
        connections = chosen.connections
        with a_deployed_server(TABLERO_CONNECTIONS=str(connections), TABLERO_HELLO_SECONDS="60") as server:
            grown, statuses = uvloop.run(fill(server, connections))
            if statuses != [503] * 3:
                wrong.append(f"beyond {connections} connections: {statuses}")
            if grown > connections * 150 / 5_000:
                wrong.append(f"{connections} idle connections: {grown:.0f} MiB")
            each = f"{grown * KIB / connections:.1f} KiB each"
            tell(f"{connections} idle connections: {grown:.0f} MiB, {each}; three more: {statuses}")
    if chosen.json:
        told = {"phases": [asdict(each) for each in phases], "counts": [asdict(each) for each in counts]}
        print(json.dumps({**told, "wrong": wrong}))
    else:
        print("\n".join(wrong) or "all as promised")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
