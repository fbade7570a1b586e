"""A simulated disk for SQLite that loses power, is full or fails: real files, and a record of synced bytes.

Law: synced bytes survive a power cut. Of later bytes any part may survive, in sectors of 512 bytes and in any
order. A file that was never synced may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import apsw

SECTOR = 512
Call = Literal["write", "sync", "truncate", "delete"]
_NUMBERS = count(1)


class Change(NamedTuple):
    """Bytes written at `start`; without bytes, a new size of the file."""

    start: int
    written: bytes | None


@dataclass
class Stored:
    """A file as it would be after a power cut."""

    durable: bytearray = field(default_factory=bytearray)
    named: bool = False
    """Whether the file's name is durable, too."""
    pending: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        for change in self.pending:
            _apply(self.durable, change)
        self.pending.clear()
        self.named = True


@dataclass(frozen=True)
class Fault:
    """A fault of the `at`-th `call` from now on; if `lasting`, also of all later calls."""

    call: Call
    at: int
    code: int
    lasting: bool = False


class Disk:
    """A disk, registered as the VFS `name`. After `cut_after` calls the power is off."""

    def __init__(self, random: Random) -> None:
        self.name = f"disk{next(_NUMBERS)}"
        self.calls = 0
        """The number of writes, syncs, truncations and deletions so far."""
        self.cut_after: int | None = None
        self.fault: Fault | None = None
        self.struck = 0
        """The number of calls that failed because of the fault."""
        self._random = random
        self._files: dict[str, Stored] = {}
        self._unlinked: dict[str, bytes] = {}
        """Deleted files, until their folder is synced."""
        self._left: dict[str, bytes] | None = None
        self._of_fault = 0
        self._is_dead = False
        self._vfs = _Vfs(self)

    @property
    def is_off(self) -> bool:
        return self._left is not None

    def cut_power(self) -> None:
        if self._left is None:
            self._left = dict(self._survivors())

    @contextmanager
    def killed(self) -> Iterator[None]:
        """Stops the disk as if the process were killed: without clean-up or callbacks."""
        self._is_dead = True
        try:
            yield
        finally:
            self._is_dead = False

    def set_fault(self, fault: Fault | None) -> None:
        self.fault, self.struck, self._of_fault = fault, 0, 0

    def write_survivors(self, folder: Path) -> None:
        """Writes the files that survive a power cut into `folder`."""
        assert self._left is not None, "the power is on"
        folder.mkdir(parents=True)
        for path, content in self._left.items():
            (folder / Path(path).name).write_bytes(content)

    # Called by the VFS

    def opened(self, path: str) -> Stored:
        if path not in self._files:
            there = Path(path)
            stored = Stored(bytearray(there.read_bytes()), True) if there.exists() else Stored()
            self._files[path] = stored
        return self._files[path]

    def called(self, call: Call) -> bool:
        """Notes a call before it is carried out. Returns whether it may be. Raises the errors for SQLite."""
        if self._is_dead:
            return False
        self.calls += 1
        if self.cut_after is not None and self.calls > self.cut_after:
            self.cut_power()
        if self.is_off:
            raise _error(apsw.SQLITE_IOERR)
        fault = self.fault
        if fault is not None and fault.call == call:
            self._of_fault += 1
            if self._of_fault == fault.at or (fault.lasting and self._of_fault > fault.at):
                self.struck += 1
                raise _error(fault.code)
        return True

    def synced(self, stored: Stored) -> None:
        if not stored.named:
            self._unlinked.clear()  # the first sync of a new file also syncs its folder
        stored.sync()

    def deleted(self, path: str, with_folder: bool) -> None:
        stored = self._files.pop(path, None)
        if stored is not None and stored.named and not with_folder:
            self._unlinked[path] = bytes(stored.durable)

    def _survivors(self) -> Iterator[tuple[str, bytes]]:
        for path, content in self._unlinked.items():
            if path not in self._files and self._random.random() < 0.5:
                yield path, content
        for path, stored in self._files.items():
            if stored.named or self._random.random() < 0.5:
                left = bytearray(stored.durable)
                for change in self._some(stored.pending):
                    _apply(left, change)
                yield path, bytes(left)

    def _some(self, pending: Sequence[Change]) -> list[Change]:
        """The part that has reached the disk: nothing, all, the first changes, or any sectors."""
        parts = [part for change in pending for part in _sectors(change)]
        match self._random.choice(("nothing", "all", "first", "any")):
            case "nothing":
                return []
            case "all":
                return parts
            case "first":
                return parts[: self._random.randint(0, len(parts))]
        share = self._random.random()
        return [part for part in parts if self._random.random() < share]


def _sectors(change: Change) -> Iterator[Change]:
    if change.written is None:
        yield change
        return
    start, end = change.start, change.start + len(change.written)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Change(start, change.written[start - change.start : stop - change.start])
        start = stop


def _apply(content: bytearray, change: Change) -> None:
    size = change.start + len(change.written or b"")
    if len(content) < size:
        content.extend(bytes(size - len(content)))
    if change.written is None:
        del content[change.start :]
    else:
        content[change.start : size] = change.written


def _error(code: int) -> Exception:
    error: Any = apsw.FullError("no room") if code == apsw.SQLITE_FULL else apsw.IOError("input/output error")
    error.result, error.extendedresult = code & 0xFF, code
    assert isinstance(error, Exception)
    return error


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(disk.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None:
            return apsw.VFSFile("", name, flags)
        return _File(self._disk, self._disk.opened(path), name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        if self._disk.called("delete"):
            super().xDelete(filename, syncdir)
            self._disk.deleted(filename, syncdir)

    def excepthook(self, *error: object) -> bool:
        """Ignores the exception: SQLite gets the code."""
        return True


class _File(apsw.VFSFile):
    def __init__(
        self, disk: Disk, stored: Stored, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._disk = disk
        self._stored = stored
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._disk.called("write"):
            super().xWrite(data, offset)
            self._stored.pending.append(Change(offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        if self._disk.called("truncate"):
            super().xTruncate(newsize)
            self._stored.pending.append(Change(newsize, None))

    def xSync(self, flags: int) -> None:
        try:
            if self._disk.called("sync"):  # the real file needs no sync
                self._disk.synced(self._stored)
        except apsw.Error:
            self._stored.pending.clear()  # as on Linux, a failed write is not tried again
            raise

    def excepthook(self, *error: object) -> bool:
        """Ignores the exception: SQLite gets the code."""
        return True
