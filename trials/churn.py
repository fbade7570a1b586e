"""Check that a server gives back the memory that games took, and measure its size when it is full.

`python -m trials.churn [--seconds S] [--pairs N] [--entries N] [--only churn|rooms] [--json]`: a real
`tablero serve` process on loopback with its SQLite journal. First, pairs of new and returning guests create a
room, join it, play to the end and leave, again and again. The server's memory is printed meanwhile. Then all
leave, and their sessions, whose memory time is shortened, expire. The memory must return to within 15 % of
its size after the first games.

Then open rooms are filled until the server refuses more. Its size, its size after a start, and the time of
that start are limited, too. FULL=1: 20 minutes of churn, and rooms up to a host's default limit. The exit
code is 1 if a promise is broken.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgpack
import uvloop

from tablero_server.settings import Settings
from tests.harness.crowd import Player, a_full_game, a_socket, make_room
from tests.harness.serving import Serving

FULL = bool(os.environ.get("FULL"))
ON_A_DISK = "/var/tmp"
"""A folder on a disk: /tmp may be memory, where a sync costs nothing."""
MOST_GROWTH = 0.15
FRESH_EVERY = 20
"""The number of games after which a pair returns as new guests: players are remembered for 30 days."""
SESSION_SECONDS = 3
EMPTY_MIB = 110.0
"""The memory of a server without a room, with what it needs for a start."""
ENTRY_BYTES = 1_024
"""The most bytes of an entry on a large board; see TABLERO_ENTRIES."""
MOST_SECONDS_TO_START = 10.0
"""The limit in processor time, because the machine may have other work."""
SHARE = 20_000
IN_FLIGHT = 200


@dataclass
class Churn:
    games: int = 0
    before_mib: float = 0.0
    """The memory after the first games."""
    at_end_mib: float = 0.0
    after_mib: float = 0.0
    """The memory after all sessions had expired."""
    by_time: list[float] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        return self.after_mib <= (1 + MOST_GROWTH) * self.before_mib

    def __str__(self) -> str:
        return (
            f"{self.games} games: {self.before_mib} MiB after the first, {self.at_end_mib} at the end,"
            f" {self.after_mib} when all sessions had expired;"
            f" {self.after_mib / self.before_mib - 1:+.0%} of at most {MOST_GROWTH:+.0%}"
        )


@dataclass
class Rooms:
    entries: int
    full_mib: float
    started_mib: float
    seconds_to_start: float

    @property
    def most_mib(self) -> float:
        return round(EMPTY_MIB + self.entries * ENTRY_BYTES / 2**20, 1)

    @property
    def kept(self) -> bool:
        small = max(self.full_mib, self.started_mib) <= self.most_mib
        return small and self.seconds_to_start <= MOST_SECONDS_TO_START

    def __str__(self) -> str:
        return (
            f"{self.entries} turns in open rooms: {self.full_mib} MiB, after a start {self.started_mib},"
            f" of at most {self.most_mib}; the start took {self.seconds_to_start} s of processor, of at most"
            f" {MOST_SECONDS_TO_START:.0f}"
        )


def mib(server: Serving) -> float:
    return round(server.resident_bytes() / 2**20, 1)


# People who come and go


async def play_once(port: int, name: str, known: list[dict[str, str]], game: Sequence[str]) -> None:
    """Plays one game on two connections, which then close without a word."""
    async with AsyncExitStack() as stack:
        players = []
        for seat in (0, 1):
            socket = await stack.enter_async_context(a_socket(port))
            player = Player(socket, f"{name}-{seat}")
            player.known = known[seat]
            await player.hello()
            known[seat] = {"token": player.known["token"]}
            players.append(player)
        room = await make_room(players)
        for ply, move in enumerate(game):
            await players[ply % 2].send("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            for player in players:
                await player.next("nextPlayer")
        for player in players:
            await player.send("leave", room=room)
            await player.next("left")
            player.socket.transport.abort()


async def play_on(server: Serving, pair: int, report: Churn, until: float) -> None:
    known: list[dict[str, str]] = [{}, {}]
    game, number = a_full_game(pair), 0
    while time.monotonic() < until:
        if number % FRESH_EVERY == 0:
            known = [{}, {}]
        await play_once(server.port, f"{pair}-{number}", known, game)
        number += 1
        report.games += 1


async def churn(
    server: Serving, seconds: float, pairs: int, settle_seconds: float = 2 * SESSION_SECONDS
) -> Churn:
    report = Churn()
    await asyncio.gather(*(play_on(server, n, report, time.monotonic() + seconds / 10) for n in range(pairs)))
    report.before_mib = mib(server)
    playing = [
        asyncio.create_task(play_on(server, pairs + n, report, time.monotonic() + seconds))
        for n in range(pairs)
    ]
    while not all(task.done() for task in playing):
        await asyncio.wait(playing, timeout=min(60.0, seconds / 6))
        report.by_time.append(mib(server))
        print(f"  {report.games:6} games, {report.by_time[-1]:6.1f} MiB", flush=True)
    for task in playing:
        task.result()
    report.at_end_mib = mib(server)
    await asyncio.sleep(settle_seconds)
    # A newcomer makes the server tidy up and give memory back.
    await play_on(server, 0, report, time.monotonic() + 1)
    await asyncio.sleep(settle_seconds)
    report.after_mib = mib(server)
    return report


# Full rooms


async def fill(port: int) -> int:
    """Sets flags on large boards, with one guest after another, until the server refuses more. Returns their
    number.
    """
    turns, number = 0, 0
    while True:
        async with a_socket(port) as socket:
            player = Player(socket, f"filler-{number}")
            await player.hello()
            number += 1
            done = 0
            while done < SHARE - 2:
                await player.send(
                    "createRoom",
                    game="minesweeper",
                    options={"width": 50, "height": 50, "mines": 300},
                    seat=0,
                )
                made = await answer(player)
                if made["type"] == "refused":
                    return turns
                played = await flag_on(player, made["room"], 9_000)
                done += played + 1
                turns += played
                if played < 9_000:
                    break


async def answer(player: Player) -> dict[str, Any]:
    """The answer to the last command. Without a subscription, only numbers come besides it."""
    while True:
        message: dict[str, Any] = msgpack.unpackb(await player.socket.recv())
        if "re" in message:
            return message


async def flag_on(player: Player, room: str, turns: int) -> int:
    """Sets a flag and removes it, with many turns sent ahead. Returns the number of accepted turns."""
    accepted = 0
    for first in range(0, turns, IN_FLIGHT):
        for ply in range(first, min(turns, first + IN_FLIGHT)):
            move = "unflag a1" if ply % 2 else "flag a1"
            await player.send("playTurn", room=room, seat=0, ply=ply, move=move)
        for _ in range(first, min(turns, first + IN_FLIGHT)):
            accepted += (await answer(player))["type"] != "refused"
        if accepted < min(turns, first + IN_FLIGHT):
            break
    return accepted


def full_rooms(server: Serving) -> Rooms:
    entries = uvloop.run(fill(server.port))
    full = mib(server)
    server.kill()
    server.start()
    server.wait_until_open()
    return Rooms(entries, full, mib(server), round(server.cpu_seconds(), 1))


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1_200.0 if FULL else 45.0)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument(
        "--entries", type=int, default=Settings.model_fields["entries"].default if FULL else 30_000
    )
    parser.add_argument("--only", choices=("churn", "rooms"))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    churned = filled = None
    with TemporaryDirectory(dir=ON_A_DISK) as folder:
        home = Path(folder)
        if chosen.only != "rooms":
            short = {"TABLERO_SESSION_SECONDS": f"{SESSION_SECONDS}", "TABLERO_ABSENCE_SECONDS": "1"}
            with Serving(home, f"sqlite:///{home / 'churn.db'}", **short) as server:
                server.start()
                server.wait_until_open()
                churned = uvloop.run(churn(server, chosen.seconds, chosen.pairs))
        if chosen.only != "churn":
            bound = {"TABLERO_ENTRIES": str(chosen.entries)}
            with Serving(home, f"sqlite:///{home / 'rooms.db'}", **bound) as server:
                server.start()
                server.wait_until_open()
                filled = full_rooms(server)
    reports = [each for each in (churned, filled) if each is not None]
    kept = all(each.kept for each in reports)
    if chosen.json:
        print(json.dumps({**{type(each).__name__.lower(): asdict(each) for each in reports}, "kept": kept}))
        return not kept
    for report in reports:
        print(report)
    print("all as promised" if kept else "not as promised")
    return not kept


if __name__ == "__main__":
    raise SystemExit(main())
