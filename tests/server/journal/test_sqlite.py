"""SQLite: how it is set, and what becomes of a full disk, a failing one and a killed process."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import JournalBroken, open_journal, sqlite
from tablero_server.journal.journal import Journal, NotRead, NotWritten
from tablero_server.journal.questions import Question
from tablero_server.journal.schema import TABLES
from tablero_server.journal.sqlite import DiskThread, SqliteJournal
from tests.harness.databases import FOR_EVER, Postgres, Sqlite
from tests.harness.journal_entries import begin, lengths, refused, said
from tests.harness.wire import PATIENCE


async def opened(folder: Path) -> SqliteJournal:
    journal = await Sqlite(folder).open()
    assert isinstance(journal, SqliteJournal)
    return journal


async def pragma(journal: SqliteJournal, name: str) -> Any:
    [(value,)] = await journal._writer.do(lambda: journal._execute(f"PRAGMA {name}").fetchall())
    return value


class Failing:
    """A connection whose disk fails at one statement."""

    def __init__(self, journal: SqliteJournal, statement: str, error: sqlite3.Error, code: int) -> None:
        self._execute = journal._execute
        self._statement = statement
        self._error = error
        self._error.sqlite_errorcode = code

    def __call__(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if sql.startswith(self._statement):
            raise self._error
        return self._execute(sql, *given)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),  # FULL
        ("wal_autocheckpoint", 1000),
        ("busy_timeout", 0),
        ("foreign_keys", 1),
        ("locking_mode", "normal"),  # so that another program may read, and copy, meanwhile
    ],
)
async def test_it_is_set_for_durability(tmp_path: Path, name: str, value: object) -> None:
    journal = await opened(tmp_path)
    assert await pragma(journal, name) == value
    await journal.close()


async def test_every_table_checks_the_types_of_what_it_is_given(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    await journal.close()
    tables = await Sqlite(tmp_path).ask("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'")
    strict = {name for name, strict in tables if strict}
    assert strict == {"meta", *TABLES}


@pytest.mark.parametrize("name", ["advance", "write"])
async def test_no_write_looks_at_every_room(tmp_path: Path, name: str) -> None:
    from tablero_server.journal.statements import STATEMENTS

    journal = await opened(tmp_path)
    await journal.close()
    statement = STATEMENTS[name]
    filled = statement.for_sqlite(4).replace("?", "1")
    plan = await Sqlite(tmp_path).ask(f"EXPLAIN QUERY PLAN {filled}")
    assert [line for *_, line in plan if line.startswith("SCAN room")] == []
    assert any(line.startswith("SEARCH room") for *_, line in plan)


async def test_others_may_read_while_the_server_runs(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    await journal.append([Effects([begin("a")])])
    assert await Sqlite(tmp_path).ask("SELECT id, head FROM room") == [("a", 0)]
    await journal.close()


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_nobody_but_their_owner_may_read_the_files(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    previous = os.umask(0o022)
    try:
        journal = await place.open()
        await journal.append([Effects([begin("a")])])
        found = modes(place.path.parent)
        assert {"tablero.db", "tablero.db-wal", "tablero.db-shm", "tablero.db.lock"} <= found.keys()
        assert set(found.values()) == {0o600}
        await journal.close()
    finally:
        os.umask(previous)


async def test_files_that_everybody_could_read_become_private(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    place.path.with_name("tablero.db.before-0002").write_bytes(b"")
    place.path.with_name("tablero.db.mine").write_bytes(b"")
    for path in place.path.parent.iterdir():
        path.chmod(0o644)
    await (await place.open()).close()
    private = dict.fromkeys(["tablero.db", "tablero.db.lock", "tablero.db.before-0002"], 0o600)
    assert modes(place.path.parent) == {**private, "tablero.db.mine": 0o644}


async def test_a_backup_made_while_it_ran_is_opened_and_goes_on(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    await journal.append([Effects([begin("a")])])
    copy = tmp_path / "backup" / "tablero.db"
    copy.parent.mkdir()
    with sqlite3.connect(Sqlite(tmp_path).path) as reader:
        reader.execute("VACUUM INTO ?", (str(copy),))
    reader.close()
    await journal.close()
    restored = await open_journal(f"sqlite:///{copy}")
    await restored.append([Effects([said("a", 1)])])
    assert len(await restored.log("a")) == 2
    await restored.close()


async def test_a_full_disk_loses_the_append_alone_and_needs_no_restart(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    await journal.append([Effects([begin("a")])])
    pages = await pragma(journal, "page_count")
    await pragma(journal, f"max_page_count = {pages}")
    large = said("a", 1)._replace(body={"text": "x" * 100_000})
    with pytest.raises(NotWritten, match="full") as caught:
        await journal.append([Effects([begin("b")]), Effects([large])])
    assert caught.value.failed == {0, 1}
    assert await lengths(journal) == {"a": 1}
    await pragma(journal, "max_page_count = 100000")
    await journal.append([Effects([begin("b")]), Effects([large])])
    assert await lengths(journal) == {"a": 2, "b": 1}
    await journal.close()


async def test_whoever_holds_the_file_is_waited_for_while_the_event_loop_goes_on(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    with closing(sqlite3.connect(Sqlite(tmp_path).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        append = asyncio.create_task(journal.append([Effects([begin("a")])]))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not append.done()
        other.execute("COMMIT")
    await append
    assert await lengths(journal) == {"a": 1}
    await journal.close()


async def test_whoever_holds_the_file_for_too_long_loses_us_the_append_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_PATIENCE_MS", 1)
    journal = await opened(tmp_path)
    with closing(sqlite3.connect(Sqlite(tmp_path).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await refused(journal, Effects([begin("a")])) == [0]
        with pytest.raises(NotWritten, match="database is locked"):
            await journal.check()
    await journal.check()
    await journal.append([Effects([begin("a")])])
    await journal.close()


async def test_an_idle_journal_is_checked_by_a_write_only_after_it_failed(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    execute = journal._execute
    full = sqlite3.OperationalError("database or disk is full")
    journal._execute = Failing(journal, "UPDATE meta", full, sqlite3.SQLITE_FULL)
    await journal.check()
    journal._failing = True
    with pytest.raises(NotWritten, match="full"):
        await journal.check()
    journal._execute = execute
    await journal.check()
    assert not journal._failing
    await journal.close()


async def test_an_io_error_before_the_commit_loses_the_append_alone(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    await journal.append([Effects([begin("a")])])
    execute = journal._execute
    failing = Failing(
        journal, "INSERT", sqlite3.OperationalError("disk I/O error"), sqlite3.SQLITE_IOERR_WRITE
    )
    journal._execute = failing
    assert await refused(journal, Effects([said("a", 1)])) == [0]
    journal._execute = execute
    await journal.append([Effects([said("a", 1)])])
    assert await lengths(journal) == {"a": 2}
    await journal.close()


async def test_a_full_disk_at_the_commit_loses_the_append_alone(tmp_path: Path) -> None:
    journal = await opened(tmp_path)
    execute = journal._execute
    failing = Failing(journal, "COMMIT", sqlite3.OperationalError("disk is full"), sqlite3.SQLITE_FULL)
    journal._execute = failing
    assert await refused(journal, Effects([begin("a")]), Effects([begin("b")])) == [0, 1]
    journal._execute = execute
    await journal.append([Effects([begin("a")])])
    assert await lengths(journal) == {"a": 1}
    await journal.close()


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("COMMIT", sqlite3.SQLITE_IOERR_FSYNC),
        ("COMMIT", sqlite3.SQLITE_IOERR),
        ("INSERT", sqlite3.SQLITE_CORRUPT),
    ],
)
async def test_when_nobody_knows_what_is_durable_the_journal_is_broken(
    tmp_path: Path, statement: str, code: int
) -> None:
    journal = await opened(tmp_path)
    failing = Failing(journal, statement, sqlite3.OperationalError("disk I/O error"), code)
    journal._execute = failing
    with pytest.raises(JournalBroken, match="disk I/O error"):
        await journal.append([Effects([begin("a")])])
    await journal.close()


WRITER = """
import asyncio, sys
from tablero_server.core.effects import Effects
from tablero_server.journal import open_journal
from tests.harness.journal_entries import begin, said

