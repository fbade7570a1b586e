"""What a database or a copy of it holds: rows by table, and a sum that any change would change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from hashlib import sha256

from msgpack import packb

from .database_state import in_words

_BITS = 256
PLAYED = ("player", "room", "record", "played")
"""What a restored copy has exactly as its backup; tokens and bans are as the host wants them."""
NOT_COMPARED = {"room": ("owner_epoch", "owner")}
"""Columns that say which server has a room: each start changes them, and a restore in PostgreSQL."""


class TableSum:
    """The rows of one table, in whatever order they come."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, row: bytes) -> None:
        self.count += 1
        self._sum = (self._sum + int.from_bytes(sha256(row).digest(), "big")) % (1 << _BITS)

    def digest(self) -> bytes:
        return self._sum.to_bytes(_BITS // 8, "big")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSum) and (self.count, self._sum) == (other.count, other._sum)

    __hash__ = None  # type: ignore[assignment]  # it changes


Contents = Mapping[str, TableSum]


def sums_of(connection: sqlite3.Connection, tables: Iterable[str]) -> dict[str, TableSum]:
    """Of those tables that are there."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    contents = {}
    for table in tables:
        if table in there:
            contents[table] = TableSum()
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            compared = ", ".join(f'"{name}"' for name in columns if name not in NOT_COMPARED.get(table, ()))
            for row in connection.execute(f"SELECT {compared} FROM {table}"):  # noqa: S608 - our own names
                contents[table].add(packb(row))
    return contents


def played(contents: Contents) -> dict[str, TableSum]:
    return {table: contents[table] for table in PLAYED if table in contents}


def fingerprint(contents: Contents) -> str:
    """Of players, rooms, logs and results: two copies have the same one if they hold the same."""
    whole = sha256()
    for table, rows in played(contents).items():
        whole.update(table.encode() + b"\0" + rows.digest())
    return whole.hexdigest()[:32]


def told(contents: Contents) -> str:
    return in_words({table: rows.count for table, rows in contents.items()})
