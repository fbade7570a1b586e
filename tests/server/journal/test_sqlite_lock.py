"""Two servers on one file, and what the lock remembers of a server that was killed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tablero_server.journal import open_journal
from tests.harness.another_server import another
from tests.harness.databases import Sqlite, beside, restored, why_not
from tests.harness.journal_entries import begin
from tests.harness.warm import python


def by_symbolic_link(path: Path, name: Path) -> None:
    name.symlink_to(path)


def by_hard_link(path: Path, name: Path) -> None:
    name.hardlink_to(path)


def by_another_name(path: Path, name: Path) -> None:
    path.rename(name)


@pytest.mark.parametrize("known", [by_symbolic_link, by_hard_link, by_another_name])
async def test_two_servers_cannot_use_one_file_by_two_names(
    tmp_path: Path, known: Callable[[Path, Path], None]
) -> None:
    place = Sqlite(tmp_path)
    (tmp_path / "other").mkdir()
    name = tmp_path / "other" / "tablero.db"
    with another(place.url):
        known(place.path, name)
        if known is by_another_name:
            beside(place, "-wal").rename(name.with_name("tablero.db-wal"))
        sentence = await why_not(f"sqlite:///{name}")
    assert "has a second name" in sentence or "Another Tablero server is using the database" in sentence


async def test_a_file_with_a_second_name_is_refused_until_it_has_one(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    name = tmp_path / "other.db"
    name.hardlink_to(place.path)
    assert f"{place.path} has a second name (a hard link)" in await why_not(place.url)
    name.unlink()
    assert not await restored(place)


async def test_a_link_leads_to_the_file_and_to_what_is_beside_it(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    link = tmp_path / "link.db"
    link.symlink_to(place.path)
    journal = await open_journal(f"sqlite:///{link}")
    await journal.append([Effects([begin("a")])])
    assert {"link.db", "games"} == set(os.listdir(tmp_path))
    await journal.close()
    assert not await restored(place)


async def test_a_damaged_lock_says_that_it_may_be_removed(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    beside(place, ".lock").write_text("no database " * 100)
    assert "tablero.db.lock is damaged (file is not a database). Remove it" in await why_not(place.url)
    beside(place, ".lock").unlink()
    await (await place.open()).close()


@pytest.mark.parametrize("after", range(12))
async def test_a_start_that_is_killed_anywhere_makes_no_copy_of_a_database(
    tmp_path: Path, after: int
) -> None:
    """Each statement that a start or a stop executes is the last one, once."""
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.stop()
    assert await start_until(after, place) in (-signal.SIGKILL, 0)
    assert not await restored(place)


async def test_a_start_may_be_killed_when_the_one_before_was_killed(tmp_path: Path) -> None:
    """The first one when the file says that it begins, the second before the file says so of it."""
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    for statement in (6, 4):
        assert await start_until(statement, place) == -signal.SIGKILL
    assert not await restored(place)


async def start_until(statement: int, place: Sqlite) -> int:
    """The exit code of a start and a stop that is killed at its `statement`th write, if there are so many."""
    code = (
        "import os, sqlite3, sys\n"
        "from tablero_server.journal import sqlite_file, sqlite_lock\n"
        "left = int(sys.argv[1])\n"
        "class Mortal(sqlite3.Connection):\n"
        "    def execute(self, sql, *given):\n"
        "        global left\n"
        "        if sql.startswith(('UPDATE', 'INSERT', 'DELETE', 'COMMIT', 'PRAGMA wal_c')):\n"
        "            left -= 1\n"
        "            if left < 0: os.kill(os.getpid(), 9)\n"
        "        return super().execute(sql, *given)\n"
        "connect = sqlite3.connect\n"
        "sqlite3.connect = lambda *given, **more: connect(*given, factory=Mortal, **more)\n"
        "import asyncio\n"
        "from tablero_server.journal import open_journal\n"
        "async def main():\n"
        "    await (await open_journal(sys.argv[2])).close()\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(*python(), "-c", code, str(statement), place.url)
    return await process.wait()
