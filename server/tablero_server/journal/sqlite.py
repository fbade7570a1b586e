"""The journal in SQLite: one connection writes, and a separate thread waits for the disk.

Law: the event loop adds rows to the transaction, which costs no more than handing them to a thread. The
thread does everything that may have to wait: for the disk, as COMMIT does, or for another program that holds
the file. Only one of the two works at a time. Long queries are answered by `SqliteQuestions`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from ..core.effects import Effects
from ..core.entry import Entry, Saved
from .journal import JournalBroken, NotRead, NotWritten, Rejected
from .questions import Question, Row
from .rows import (
    log_from,
    logs_from,
    mutes_from,
    placings_from,
    players_from,
    rivals_from,
    rows_of,
    sanctions_from,
    tokens_from,
)
from .sqlite_file import DAMAGED, close_file, in_memory, open_file
from .sqlite_lock import Lock, code_of
from .statements import (
    BEGUN,
    CLOSED_LOGS,
    MUTES,
    NEWEST_RATED,
    ONE_LOG,
    OPEN_LOGS,
    OWNED,
    PLAYERS,
    RATED_RIVALS,
    SANCTIONS,
    STATEMENTS,
    TOKENS,
)

T = TypeVar("T")


class _Job(NamedTuple):
    work: Callable[..., Any]
    given: tuple[object, ...]
    done: asyncio.Future[Any]


class DiskThread:
    """Does work for the event loop, one job after another."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        Thread(target=self._run, name=name, daemon=True).start()

    async def do(self, work: Callable[..., T], *given: object) -> T:
        """Does the work in the thread and returns its result. A cancelled caller does not stop the work."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, given, done))
        return await done

    async def finish(
        self, work: Callable[..., T], *given: object, give_up: Callable[[], None] | None = None
    ) -> T:
        """Does the work in the thread and waits for its end. When cancelled, calls `give_up` to end the work
        sooner.
        """
        job = asyncio.ensure_future(self.do(work, *given))
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            if give_up is not None:
                give_up()
            await asyncio.gather(job, return_exceptions=True)
            raise

    def end(self) -> None:
        """Ends the thread after the jobs that it already has."""
        self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            tell: Callable[[Any], None] = job.done.set_result
            try:
                what = job.work(*job.given)
            except BaseException as error:
                tell, what = job.done.set_exception, error
            with suppress(RuntimeError):  # the loop has ended, and nobody waits
                job.done.get_loop().call_soon_threadsafe(_tell, job.done, tell, what)


class NoThread:
    """A replacement for the thread if there is no disk: it works at once."""

    async def do(self, work: Callable[..., T], *given: object) -> T:
        return work(*given)

    finish = do

    def end(self) -> None: ...


def _tell(done: asyncio.Future[Any], tell: Callable[[Any], None], what: object) -> None:
    if not done.done():
        tell(what)


_PATIENCE_SECONDS = 5.0
"""The time the thread waits for another program that holds the file."""
_STEPS = 100_000
"""The number of SQLite's steps, some milliseconds, between checks whether a query was cancelled."""


class SqliteQuestions:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._one_at_a_time = asyncio.Lock()
        self._thread: DiskThread | None = None
        """The thread of the connection, started with the first question."""
        self._connection: sqlite3.Connection | None = None
        self._given_up = False

    async def answer(self, question: Question) -> list[Row]:
        """The saved rows that answer a query. Raises sqlite3.Error."""
        async with self._one_at_a_time:
            if self._thread is None:
                self._thread = DiskThread("questions")
            self._given_up = False
            return await self._thread.finish(self._answer, question, give_up=self._give_up)

    async def close(self) -> None:
        """Closes the connection. The journal's own connection must be closed last."""
        async with self._one_at_a_time:
            if self._thread is not None:
                await self._thread.do(self._close)
                self._thread.end()

    def _answer(self, question: Question) -> list[Row]:
        if self._connection is None:
            self._connection = sqlite3.connect(
                f"{self._path.absolute().as_uri()}?mode=ro",
                timeout=_PATIENCE_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
            )
            self._connection.set_progress_handler(lambda: self._given_up, _STEPS)
        return self._connection.execute(question.for_sqlite(), question.given).fetchall()

    def _give_up(self) -> None:
        self._given_up = True

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


