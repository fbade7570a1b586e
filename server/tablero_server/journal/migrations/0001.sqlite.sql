-- Players, rooms and their records, results of games, and decisions of the host.

-- "tabl" in the header of the file; `sqlite_file.py` checks it before SQLite opens the file.
PRAGMA application_id = 1952539244;

-- The last run of a server on this file, its state, and whether a backup was restored.
CREATE TABLE meta (
    lineage TEXT NOT NULL,
    stamp TEXT,
    state TEXT,
    restored INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (lineage)
) STRICT;

INSERT INTO meta (lineage) VALUES (lower(hex(randomblob(8))));

CREATE TABLE player (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    bot INTEGER NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT;

-- Tokens, one for each device of a player.
CREATE TABLE token (
    hash BLOB NOT NULL,
    player TEXT NOT NULL,
    device TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (hash)
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

-- No foreign key: rows are only inserted by a join with `room`, and a check of each would cost time.
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

-- Only a command that opened a room can be repeated unnoticed: the fence makes sure that an open room's only owner
-- knows the later ids, and a closed room takes no more entries. Ids are random, so an index over all of them would
-- write a page for each move: 75 instead of 51 us of server CPU.
CREATE UNIQUE INDEX cause ON record (id, player) WHERE seq = 1 AND player IS NOT NULL;

-- The result of each seat in each game.
CREATE TABLE played (
    room TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    bot INTEGER NOT NULL,
    level TEXT NOT NULL,
    rival TEXT,
    game TEXT NOT NULL,
    speed TEXT,
    course TEXT,
    at INTEGER NOT NULL,
    place INTEGER,
    score INTEGER,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    private INTEGER NOT NULL,
    flagged INTEGER NOT NULL,
    milliseconds INTEGER,
    value REAL,
    deviation REAL,
    volatility REAL,
    games INTEGER,
    PRIMARY KEY (room, seat)
) STRICT;

CREATE INDEX played_by ON played (player, at);
CREATE INDEX played_between ON played (player, rival) WHERE rival IS NOT NULL;
CREATE INDEX played_at ON played (at);
-- Covers the query for the best time of each player.
CREATE INDEX played_times ON played (course, bot, private, player, milliseconds) WHERE milliseconds IS NOT NULL;
-- The games of one rating have different numbers.
CREATE UNIQUE INDEX rated ON played (player, game, speed, level, games) WHERE games IS NOT NULL;

-- Bans and mutes by the host, with their end.
CREATE TABLE sanction (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    player TEXT,
    name TEXT NOT NULL,
    network TEXT,
    until INTEGER,
    why TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT;

-- Mutes of one player by another, and how far they go.
CREATE TABLE mute (
    player TEXT NOT NULL,
    muted TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (player, muted)
) STRICT;
