-- Players, rooms and their records.

CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE meta (
    lineage TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (lineage)
) STRICT;

CREATE TABLE player (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    bot INTEGER NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (token_hash)
) STRICT;

CREATE TABLE room (
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    owner_epoch INTEGER NOT NULL,
    owner TEXT NOT NULL,
    head INTEGER NOT NULL,
    created INTEGER NOT NULL,
    closed_at INTEGER,
    game TEXT NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (id)
) STRICT;

-- No foreign key: rows come by a join with `room` alone, and the check would cost on every one.
CREATE TABLE record (
    room INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    player TEXT,
    id TEXT,
    content INTEGER,
    seat INTEGER,
    body BLOB NOT NULL,
    clocks BLOB,
    PRIMARY KEY (room, seq)
) STRICT;

-- Only what opened a room can be repeated where nobody remembers it: the later ids of an open room are known
-- to its one owner, as the fence makes sure, and a closed room takes nothing more. Ids are random, so an index
-- over all of them would cost a page a move: 75 instead of 51 us of server CPU.
CREATE UNIQUE INDEX cause ON record (id, player) WHERE seq = 1 AND player IS NOT NULL;
