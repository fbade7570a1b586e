-- How games ended; players and outcome are JSON.

CREATE TABLE result (
    room INTEGER NOT NULL,
    game TEXT NOT NULL,
    at INTEGER NOT NULL,
    players TEXT NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (room),
    FOREIGN KEY (room) REFERENCES room (number)
) STRICT;
