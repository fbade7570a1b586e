"""Check that the saved ratings follow from the games: each game changed a rating once, from its earlier
value.

Law: only the rows of the table are read, and every rating is computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from tablero_server.core.entry import Placing
from tablero_server.core.meeting.glicko import Rating
from tablero_server.core.meeting.ratings import RatingKey, after_game


def wrongly_moved(rows: Iterable[Placing], ended: Mapping[str, bool]) -> list[str]:
    """The errors in the rows; `ended` has every finished room, and whether it changed ratings."""
    found: list[str] = []
    seats = sorted(rows, key=lambda row: (row.room, row.seat))
    games = {room: list(of_room) for room, of_room in groupby(seats, lambda row: row.room)}
    found += [f"{room}: the end of a game is missing" for room in sorted(ended.keys() - games.keys())]
    found += [f"{room}: no game has ended there" for room in sorted(games.keys() - ended.keys())]
    counted = [of_room for room, of_room in games.items() if ended.get(room)]
    for room, of_room in games.items():
        if any((row.value is not None) != ended.get(room, False) for row in of_room):
            found.append(f"{room}: what is rated does not count, or the other way round")
    return found + _out_of_line(counted)


def _out_of_line(games: list[list[Placing]]) -> list[str]:
    """The errors in the games of each rating, played in their order."""
    found: list[str] = []
    ratings: dict[RatingKey, tuple[Rating, int, int]] = {}
    waiting = {of_room[0].room: of_room for of_room in games}
    while waiting:
        due = [of_room for of_room in waiting.values() if all(_is_next(row, ratings) for row in of_room)]
        if not due:
            return [*found, f"{len(waiting)} rated games follow no other: {sorted(waiting)[:3]}"]
        for one, other in due:
            before = [ratings.get(_key(row), (Rating(), row.at, 0)) for row in (one, other)]
            score = 0.5 if one.place == other.place else float(one.place == 1)
            waited = [
                (rating, row.at - at) for row, (rating, at, _) in zip((one, other), before, strict=True)
            ]
            for row, rating in zip((one, other), after_game(waited[0], waited[1], score), strict=True):
                if (row.value, row.deviation, row.volatility) != rating:
                    found.append(f"{row.room}: {row.player} was rated {row.value}, and it makes {rating}")
                ratings[_key(row)] = rating, row.at, row.games or 0
            del waiting[one.room]
    return found


def _is_next(row: Placing, ratings: Mapping[RatingKey, tuple[Rating, int, int]]) -> bool:
    _, _, games = ratings.get(_key(row), (Rating(), 0, 0))
    return row.games == games + 1


def _key(row: Placing) -> RatingKey:
    return RatingKey(row.player, row.game, row.speed or "", row.level)
