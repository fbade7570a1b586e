-- What opens the door: a token for each device of a player, and at first the one that each of them had.

CREATE TABLE token (
    hash BLOB NOT NULL,
    player TEXT NOT NULL,
    device TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (hash)
) STRICT;

INSERT INTO token SELECT token_hash, id, '', created, seen FROM player;

-- SQLite drops no column that is UNIQUE, so the table is made anew.
CREATE TABLE player_without_token (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    bot INTEGER NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT;

INSERT INTO player_without_token SELECT id, name, bot, created, seen FROM player;
DROP TABLE player;
ALTER TABLE player_without_token RENAME TO player;
