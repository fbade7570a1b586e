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
    at BIGINT NOT NULL,
    place INTEGER,
    score BIGINT,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    private INTEGER NOT NULL,
    flagged INTEGER NOT NULL,
    milliseconds BIGINT,
    value DOUBLE PRECISION,
    deviation DOUBLE PRECISION,
    volatility DOUBLE PRECISION,
    games INTEGER,
    PRIMARY KEY (room, seat)
);

-- Whether a room was private stands in its first entry, as msgpack: C3 behind the name. Without one it counts as private.
INSERT INTO played
SELECT room.id, sat.number - 1, sat.id, coalesce(player.bot, 0), '',
    CASE WHEN json_array_length(result.players::json) = 2
        THEN nullif(nullif(result.players::json ->> (2 - sat.number)::int, sat.id), '') END,
    result.game, NULL, NULL, result.at,
    CASE result.outcome::json ->> 'kind' WHEN 'draw' THEN 1 WHEN 'win' THEN coalesce(
        (SELECT ranked.number FROM json_array_elements(
                CASE json_typeof(result.outcome::json -> 'ranking') WHEN 'array' THEN result.outcome::json -> 'ranking'
                ELSE '[]' END
            ) WITH ORDINALITY AS ranked(among, number)
            WHERE ranked.among::jsonb @> to_jsonb(sat.number - 1)),
        CASE WHEN (result.outcome::jsonb -> 'winners') @> to_jsonb(sat.number - 1) THEN 1 ELSE 2 END
    ) END,
    (result.outcome::json -> 'scores' ->> (sat.number - 1)::int)::bigint, result.outcome::json ->> 'kind',
    result.outcome::json ->> 'reason',
    coalesce((position('\xA770726976617465C2'::bytea IN record.body) = 0)::int, 1), 0, NULL, NULL, NULL, NULL, NULL
FROM result JOIN room ON room.number = result.room
LEFT JOIN record ON record.room = room.number AND record.seq = 0
CROSS JOIN LATERAL json_array_elements_text(result.players::json) WITH ORDINALITY AS sat(id, number)
LEFT JOIN player ON player.id = sat.id
WHERE sat.id <> '';

DROP TABLE result;

CREATE INDEX played_by ON played (player, at);
CREATE INDEX played_between ON played (player, rival) WHERE rival IS NOT NULL;
CREATE INDEX played_at ON played (at);
CREATE INDEX played_times ON played (course, milliseconds) WHERE milliseconds IS NOT NULL;
-- A rating goes on from each of its games once.
CREATE UNIQUE INDEX rated ON played (player, game, speed, level, games) WHERE games IS NOT NULL;
