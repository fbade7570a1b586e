"""Queries about finished games, as SQL for both databases.

Law: an answer contains a private game only for its players and the host. Every answer is limited in size,
except those for the host.
"""

# ruff: noqa: S608 - every name is from our schema, and every value is a parameter
from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from .schema import PLAYED

_COLUMNS = ", ".join(f"played.{name}" for name in PLAYED)
_SEEN = (
    "(own.private = 0 OR EXISTS (SELECT * FROM played AS mine "
    "WHERE mine.room = own.room AND mine.player = {asker}))"
)


Row: TypeAlias = tuple[Any, ...]


class Question(NamedTuple):
    sql: str
    """The SQL, in which {0}, {1} and so on stand for the values."""
    given: tuple[Any, ...]

    def for_sqlite(self) -> str:
        return self.sql.format(*(f"?{at}" for at in range(1, len(self.given) + 1)))

    def for_postgres(self) -> str:
        return self.sql.format(*(f"${at}" for at in range(1, len(self.given) + 1)))


class Cursor(NamedTuple):
    """The game after which a page starts; games are sorted newest first."""

    at: int
    room: str


NEWEST, OLDEST = Cursor(2**62, ""), Cursor(-1, "")


def games_of(player: str, asker: str, after: Cursor, most: int) -> Question:
    """All seats of a player's newest games before `after`."""
    return _games("own.player = {0}", (player, asker, *after, most))


def games_since(since: int, asker: str, after: Cursor, most: int) -> Question:
    """All seats of the newest games since `since` and before `after`."""
    return _games("own.at >= {0}", (since, asker, *after, most))


def _games(which: str, given: tuple[Any, ...]) -> Question:
    page = (
        f"SELECT DISTINCT own.at, own.room FROM played AS own WHERE {which} AND {_SEEN.format(asker='{1}')} "
        "AND (own.at, own.room) < ({2}, {3}) ORDER BY own.at DESC, own.room DESC LIMIT {4}"
    )
    return Question(
        f"SELECT {_COLUMNS} FROM ({page}) AS page JOIN played ON played.room = page.room "
        "ORDER BY played.at DESC, played.room DESC, played.seat",
        given,
    )


def games_between(start: int, end: int) -> Question:
    """All seats of all games between two times, for the host; private games are included."""
    sql = f"SELECT {_COLUMNS} FROM played WHERE at >= {{0}} AND at < {{1}} ORDER BY at, room, seat"
    return Question(sql, (start, end))


def rated_beside(player: str, after: Cursor, most: int) -> Question:
    """Both seats of the oldest rated games after `after`, at every game and speed for which a player has a
    rating; for the host.
    """
    return Question(
        f"SELECT {_COLUMNS} FROM played WHERE games IS NOT NULL AND (at, room) > ({{1}}, {{2}}) AND EXISTS ("
        "SELECT * FROM played AS own WHERE own.player = {0} AND own.games IS NOT NULL "
        "AND own.game = played.game AND own.speed = played.speed) ORDER BY at, room, seat LIMIT {3}",
        (player, *after, 2 * most),
    )


def times_of(player: str) -> Question:
    """A player's games that count for best times; for the host."""
    return Question(
        f"SELECT {_COLUMNS} FROM played WHERE player = {{0}} AND course IS NOT NULL "
        "AND milliseconds IS NOT NULL ORDER BY at, room",
        (player,),
    )


def curve(player: str, game: str, speed: str, level: str, most: int) -> Question:
    """The latest values of a rating, newest first, as (at, value, deviation)."""
    return Question(
        "SELECT at, value, deviation FROM played WHERE player = {0} AND game = {1} AND speed = {2} "
        "AND level = {3} AND games IS NOT NULL ORDER BY games DESC LIMIT {4}",
        (player, game, speed, level, most),
    )


def balance(player: str, rival: str, asker: str) -> Question:
    """The wins, draws and losses of a player against a rival, by game."""
    seen = "private = 0" if asker not in (player, rival) else "private IN (0, 1)"
    counted = ", ".join(
        f"sum(CASE WHEN {case} THEN 1 ELSE 0 END)"
        for case in ("kind = 'win' AND place = 1", "kind = 'draw'", "kind = 'win' AND place > 1")
    )
    return Question(
        f"SELECT game, {counted} FROM played WHERE player = {{0}} AND rival = {{1}} AND {seen} "
        "AND kind IN ('win', 'draw') GROUP BY game ORDER BY game",
        (player, rival),
    )


def best_times(course: str, bots: bool, after: int, most: int) -> Question:
    """The best public time of each player, as (player, milliseconds), fastest first."""
    return Question(
        "SELECT player, min(milliseconds) AS best FROM played WHERE course = {0} "
        "AND milliseconds IS NOT NULL AND bot = {1} AND private = 0 "
        "GROUP BY player ORDER BY best, player LIMIT {2} OFFSET {3}",
        (course, int(bots), most, after),
    )
