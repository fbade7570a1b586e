"""The disk that loses power: what it must keep, and what it may lose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import apsw
import pytest

from trials.disk import SECTOR, Disk, Fault

A, B = b"a" * SECTOR, b"b" * SECTOR


def a_file(disk: Disk, folder: Path, name: str = "tablero.db") -> apsw.VFSFile:
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_READWRITE
    file = disk._vfs.xOpen(str(folder / name), [flags, 0])
    assert isinstance(file, apsw.VFSFile)
    return file


def left_by(work: Callable[[Disk, apsw.VFSFile], None], folder: Path, seed: int) -> bytes | None:
    """What a power cut after `work` leaves of the file, if anything."""
    folder = folder / str(seed)
    folder.mkdir()
    disk = Disk(Random(seed))
    file = a_file(disk, folder)
    work(disk, file)
    disk.cut_power()
    with disk.killed():
        file.xClose()
    disk.write_survivors(folder / "left")
    left = folder / "left" / "tablero.db"
    return left.read_bytes() if left.exists() else None


def test_what_was_synced_is_there_and_of_the_rest_any_part(tmp_path: Path) -> None:
    def work(disk: Disk, file: apsw.VFSFile) -> None:
        file.xWrite(A, 0)
        file.xSync(apsw.SQLITE_SYNC_FULL)
        file.xWrite(B + B, SECTOR)

    seen = {left_by(work, tmp_path, seed) for seed in range(60)}
    assert seen == {A, A + B, A + B + B, A + bytes(SECTOR) + B}


def test_a_file_that_was_never_synced_may_be_missing_or_empty(tmp_path: Path) -> None:
    seen = {left_by(lambda disk, file: file.xWrite(A, 0), tmp_path, seed) for seed in range(40)}
    assert seen == {None, b"", A}


def test_an_overwritten_sector_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    def work(disk: Disk, file: apsw.VFSFile) -> None:
        file.xWrite(A, 0)
        file.xSync(apsw.SQLITE_SYNC_FULL)
        file.xWrite(B, 0)

    assert {left_by(work, tmp_path, seed) for seed in range(40)} == {A, B}


def test_a_truncation_lasts_only_when_it_is_synced(tmp_path: Path) -> None:
    def work(disk: Disk, file: apsw.VFSFile) -> None:
        file.xWrite(A + B, 0)
        file.xSync(apsw.SQLITE_SYNC_FULL)
        file.xTruncate(SECTOR)

    assert {left_by(work, tmp_path, seed) for seed in range(40)} == {A, A + B}


def test_after_a_failed_sync_the_next_one_saves_only_what_is_newer(tmp_path: Path) -> None:
    def work(disk: Disk, file: apsw.VFSFile) -> None:
        file.xWrite(A, 0)
        disk.set_fault(Fault("sync", 1, apsw.SQLITE_IOERR_FSYNC))
        with pytest.raises(apsw.IOError):
            file.xSync(apsw.SQLITE_SYNC_FULL)
        file.xWrite(B, SECTOR)
        file.xSync(apsw.SQLITE_SYNC_FULL)

    assert left_by(work, tmp_path, 1) == bytes(SECTOR) + B


def test_the_power_goes_after_so_many_calls_and_nothing_works_any_more(tmp_path: Path) -> None:
    disk = Disk(Random(1))
    disk.cut_after = 2
    file = a_file(disk, tmp_path)
    file.xWrite(A, 0)
    file.xSync(apsw.SQLITE_SYNC_FULL)
    assert not disk.is_off
    with pytest.raises(apsw.IOError):
        file.xWrite(B, 0)
    assert disk.is_off
    with disk.killed():
        file.xClose()


def test_a_lasting_fault_lasts_until_it_is_taken_away(tmp_path: Path) -> None:
    disk = Disk(Random(1))
    file = a_file(disk, tmp_path)
    disk.set_fault(Fault("write", 2, apsw.SQLITE_FULL, lasting=True))
    file.xWrite(A, 0)
    for _ in range(3):
        with pytest.raises(apsw.FullError):
            file.xWrite(B, 0)
    assert disk.struck == 3
    disk.set_fault(None)
    file.xWrite(B, 0)
    file.xClose()