_MOST_ROWS, _MANY_ROWS = 32, 64
"""The number of rows in one statement: any number up to the first value, or exactly the second.

Each such statement stays prepared, and the memory for all of them grows with the square of the number.
"""

_PATIENCE_MS = 5_000
"""The time the thread waits for another program that holds the file; the event loop never waits."""

_TOUCH = "UPDATE meta SET lineage = lineage"
"""A statement that changes nothing but is still written to the disk."""

_CAUSE = ": record.id, record.player"
"""The end of SQLite's message if a room was already opened by the same command of the same player."""

_NOT_COMMITTED = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY)
"""The errors after which a COMMIT has certainly not happened.

After any other error the result is unknown: a failed fsync may have lost data that the next fsync would
report as safe.
"""


class SqliteJournal:
    """A journal in memory, without a `path`; `opened` makes one in a file."""

    def __init__(self, path: Path | None = None, owner: str = "memory") -> None:
        self._path = path
        self._owner = owner
        self._writer = NoThread() if path is None else DiskThread("journal")
        self._questions = None if path is None else SqliteQuestions(path)
        self._turn = asyncio.Lock()
        self._failing = False
        """Whether the last attempt to write failed."""
        self._restored = False
        """Whether a backup was restored and no start has been saved since."""
        if path is None:
            self._use(in_memory(), None)

    @classmethod
    async def opened(cls, path: Path, owner: str) -> SqliteJournal:
        """Opens the file and takes over every open room from its former server. Raises BadDatabase."""
        journal = cls(path, owner)
        try:
            journal._use(*await journal._writer.do(open_file, path, owner))
        except BaseException:
            journal._writer.end()
            raise
        return journal

    async def append(self, effects: Sequence[Effects]) -> None:
        async with self._turn:
            self._failing = True
            try:
                self._execute("BEGIN IMMEDIATE")
            except sqlite3.Error:  # another program holds the file
                await self._writer.do(self._begin_in_time, len(effects))
            failed: dict[int, str] = {}
            try:
                if not effects:
                    self._execute(_TOUCH)
                elif self._restored:  # the first append contains the entries of the start
                    self._execute(BEGUN)
                    self._restored = False
                try:
                    self._write(effects)
                except (Rejected, sqlite3.IntegrityError):
                    self._execute("ROLLBACK")
                    self._execute("BEGIN IMMEDIATE")
                    failed = self._write_each(effects)
            except sqlite3.Error as error:
                raise self._failed(error, len(effects)) from error
            await self._writer.do(self._commit, len(effects))
            self._failing = False
        if failed:
            raise NotWritten("; ".join(dict.fromkeys(failed.values())), frozenset(failed), refused=True)

    async def load(self, closed_within_ms: int = 0) -> Saved:
        async with self._turn:
            return await self._writer.do(self._in_time, self._load, closed_within_ms)

    async def log(self, room: str) -> list[Entry]:
        async with self._turn:
            return await self._writer.finish(self._in_time, self._log, room)

    async def read(self, question: Question) -> list[Row]:
        try:
            if self._questions is None:
                return self._execute(question.for_sqlite(), question.given).fetchall()
            return await self._questions.answer(question)
        except sqlite3.Error as error:
            raise NotRead(str(error)) from error

    async def check(self) -> None:
        if self._failing:  # otherwise an idle server would wake the disk for nothing
            await self.append(())

    async def close(self) -> None:
        if self._questions is not None:
            await self._questions.close()
        async with self._turn:
            await self._writer.do(self._close)
        self._writer.end()

    def _use(self, connection: sqlite3.Connection, lock: Lock | None) -> None:
        self._connection, self._lock = connection, lock
        self._execute = connection.execute
        self._epochs: dict[str, int] = dict(self._execute(OWNED))
        [(restored,)] = self._execute("SELECT restored FROM meta")
        self._restored = bool(restored)
        self._execute("PRAGMA busy_timeout = 0")

    def _begin_in_time(self, count: int) -> None:
        try:
            self._in_time(self._execute, "BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._failed(error, count) from error

    def _in_time(self, work: Callable[..., T], *given: object) -> T:
        """Does work in the thread, with patience for another program that holds the file."""
        self._execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        try:
            return work(*given)
        finally:
            self._execute("PRAGMA busy_timeout = 0")

    def _failed(self, error: sqlite3.Error, count: int) -> NotWritten:
        """The exception for an error before COMMIT: nothing was saved. Raises JournalBroken if the file is
        damaged.
        """
        if code_of(error) in DAMAGED:
            raise JournalBroken(f"{self._path} is damaged: {error}") from error
        self._roll_back()
        return NotWritten(str(error), frozenset(range(count)))

    def _write(self, effects: Sequence[Effects]) -> None:
        """Writes within the transaction. After Rejected or IntegrityError, some of the rows stay in the
        transaction.

        There is a prepared statement for each number of rows, because filling up with empty rows would be
        slow.
        """
        for name, rows in rows_of(effects, self._epochs, self._owner)._asdict().items():
            start = 0
            while start < len(rows):
                size = _MANY_ROWS if len(rows) - start >= _MANY_ROWS else _MOST_ROWS
                some = rows[start : start + size]
                start += size
                hit = self._execute(_text(name, len(some)), list(chain.from_iterable(some))).rowcount
                if hit != len(some) and STATEMENTS[name].exact:
                    raise Rejected(f"{name}: {len(some) - hit} of {len(some)} rows do not fit")

    def _write_each(self, effects: Sequence[Effects]) -> dict[int, str]:
        """Writes the effects one by one within the transaction. Returns the refused effects by index, each
        with the reason.
        """
        failed = {}
        for index, each in enumerate(effects):
            self._execute("SAVEPOINT one")
            try:
                self._write([each])
            except (Rejected, sqlite3.IntegrityError) as error:
                self._execute("ROLLBACK TO one")
                failed[index] = str(error)
                each.repeats = str(error).endswith(_CAUSE)
            self._execute("RELEASE one")
        return failed

    def _commit(self, count: int) -> None:
        try:
            self._execute("COMMIT")
        except sqlite3.Error as error:
            if code_of(error) in _NOT_COMMITTED:
                self._roll_back()
                raise NotWritten(str(error), frozenset(range(count))) from error
            raise JournalBroken(f"it is unknown what SQLite has written to {self._path}: {error}") from error

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # after some errors SQLite has already rolled back
            self._execute("ROLLBACK")

    def _load(self, closed_within_ms: int) -> Saved:
        damaged: dict[str, str] = {}
        closed = logs_from(self._read(CLOSED_LOGS.format(within="?"), closed_within_ms), damaged)
        logs = logs_from(self._read(OPEN_LOGS), damaged)
        known = players_from(self._read(PLAYERS)), tokens_from(self._read(TOKENS))
        sanctions = sanctions_from(self._read(SANCTIONS))
        rated, rivals = placings_from(self._read(NEWEST_RATED)), rivals_from(self._read(RATED_RIVALS))
        mutes = mutes_from(self._read(MUTES))
        return Saved(*known, logs, closed, damaged, self._restored, sanctions, mutes, rated, rivals)

    def _log(self, room: str) -> list[Entry]:
        return log_from(self._read(ONE_LOG.format(id="?"), room))

    def _read(self, sql: str, *given: str | int) -> Iterable[Row]:
        return self._execute(sql, given)

    def _close(self) -> None:
        if self._lock is None:
            self._connection.close()
        else:
            self._roll_back()
            close_file(self._connection, self._lock)


@cache
def _text(name: str, size: int) -> str:
    return STATEMENTS[name].for_sqlite(size)
