"""Check that a server killed at any moment never loses or repeats an acknowledged move.

`python -m trials.kill_loop [--kills N] [--pairs N] [--database URL] [--seed S] [--json]`: people with the
real client library play as fast as they can on a real `tablero serve` process. The process gets `kill -9` at
random moments, even during its start, and is restarted at once on the same port and database. Afterwards the
saved log is compared with everything that the clients were told. FULL=1: 200 kills, and at least 50,000
acknowledged moves. Then clients and the bot host are killed, too (trials/kill_others.py).

The clients wait at most half a second between two attempts, so that the server's outage is measured and not
theirs. The exit code is 1 if a promise is broken.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from unittest.mock import patch

from tablero.client import heartbeat
from tablero_server.core.entry import Entry, Placing
from tablero_server.core.meeting.ratings import LEAST_PLIES
from tablero_server.core.room.replay import fold
from tablero_server.journal import open_journal
from tablero_server.journal.questions import games_between
from tablero_server.journal.rows import placings_from
from tests.harness.databases import read_logs
from tests.harness.playing_pairs import Book, Findings, play_for_ever
from tests.harness.serving import Serving
from tests.harness.wire import addresses_of_their_own

from .kill_others import Round, kill_bot_host, kill_clients
from .rated_rows import wrongly_moved

MOST_SECONDS_TO_RESUME = 30.0
MOST_SECONDS_APART = 0.5
MOST_SECONDS_OF_A_LIFE = 0.6
"""The longest time from the first answer to the kill."""
KILLED_WHILE_STARTING = 0.2
"""The share of kills before a first answer."""


@dataclass
class Report:
    kills: int
    clients: int
    resumed: int = 0
    """The number of clients that continued after the last kill."""
    findings: Findings = field(default_factory=Findings)
    games: int = 0
    outages: list[float] = field(default_factory=list)
    """The seconds from each kill to the next acknowledged move."""
    refused: dict[str, int] = field(default_factory=dict)
    integrity: str = "ok"
    rated: int = 0
    """The number of saved games that changed ratings."""
    ratings: list[str] = field(default_factory=list)
    """The errors in the ratings of saved games."""
    others: list[Round] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        sound = (
            self.findings.kept
            and self.integrity == "ok"
            and not self.ratings
            and self.resumed == self.clients
        )
        return sound and all(each.kept for each in self.others)

    def outage(self, share: float) -> float:
        """The time in milliseconds within which this share of the outages ended."""
        ordered = sorted(self.outages) or [0.0]
        return round(1_000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))])


class Players:
    """All pairs of players, and events for their return."""

    def __init__(self, serving: Serving, clients: int, seed: int) -> None:
        self.book = Book(heard=self._heard)
        self.killed = monotonic()
        """The time of the server's last kill."""
        self._serving = serving
        self._answered = asyncio.Event()
        self._pairs = [
            asyncio.create_task(play_for_ever(serving.url, number, seed, self.book))
            for number in range(clients // 2)
        ]

    def back(self) -> int:
        """The number of players that continued since the last kill."""
        return sum(self.book.is_back(player, self.killed) for player in self.book.connected)

    async def next_answer(self) -> None:
        """Returns when a player has an answer from the present server."""
        self._answered.clear()
        waiting = asyncio.create_task(self._answered.wait())
        await asyncio.wait(
            [waiting, *self._pairs], timeout=MOST_SECONDS_TO_RESUME, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        self.check()
        if not self._answered.is_set():
            raise TimeoutError(f"No answer in {MOST_SECONDS_TO_RESUME} s; {self._serving.said()}")

    def check(self) -> None:
        for pair in self._pairs:
            if pair.done():
                pair.result()  # a pair that ended has failed

    async def end(self) -> None:
        for pair in self._pairs:
            pair.cancel()
        await asyncio.gather(*self._pairs, return_exceptions=True)

    def _heard(self) -> None:
        player = next(reversed(self.book.acknowledged)).player
        if self.book.is_back(player, self.killed):
            self._answered.set()


async def kill_servers(serving: Serving, report: Report, moves: int, seed: int) -> None:
    random, players = Random(seed), Players(serving, report.clients, seed)
    book = players.book
    serving.start()
    await players.next_answer()
    for number in range(report.kills):
        await asyncio.sleep(random.uniform(0, MOST_SECONDS_OF_A_LIFE))
        while len(book.acknowledged) < moves * number // report.kills:
            await players.next_answer()
        serving.kill()
        players.killed = monotonic()
        serving.start()
        if number < report.kills - 1 and random.random() < KILLED_WHILE_STARTING:
            await asyncio.sleep(random.uniform(0, MOST_SECONDS_APART))
            continue
        await players.next_answer()
        report.outages.append(monotonic() - players.killed)
    until = monotonic() + MOST_SECONDS_TO_RESUME
    while (report.resumed < report.clients and monotonic() < until) or len(book.acknowledged) < moves:
        await players.next_answer()
        report.resumed = players.back()
    await players.end()
    serving.stop()
    report.games, report.refused = book.games, dict(book.refused)
    logs = await read_logs(serving.database, list(book.rooms))
    report.findings = book.compare(logs)
    rows, ended = await read_placings(serving.database), ends(logs.values())
    report.rated, report.ratings = sum(ended.values()), wrongly_moved(rows, ended)
    report.integrity = integrity(serving.database)


async def read_placings(database: str) -> tuple[Placing, ...]:
    journal = await open_journal(database)
    try:
        return placings_from(await journal.read(games_between(0, 2**62)))
    finally:
        await journal.close()


def ends(logs: Iterable[Sequence[Entry]]) -> dict[str, bool]:
    """The rooms whose games are over, and whether each changed ratings."""
    over = {}
    for room in map(fold, map(list, logs)):
        outcome = None if room.play is None else room.play.position.outcome
        if outcome is not None:
            over[room.id] = room.rated and room.ply >= LEAST_PLIES and outcome.kind in ("win", "draw")
    return over


def integrity(database: str) -> str:
    """The result of SQLite's integrity check; PostgreSQL checks itself."""
    if not database.startswith("sqlite:///"):
        return "ok"
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
        [(report,)] = connection.execute("PRAGMA integrity_check(1)")
    return str(report)


async def run(kills: int, moves: int, pairs: int, others: int, database: str | None, seed: int) -> Report:
    report = Report(kills, 2 * pairs)
    with (
        TemporaryDirectory() as folder,
        addresses_of_their_own(),
        patch.object(heartbeat, "LONGEST", MOST_SECONDS_APART),
        patch.object(heartbeat, "LONGEST_IN_A_GAME", MOST_SECONDS_APART),
    ):
        home = Path(folder)
        with Serving(home, database or f"sqlite:///{home / 'tablero.db'}") as serving:
            await kill_servers(serving, report, moves, seed)
        if others:
            with Serving(home, f"sqlite:///{home / 'others.db'}") as serving:
                report.others.append(await kill_clients(serving, others))
            with Serving(home, f"sqlite:///{home / 'bots.db'}", "--bots") as serving:
                report.others.append(await kill_bot_host(serving, others))
    return report


def main(typed: Sequence[str] | None = None) -> int:
    full = bool(os.environ.get("FULL"))
    parser = ArgumentParser(prog="python -m trials.kill_loop", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200 if full else 10)
    parser.add_argument("--moves", type=int, default=50_000 if full else 0, help="acknowledged at least")
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--others", type=int, default=5 if full else 2, help="rounds of killing others")
    parser.add_argument("--database", metavar="URL", help="instead of a file of its own")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    report = asyncio.run(
        run(chosen.kills, chosen.moves, chosen.pairs, chosen.others, chosen.database, chosen.seed)
    )
    if chosen.json:
        print(json.dumps({"seed": chosen.seed, **asdict(report), "kept": report.kept}))
        return 0 if report.kept else 1
    found = report.findings
    print(f"seed {chosen.seed}: {report.kills} kills, {found.acknowledged} moves acknowledged,")
    print(
        f"  in {found.rooms} rooms ({report.games} games to their end), refused: {report.refused or 'none'}"
    )
    print(f"  lost {found.lost}, doubled {found.doubled}, shown but not kept {found.shown_only},")
    print(f"  out of order {found.disordered}, not heard {found.unheard}, heard twice {found.heard_twice},")
    print(f"  integrity {report.integrity}, {report.rated} games moved ratings,", end=" ")
    print("each once" if not report.ratings else f"but {len(report.ratings)} mistakes: {report.ratings[:3]}")
    print(f"  resumed by themselves: {report.resumed} of {report.clients} clients")
    p50, p95 = report.outage(0.5), report.outage(0.95)
    print(f"  from kill to the first acknowledged move: p50 {p50} ms, p95 {p95} ms")
    for each in report.others:
        print(f"  {each}")
    print("kept" if report.kept else "BROKEN")
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
