"""Check that a server can restart during games: every game continues, and no clock is charged.

`python -m trials.restart [--games N] [--json]`, or `make drain`. People with the real client library play N
games with clocks on a real `tablero serve` process with SQLite. The host blocks new games, and restarts the
server while in each game a player is to move. That player moves at once, and the client waits for the server.
A clock may lose the time until the server was told to stop, and nothing after that. The exit code is 1 if a
game does not continue, a clock was charged, or a new game began during the drain.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tablero import Refused, connect
from tablero.client.client import Client
from tablero.client.room import Room
from tablero_protocol.messages import NextPlayer
from tablero_server.host.admin import ask
from tests.harness.serving import Serving

_BASE_SECONDS = 600
_TOLERATED_MS = 50
"""The most milliseconds between sending the signal and its arrival."""
_PATIENCE = 90.0
_MOST_P95_MS = 15_000.0
"""A high limit: a test should fail by a broken promise, not because the machine is busy."""


@dataclass
class Report:
    games: int
    went_on: int = 0
    charged: int = 0
    """The number of games whose clock lost more than the time before the server was told to stop."""
    most_charged_ms: int = 0
    """The most milliseconds that a clock lost after the server was told to stop."""
    begun_while_draining: int = 0
    down_ms: float = 0
    """The milliseconds from the signal until the port is open again."""
    pauses_ms: list[float] = field(default_factory=list)
    """The milliseconds from the signal until the next move of each game is acknowledged."""

    def pause(self, share: float) -> float:
        ordered = sorted(self.pauses_ms) or [0.0]
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))])

    @property
    def kept(self) -> bool:
        sound = self.went_on == self.games and not self.charged and not self.begun_while_draining
        return sound and self.pause(0.95) <= _MOST_P95_MS


@dataclass
class Game:
    """One game, with the view of its two players."""

    tables: tuple[Room, Room]
    turn: NextPlayer
    """The newest turn."""

    async def play(self, move: str) -> NextPlayer:
        seat = self.turn.ply % 2
        answer = await self.tables[seat].play(move, seat, self.turn.ply)
        assert isinstance(answer, NextPlayer), answer
        self.turn = answer
        return answer


async def begun(one: Client, other: Client) -> Game:
    """A game in which both have moved, so that the first player's clock runs."""
    table = await one.create_room("tic-tac-toe", clock={"base": _BASE_SECONDS})
    joined = await other.join(room=table.id)
    for room in (table, joined):
        room.next_player.subscribe(lambda turn: None)
    first = await table.play("b2", 0, 0)
    assert isinstance(first, NextPlayer), first
    game = Game((table, joined), first)
    await game.play("a1")
    return game


async def goes_on(game: Game, told_at: float, stopped_ms: float, report: Report) -> None:
    before = game.turn
    after = await game.play("c3")
    report.pauses_ms.append(1_000 * (time.monotonic() - told_at))
    report.went_on += after.ply == before.ply + 1
    assert before.clocks is not None
    assert after.clocks is not None
    assert before.at is not None
    beyond = round(before.clocks[0] - after.clocks[0] - max(0.0, stopped_ms - before.at))
    report.most_charged_ms = max(report.most_charged_ms, beyond)
    report.charged += beyond > _TOLERATED_MS
    await game.play("a3")


async def restart_under(serving: Serving, games: int, admin: Path) -> Report:
    report = Report(games)
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(_PATIENCE + games):
            clients = [
                await stack.enter_async_context(connect(serving.url, name=f"player{number}", patient=True))
                for number in range(2 * games)
            ]
            playing = [await begun(*clients[2 * number : 2 * number + 2]) for number in range(games)]
        answer = await asyncio.to_thread(ask, admin, "drain")
        assert answer["ok"], answer
        try:
            await clients[0].create_room("tic-tac-toe")
            report.begun_while_draining += 1
        except Refused as refused:
            if refused.code != "draining":
                raise
        told_at, stopped_ms = time.monotonic(), 1_000 * time.time()
        moves = [asyncio.create_task(goes_on(game, told_at, stopped_ms, report)) for game in playing]
        await asyncio.to_thread(serving.stop)
        serving.start()
        await asyncio.to_thread(serving.wait_until_open)
        report.down_ms = round(1_000 * (time.monotonic() - told_at))
        done, late = await asyncio.wait(moves, timeout=_PATIENCE)
        for task in late:
            task.cancel()
        for task in done:
            task.result()
    return report


def run(games: int) -> Report:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        database = f"sqlite:///{home / 'tablero.db'}"
        with Serving(
            home, database, TABLERO_ADMIN_ADDRESS="off", TABLERO_FIRST_MOVE_SECONDS="300"
        ) as serving:
            serving.start()
            serving.wait_until_open()
            return asyncio.run(restart_under(serving, games, home / "tablero.db.admin"))


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m trials.restart", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    report = run(chosen.games)
    if chosen.json:
        print(json.dumps({**asdict(report), "kept": report.kept}))
    else:
        print(f"{report.went_on} of {report.games} games went on, {report.charged} clocks were charged")
        print(f"  (at most {report.most_charged_ms} ms beyond what had passed before the stop)")
        print(f"  down for {report.down_ms:.0f} ms; pause until the next move:", end=" ")
        print(f"p50 {report.pause(0.5):.0f} ms, p95 {report.pause(0.95):.0f} ms")
        print("kept" if report.kept else "BROKEN")
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
