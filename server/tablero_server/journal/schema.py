"""The columns that statements write, in order, with PostgreSQL's names for the types.

The migrations create exactly these columns on both databases; a test compares them.
"""

from __future__ import annotations

from typing import TypeAlias

Table: TypeAlias = dict[str, str]

PLAYER: Table = {
    "id": "text",
    "name": "text",
    "bot": "integer",
    "created": "bigint",
    "seen": "bigint",
}

TOKEN: Table = {
    "hash": "bytea",
    "player": "text",
    "device": "text",
    "created": "bigint",
    "used": "bigint",
}

ROOM: Table = {
    # Ids are random, but numbers grow, so that rows written together are stored together. They are used only
    # here.
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

PLAYED: Table = {
    "room": "text",  # the room's id, so that results can be read without the table of rooms
    "seat": "integer",
    "player": "text",
    "bot": "integer",
    "level": "text",
    "rival": "text",
    "game": "text",
    "speed": "text",
    "course": "text",
    "at": "bigint",
    "place": "integer",
    "score": "bigint",
    "kind": "text",
    "reason": "text",
    "private": "integer",
    "flagged": "integer",
    "milliseconds": "bigint",
    "value": "double precision",
    "deviation": "double precision",
    "volatility": "double precision",
    "games": "integer",
}

SANCTION: Table = {
    "id": "text",
    "kind": "text",
    "player": "text",
    "name": "text",
    "network": "text",
    "until": "bigint",
    "why": "text",
    "created": "bigint",
}

MUTE: Table = {
    "player": "text",
    "muted": "text",
    "what": "text",
}

TABLES = {
    "player": PLAYER,
    "token": TOKEN,
    "room": ROOM,
    "record": RECORD,
    "played": PLAYED,
    "sanction": SANCTION,
    "mute": MUTE,
}
