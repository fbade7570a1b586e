-- How games ended; players and outcome are JSON.

CREATE TABLE result (
    room BIGINT NOT NULL,
    game TEXT NOT NULL,
    at BIGINT NOT NULL,
    players TEXT NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (room),
    FOREIGN KEY (room) REFERENCES room (number)
);
