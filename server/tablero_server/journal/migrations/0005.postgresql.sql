-- Whom the host keeps out or has muted, and for how long.

CREATE TABLE sanction (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    player TEXT,
    name TEXT NOT NULL,
    network TEXT,
    until BIGINT,
    why TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (id)
);
