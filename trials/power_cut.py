"""Check the SQLite journal's promise when the power fails, the disk is full, or the disk fails.

`python -m trials.power_cut [--cuts N] [--seed S] [--json]`; FULL=1 makes ten times as many cuts. The
journal's own code writes to a disk that forgets unsynced bytes (trials/disk.py). The power fails at a random
write, sync, truncation or deletion, even while the database is opened. Then Python's own SQLite reads the
rest. With `synchronous=NORMAL` moves must be lost: otherwise the trial could not detect a loss. The exit code
is 1 if a promise is broken.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import apsw

from tablero_server import logs
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Entry, Saved
from tablero_server.journal import BadDatabase, JournalBroken, open_journal
from tablero_server.journal.journal import NotWritten
from tablero_server.journal.sqlite import SqliteJournal

from .disk import Disk, Fault
from .disk_journal import open_on

BATCHES = 60
"""The number of commits in one life of the server, unless the life ends earlier."""
LIVES_OF_A_DATABASE = 10
OFTEN = {"wal_autocheckpoint": "40"}
"""A small interval between checkpoints, so that many cuts happen during one."""
NORMAL = OFTEN | {"synchronous": "normal"}


@dataclass
class Verdict:
    what: str
    rounds: int = 0
    acknowledged: int = 0
    """The number of acknowledged moves."""
    struck: int = 0
    """The number of cuts or faults during work."""
    lost: int = 0
    """The number of acknowledged moves that are missing or different."""
    made_up: int = 0
    """The number of entries without a command, or with a repeated command."""
    torn: int = 0
    """The number of commits of which only a part is there."""
    unsound: list[str] = field(default_factory=list)
    """The errors of SQLite or the journal about the database after a cut."""

    @property
    def kept(self) -> bool:
        return not (self.lost or self.made_up or self.torn or self.unsound)

    def __str__(self) -> str:
        return (
            f"{self.what:20}{self.rounds:6} rounds,{self.struck:6} struck,{self.acknowledged:8} acknowledged,"
            f" {self.lost} lost, {self.made_up} made up, {self.torn} torn, {len(self.unsound)} unsound"
        )


class Ledger:
    """The acknowledged commits, and the commit in progress."""

    def __init__(self, random: Random) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.in_flight: list[Entry] = []
        self.moves = 0
        self._random = random

    def next_batch(self) -> list[Effects]:
        """Some new rooms and some moves; each room continues from its acknowledged entries."""
        heads = {room: len(log) for room, log in self.logs.items()}
        for _ in range(self._random.randint(1, 12)):
            room = self._random.choice(sorted(heads)) if heads else ""
            if not room or (len(heads) < 30 and self._random.random() < 0.1):
                room = self._key()
            seq = heads.get(room, 0)
            heads[room] = seq + 1
            self.in_flight.append(self._record(room, seq))
        return [Effects([entry]) for entry in self.in_flight]

    def acknowledged(self) -> None:
        self.moves += sum(entry.kind == "turn" for entry in self.in_flight)
        for entry in self.in_flight:
            self.logs.setdefault(entry.room, []).append(entry)
        self.in_flight = []

    def compare(self, saved: Saved, verdict: Verdict) -> None:
        """Compares the saved entries with the ledger, which then continues from them."""
        there = {log[0].room: log for log in saved.logs}
        more: list[Entry] = []
        for room in self.logs.keys() | there.keys():
            ours, theirs = self.logs.get(room, []), there.get(room, [])
            verdict.lost += len(ours) - sum(a == b for a, b in zip(ours, theirs, strict=False))
            more += theirs[len(ours) :]
        asked = set(map(_name, self.in_flight))
        verdict.made_up += sum(_name(entry) not in asked for entry in more)
        verdict.torn += bool(more) and len(more) != len(self.in_flight)
        self.logs, self.in_flight = there, []

    def forget_failed(self) -> None:
        """Drops the commit in progress, which the journal reported as not written."""
        self.in_flight = []

    def _record(self, room: str, seq: int) -> Entry:
        if seq == 0:
            body = {"game": "connect-four", "version": 1, "options": {}, "seats": 2, "seed": self._key()}
            return Entry(room, 0, "created", 0, None, None, body)
        cause = Cause(f"player{seq % 2}", self._key(), self._random.getrandbits(32))
        return Entry(room, seq, "turn", seq, cause, seq % 2, {"move": str(self._random.randint(1, 7))})

    def _key(self) -> str:
        return f"{self._random.getrandbits(96):024x}"


def _name(entry: Entry) -> tuple[str, int, Cause | None]:
    return entry.room, entry.seq, entry.cause


async def write(journal: SqliteJournal, ledger: Ledger, batches: int = BATCHES) -> None:
    """Writes that many commits. Raises the journal's errors."""
    for _ in range(batches):
        await journal.append(ledger.next_batch())
        ledger.acknowledged()