async def main():
    journal = await open_journal(sys.argv[1])
    await journal.append([Effects([begin("a")])])
    seq = 0
    while True:
        await journal.append([Effects([said("a", seq + 1)]), Effects([said("a", seq + 2)])])
        seq += 2
        print(seq, flush=True)

asyncio.run(main())
"""


async def entries(url: str, room: str) -> int:
    journal = await open_journal(url)
    log = await journal.log(room)
    await journal.close()
    return len(log)


def test_a_killed_process_has_lost_nothing_that_it_was_told_is_durable(tmp_path: Path) -> None:
    url = Sqlite(tmp_path).url
    for kill_after in (1, 12):
        Sqlite(tmp_path).path.unlink(missing_ok=True)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            told = [writer.stdout.readline() for _ in range(kill_after)]
            writer.send_signal(signal.SIGKILL)
            told += writer.stdout.readlines()
        durable = asyncio.run(entries(url, "a")) - 1
        assert durable % 2 == 0
        assert durable >= int([line for line in told if line.endswith("\n")][-1])


ONE = Question("SELECT 1", ())


async def asked(journal: Journal, question: Question) -> asyncio.Task[list[tuple[object, ...]]]:
    """It is being answered."""
    task = asyncio.create_task(journal.read(question))
    await asyncio.sleep(0)
    return task


async def test_a_commit_waits_for_no_question(database: Sqlite | Postgres) -> None:
    journal = await database.open()
    await journal.read(ONE)
    question = await asked(journal, FOR_EVER)
    async with asyncio.timeout(PATIENCE):
        await journal.append([Effects([begin("a")])])
    assert not question.done()
    question.cancel()
    await asyncio.gather(question, return_exceptions=True)
    assert await lengths(journal) == {"a": 1}
    await journal.close()


async def test_who_asks_next_is_answered_when_nobody_waits_for_the_last_question(
    database: Sqlite | Postgres,
) -> None:
    journal = await database.open()
    question = await asked(journal, FOR_EVER)
    question.cancel()
    with pytest.raises(asyncio.CancelledError):
        await question
    async with asyncio.timeout(PATIENCE):
        assert await journal.read(ONE) == [(1,)]
    await journal.close()


async def test_a_question_sees_what_is_durable_and_writes_nothing(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    journal = await place.open()
    heads = Question("SELECT head FROM room", ())
    assert await journal.read(heads) == []
    await journal.append([Effects([begin("a")])])
    assert await journal.read(heads) == [(0,)]
    with pytest.raises(NotRead, match="readonly"):
        await journal.read(Question("DELETE FROM room", ()))
    await journal.close()
    assert await place.ask("SELECT state FROM meta") == [("stopped",)]


async def test_it_does_what_it_is_given_in_order_elsewhere() -> None:
    thread, done = DiskThread("w"), list[int]()

    def work(number: int) -> str:
        done.append(number)
        return threading.current_thread().name

    names = await asyncio.gather(*(thread.do(work, number) for number in range(50)))
    assert (done, set(names)) == (list(range(50)), {"w"})
    thread.end()


@pytest.mark.parametrize("error", [ValueError, SystemExit])
async def test_what_goes_wrong_is_raised_where_it_was_asked_and_the_next_is_done(
    error: type[BaseException],
) -> None:
    thread = DiskThread("w")

    def fail() -> None:
        raise error("no")

    with pytest.raises(error, match="no"):
        await thread.do(fail)
    assert await thread.do(int, "7") == 7
    thread.end()


async def test_what_nobody_waits_for_any_more_is_done_all_the_same() -> None:
    thread, go, done = DiskThread("w"), threading.Event(), list[bool]()
    task = asyncio.create_task(thread.do(lambda: done.append(go.wait(PATIENCE))))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert await thread.do(len, "abc") == 3
    assert done == [True]
    thread.end()


async def test_what_has_to_be_over_is_when_nobody_waits_for_it_any_more() -> None:
    thread, go = DiskThread("w"), threading.Event()
    task = asyncio.create_task(thread.finish(go.wait, PATIENCE))
    await asyncio.sleep(0)
    task.cancel()
    for _ in range(9):
        await asyncio.sleep(0)
    assert not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    thread.end()


async def test_what_has_to_be_over_is_hastened_when_nobody_waits_for_it_any_more() -> None:
    thread, go = DiskThread("w"), threading.Event()
    task = asyncio.create_task(thread.finish(go.wait, PATIENCE, give_up=go.set))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert go.is_set()
    thread.end()


async def test_it_ends_after_what_it_was_given() -> None:
    ends = DiskThread("the one that ends")
    [thread] = [each for each in threading.enumerate() if each.name == "the one that ends"]
    work = asyncio.create_task(ends.do(len, "abc"))
    await asyncio.sleep(0)
    ends.end()
    assert await work == 3
    await asyncio.to_thread(thread.join, PATIENCE)
    assert not thread.is_alive()
