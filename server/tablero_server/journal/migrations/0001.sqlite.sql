-- Players, rooms and their records, how games ended, and what the host decided.

-- "tabl": what a file says of itself in its header, and `sqlite_file.py` looks for before SQLite opens it.
PRAGMA application_id = 1952539244;

-- Which run of a server had the file last, how far it came, and whether a copy was put in its place.
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

-- What opens the door: a token for each device of a player.
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

-- How each seat came out of each game.
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
-- The best time of each player, without a look at the rows themselves.
CREATE INDEX played_times ON played (course, bot, private, player, milliseconds) WHERE milliseconds IS NOT NULL;
-- A rating goes on from each of its games once.
CREATE UNIQUE INDEX rated ON played (player, game, speed, level, games) WHERE games IS NOT NULL;

-- Players that the host bans or has muted, and for how long.
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

-- Players that a player has muted, and how far.
CREATE TABLE mute (
    player TEXT NOT NULL,
    muted TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (player, muted)
) STRICT;