async def read(folder: Path, ledger: Ledger, verdict: Verdict) -> None:
    """Reads the database with Python's SQLite, and checks that the journal can continue with it."""
    verdict.unsound += [report for report in integrity(folder / "tablero.db") if report != "ok"]
    try:
        journal = await open_journal(f"sqlite:///{folder / 'tablero.db'}")
    except BadDatabase as bad:
        verdict.unsound.append(str(bad))
        return
    ledger.compare(await journal.load(), verdict)
    await journal.append(Ledger(Random(0)).next_batch())
    await journal.close()


def integrity(path: Path) -> list[str]:
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(path)) as connection:
            return [report for (report,) in connection.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        return [str(error)]


def go_on_regardless(path: Path) -> None:
    """Follows the journal's advice for a host who accepts the loss."""
    if path.exists():
        with closing(sqlite3.connect(path)) as connection, connection, suppress(sqlite3.OperationalError):
            connection.execute("UPDATE meta SET state = 'runs'")


async def cuts(count: int, seed: int, home: Path, what: str, pragmas: Mapping[str, str]) -> Verdict:
    """Runs `count` lives that end with a power cut. A database has several lives, one after another."""
    verdict, random, length = Verdict(what), Random(seed), 400
    folder, ledger = home / "0", Ledger(random)
    for life in range(1, count + 1):
        disk = Disk(random)
        disk.cut_after = random.randint(0, length)
        await _live(disk, folder, ledger, pragmas)
        verdict.struck += disk.is_off
        length = max(length, disk.calls)
        disk.cut_power()
        left = home / str(life)
        disk.write_survivors(left)
        if pragmas == NORMAL:
            go_on_regardless(left / "tablero.db")
        shutil.copytree(left, left / "read")
        await read(left / "read", ledger, verdict)
        verdict.rounds += 1
        shutil.rmtree(folder, ignore_errors=True)
        folder = left
        if life % LIVES_OF_A_DATABASE == 0:
            verdict.acknowledged += ledger.moves
            folder, ledger = home / f"{life}.new", Ledger(random)
    verdict.acknowledged += ledger.moves
    return verdict


async def _live(disk: Disk, folder: Path, ledger: Ledger, pragmas: Mapping[str, str]) -> None:
    """Writes until the batches are done or the power goes."""
    try:
        journal = await open_on(disk, folder / "tablero.db", "bench", pragmas)
    except (BadDatabase, sqlite3.Error):
        return
    with suppress(NotWritten, JournalBroken):
        await write(journal, ledger)
    await _kill(journal, disk)


async def _kill(journal: SqliteJournal, disk: Disk) -> None:
    with disk.killed():
        await journal.close()


async def full_disk(count: int, seed: int, home: Path) -> Verdict:
    """Fills the disk from some write on, so that several commits fail, then frees space for the same
    journal.
    """
    verdict, random = Verdict("disk full"), Random(seed)
    for number in range(count):
        disk, ledger = Disk(random), Ledger(random)
        folder = home / f"full{number}"
        journal = await open_on(disk, folder / "tablero.db", "bench", OFTEN)
        disk.set_fault(Fault("write", random.randint(1, 200), apsw.SQLITE_FULL, lasting=True))
        for _ in range(BATCHES):
            try:
                await write(journal, ledger, 1)
            except NotWritten:
                ledger.forget_failed()
                if disk.struck >= 5:
                    disk.set_fault(None)
                    verdict.struck += 1
        disk.set_fault(None)
        ledger.compare(await journal.load(), verdict)
        await write(journal, ledger)
        disk.cut_power()
        await _kill(journal, disk)
        await _count_left(disk, folder, ledger, verdict)
    return verdict


async def failing(call: str, count: int, seed: int, home: Path) -> Verdict:
    """Lets one write or sync fail.

    If the journal is broken, the next process continues from the system's memory of the file, which differs
    from the disk. Then the power goes, too.
    """
    verdict, random = Verdict(f"failed {call}"), Random(seed)
    for number in range(count):
        disk, ledger = Disk(random), Ledger(random)
        folder = home / f"{call}{number}"
        journal = await open_on(disk, folder / "tablero.db", "bench", OFTEN)
        code = apsw.SQLITE_IOERR_FSYNC if call == "sync" else apsw.SQLITE_IOERR_WRITE
        disk.set_fault(Fault("sync" if call == "sync" else "write", random.randint(1, 60), code))
        try:
            await write(journal, ledger)
        except (NotWritten, JournalBroken):
            verdict.struck += 1
        disk.set_fault(None)
        await _kill(journal, disk)
        journal = await open_on(disk, folder / "tablero.db", "bench", OFTEN)
        ledger.compare(await journal.load(), verdict)
        await write(journal, ledger, random.randint(1, 10))
        disk.cut_power()
        await _kill(journal, disk)
        await _count_left(disk, folder, ledger, verdict)
    return verdict


async def _count_left(disk: Disk, folder: Path, ledger: Ledger, verdict: Verdict) -> None:
    """Counts the moves that survive a power cut after the fault."""
    left = folder.with_name(f"{folder.name}.left")
    disk.write_survivors(left)
    verdict.acknowledged += ledger.moves
    await read(left, ledger, verdict)
    verdict.rounds += 1
    shutil.rmtree(folder)
    shutil.rmtree(left)


async def all_of(count: int, seed: int) -> list[Verdict]:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        return [
            await cuts(count, seed, home / "durable", "power cut", OFTEN),
            await cuts(count, seed, home / "normal", "synchronous=NORMAL", NORMAL),
            await full_disk(max(1, count // 5), seed, home),
            await failing("write", max(1, count // 2), seed, home),
            await failing("sync", max(1, count // 2), seed, home),
        ]


def broken(verdicts: Sequence[Verdict]) -> list[str]:
    """The broken promises."""
    found = [each.what for each in verdicts if not each.kept and each.what != "synchronous=NORMAL"]
    blind = [each.what for each in verdicts if each.what == "synchronous=NORMAL" and not each.lost]
    return found + [f"{what}: nothing was lost, so this sees nothing" for what in blind]


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m trials.power_cut", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cuts", type=int, default=1_000 if os.environ.get("FULL") else 100)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(typed)
    logs.set_up(
        "pretty", "critical"
    )  # each cut leaves a file that looks like a copy, and the warning is for hosts
    verdicts = asyncio.run(all_of(chosen.cuts, chosen.seed))
    complaints = broken(verdicts)
    if chosen.json:
        shown = {"seed": chosen.seed, "verdicts": [asdict(each) for each in verdicts], "broken": complaints}
        print(json.dumps(shown))
        return 1 if complaints else 0
    print(f"seed {chosen.seed}")
    for each in verdicts:
        print(each)
        for report in each.unsound[:3]:
            print(f"  {report}")
    for complaint in complaints:
        print(f"broken: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
