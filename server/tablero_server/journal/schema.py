"""The columns that statements write, in their order, by the names that PostgreSQL has for types.

The migrations lead to exactly these, on both databases; a test compares.
"""

from __future__ import annotations

from typing import TypeAlias

Table: TypeAlias = dict[str, str]

PLAYER: Table = {
    "id": "text",
    "name": "text",
    "token_hash": "bytea",
    "bot": "integer",
    "created": "bigint",
    "seen": "bigint",
}

ROOM: Table = {
    # Ids are random; numbers grow, so that what is written at one time lies together. Nobody else sees them.
    "number": "bigint",
    "id": "text",
    "owner_epoch": "bigint",
    "owner": "text",
    "head": "bigint",
    "created": "bigint",
    "closed_at": "bigint",
    "game": "text",
}

RECORD: Table = {
    "room": "bigint",
    "seq": "bigint",
    "kind": "text",
    "at": "bigint",
    "player": "text",
    "id": "text",
    "content": "bigint",
    "seat": "integer",
    "body": "bytea",  # msgpack
    "clocks": "bytea",  # msgpack
}

RESULT: Table = {
    "room": "bigint",
    "game": "text",
    "at": "bigint",
    "players": "text",  # JSON
    "outcome": "text",  # JSON
}

TABLES = {"player": PLAYER, "room": ROOM, "record": RECORD, "result": RESULT}
