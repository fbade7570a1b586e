-- The best time of each player, without a look at the rows themselves.

DROP INDEX played_times;
CREATE INDEX played_times ON played (course, bot, private, player, milliseconds) WHERE milliseconds IS NOT NULL;
