-- Whom a player does not want to hear, and whether not at all.

CREATE TABLE mute (
    player TEXT NOT NULL,
    muted TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (player, muted)
) STRICT;
