"""What is wrong with a file that is there: a part of it is missing, or it is an older copy."""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tablero_server.core.effects import Effects
from tests.harness.another_server import Another, another
from tests.harness.databases import Sqlite, beside, restored, why_not
from tests.harness.journal_entries import lengths, said

# A part is missing


async def test_a_file_without_its_wal_is_refused_after_a_kill_until_the_host_says_to_go_on(
    tmp_path: Path,
) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.kill()
    wal = beside(place, "-wal")
    wal.rename(tmp_path / "wal")
    for _ in range(2):
        sentence = await why_not(place.url)
        assert f"what it wrote last is in {wal}, which is missing. Put that file back" in sentence
    (tmp_path / "wal").rename(wal)
    journal = await place.open()
    assert await lengths(journal) == {"a": 2}
    await journal.close()


async def test_the_refusal_says_how_to_go_on_without_what_is_missing(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.stop()
    with another(place.url) as server:
        server.play_on()
        server.kill()
    beside(place, "-wal").unlink()
    program, path, sql = shlex.split((await why_not(place.url)).partition("without it, say: ")[2])
    assert (program, path) == ("sqlite3", str(place.path))
    await place.ask(sql)
    journal = await place.open()
    assert ((await journal.load()).restored, await lengths(journal)) == (True, {"a": 2})
    await journal.close()


async def test_a_killed_server_has_lost_nothing_and_its_rooms_stay_as_they_are(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.play_on()
        server.kill()
    assert not await restored(place)


async def test_a_file_that_another_program_has_put_in_order_after_a_kill_is_opened(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.kill()
    assert await place.ask("SELECT head FROM room") == [(1,)]
    assert not beside(place, "-wal").exists()
    journal = await place.open()
    assert await lengths(journal) == {"a": 2}
    await journal.close()


async def test_an_empty_file_is_refused_until_it_is_removed(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    place.path.touch()
    for _ in range(2):
        assert "is empty, which no database is" in await why_not(place.url)
    place.path.unlink()
    await (await place.open()).close()
    os.truncate(place.path, 0)
    assert "Put a copy in its place, or remove it" in await why_not(place.url)
    place.path.unlink()
    await (await place.open()).close()


async def test_a_first_start_that_was_cut_short_begins_again(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    place.path.touch()
    beside(place, ".lock").touch()
    await (await place.open()).close()


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: os.truncate(path, 0)], ids=["missing", "empty"])
async def test_a_wal_whose_file_is_gone_is_not_thrown_away(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.kill()
    whole = place.path.read_bytes()
    lose(place.path)
    assert f"{beside(place, '-wal')} alone is not a database" in await why_not(place.url)
    place.path.write_bytes(whole)
    journal = await place.open()
    assert await lengths(journal) == {"a": 2}
    await journal.close()


# An older copy in its place


def back_up(place: Sqlite, copy: Path) -> None:
    with closing(sqlite3.connect(place.path)) as connection, closing(sqlite3.connect(copy)) as target:
        connection.backup(target)


def put_back(place: Sqlite, copy: Path) -> None:
    """As docs/hosting.md says it."""
    for ending in ("-wal", "-shm"):
        beside(place, ending).unlink(missing_ok=True)
    shutil.copy(copy, place.path)


@pytest.mark.parametrize("ends", [Another.stop, Another.kill])
async def test_a_copy_made_while_the_server_ran_is_noticed_when_it_is_restored(
    tmp_path: Path, ends: Callable[[Another], None]
) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        back_up(place, tmp_path / "copy.db")
        server.play_on()
        ends(server)
    put_back(place, tmp_path / "copy.db")
    journal = await place.open()
    assert ((await journal.load()).restored, await lengths(journal)) == (True, {"a": 2})
    await journal.close()


@pytest.mark.parametrize("ends", [Another.stop, Another.kill])
async def test_a_copy_made_after_the_server_stopped_is_noticed_when_it_is_restored(
    tmp_path: Path, ends: Callable[[Another], None]
) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.stop()
    shutil.copy(place.path, tmp_path / "copy.db")
    assert not await restored(place)
    with another(place.url) as server:
        server.play_on()
        ends(server)
    put_back(place, tmp_path / "copy.db")
    assert await restored(place)


async def test_a_copy_elsewhere_is_a_copy_too(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.stop()
    (tmp_path / "elsewhere").mkdir()
    copy = Sqlite(tmp_path / "elsewhere")
    shutil.copy(place.path, copy.path)
    assert await restored(copy)
    assert not await restored(place)


async def test_a_restored_copy_is_noticed_until_its_players_are_told(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    with another(place.url) as server:
        server.stop()
    beside(place, ".lock").unlink()
    for _ in range(2):
        assert await restored(place)
    journal = await place.open()
    assert (await journal.load()).restored
    await journal.append([Effects([said("a", 2)])])
    await journal.close()
    assert not await restored(place)


async def test_without_an_open_room_there_is_nobody_to_tell(tmp_path: Path) -> None:
    place = Sqlite(tmp_path)
    await (await place.open()).close()
    beside(place, ".lock").unlink()
    assert not await restored(place)
