-- What opens the door: a token for each device of a player, and at first the one that each of them had.

CREATE TABLE token (
    hash BYTEA NOT NULL,
    player TEXT NOT NULL,
    device TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (hash)
);

INSERT INTO token SELECT token_hash, id, '', created, seen FROM player;

ALTER TABLE player DROP COLUMN token_hash;
