-- How each seat came out of each game, in the place of one line of JSON a game.

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

-- Whether a room was private stands in its first entry, as msgpack: C3 behind the name. Without one it counts as private.
INSERT INTO played
SELECT room.id, sat.key, sat.value, coalesce(player.bot, 0), '',
    CASE WHEN json_array_length(result.players) = 2
        THEN nullif(nullif(json_extract(result.players, '$[' || (1 - sat.key) || ']'), sat.value), '') END,
    result.game, NULL, NULL, result.at,
    CASE json_extract(result.outcome, '$.kind') WHEN 'draw' THEN 1 WHEN 'win' THEN coalesce(
        (SELECT ranked.key + 1 FROM json_each(result.outcome, '$.ranking') AS ranked, json_each(ranked.value) AS among
            WHERE ranked.type = 'array' AND among.value = sat.key),
        CASE WHEN EXISTS (SELECT * FROM json_each(result.outcome, '$.winners') AS winner
            WHERE winner.value = sat.key) THEN 1 ELSE 2 END
    ) END,
    json_extract(result.outcome, '$.scores[' || sat.key || ']'), json_extract(result.outcome, '$.kind'),
    json_extract(result.outcome, '$.reason'),
    coalesce(instr(record.body, x'A770726976617465C2') = 0, 1), 0, NULL, NULL, NULL, NULL, NULL
FROM result JOIN room ON room.number = result.room
LEFT JOIN record ON record.room = room.number AND record.seq = 0
JOIN json_each(result.players) AS sat
LEFT JOIN player ON player.id = sat.value
WHERE sat.value <> '';

DROP TABLE result;

CREATE INDEX played_by ON played (player, at);
CREATE INDEX played_between ON played (player, rival) WHERE rival IS NOT NULL;
CREATE INDEX played_at ON played (at);
CREATE INDEX played_times ON played (course, milliseconds) WHERE milliseconds IS NOT NULL;
-- A rating goes on from each of its games once.
CREATE UNIQUE INDEX rated ON played (player, game, speed, level, games) WHERE games IS NOT NULL;
