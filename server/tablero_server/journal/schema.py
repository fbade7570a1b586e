"""The tables, defined once. The migrations lead to exactly this, on both databases; a test compares."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

BIG = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits: SQLite's strict tables know one size of integer alone."""

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("lineage", Text, primary_key=True),  # a random name that every copy of this database shares
    Column("created", BIG, nullable=False),
    sqlite_strict=True,
)

player = Table(
    "player",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("bot", Integer, nullable=False),
    Column("created", BIG, nullable=False),
    Column("seen", BIG, nullable=False),
    sqlite_strict=True,
)

room = Table(
    "room",
    metadata,
    # Ids are random; numbers grow, so that what is written at one time lies together. Nobody else sees them.
    Column("number", BIG, Identity(), primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("owner_epoch", BIG, nullable=False),
    Column("owner", Text, nullable=False),
    Column("head", BIG, nullable=False),
    Column("created", BIG, nullable=False),
    Column("closed_at", BIG),
    Column("game", Text, nullable=False),
    sqlite_strict=True,
)

record = Table(
    "record",
    metadata,
    # No foreign key: rows come by a join with `room` alone, and the check would cost on every one.
    Column("room", BIG, primary_key=True, autoincrement=False),
    Column("seq", BIG, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("at", BIG, nullable=False),
    Column("player", Text),
    Column("id", Text),
    Column("content", BIG),
    Column("seat", Integer),
    Column("body", LargeBinary, nullable=False),  # msgpack
    Column("clocks", LargeBinary),  # msgpack
    sqlite_strict=True,
)

# Only what opened a room can be repeated where nobody remembers it: the later ids of an open room are known
# to its one owner, as the fence makes sure, and a closed room takes nothing more. Ids are random, so an index
# over all of them would cost a page a move: 75 instead of 51 us of server CPU.
Index(
    "cause",
    record.c.id,
    record.c.player,
    unique=True,
    sqlite_where=text("seq = 1 AND player IS NOT NULL"),
    postgresql_where=text("seq = 1 AND player IS NOT NULL"),
)

result = Table(
    "result",
    metadata,
    Column("room", BIG, ForeignKey("room.number"), primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("at", BIG, nullable=False),
    Column("players", Text, nullable=False),  # JSON
    Column("outcome", Text, nullable=False),  # JSON
    sqlite_strict=True,
)
