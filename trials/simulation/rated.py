"""The ratings that follow from the saved games, compared with the server's.

Law: each rated game changes both ratings once, starting from the values after the game before. No other game
changes a rating.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from tablero_protocol.messages import LobbyChanged, LobbyList
from tablero_server.core.effects import Effects
from tablero_server.core.entry import Placing
from tablero_server.core.meeting.glicko import Rating
from tablero_server.core.meeting.ratings import (
    LEAST_PLIES,
    RatingBook,
    RatingKey,
    after_game,
)
from trials.simulation.book import Book
from trials.simulation.world import World, check


class Rated:
    def __init__(self, world: World) -> None:
        self._world = world
        self._over: set[str] = set()
        """The rooms whose games have ended."""
        self._ratings: dict[RatingKey, tuple[Rating, int, int]] = {}
        """Each rating, with the time of its last change and the number of its changes."""
        self._values: dict[tuple[str, str], set[int]] = {}
        """All saved values of each player's ratings at a game, as they are shown."""

    def written(self, effects: Effects, books: Mapping[str, Book]) -> None:
        for room, of_room in groupby(effects.kept_of(Placing), lambda placing: placing.room):
            seats = list(of_room)
            check(room not in self._over, "a game ends once", seats)
            self._over.add(room)
            played = books[room].room
            counts = played.rated and played.ply >= LEAST_PLIES and seats[0].kind in ("win", "draw")
            check(all((each.value is not None) == counts for each in seats), "what is rated counts", seats)
            if counts:
                self._moved(seats[0], seats[1])

    def _moved(self, one: Placing, other: Placing) -> None:
        score = 0.5 if one.place == other.place else float(one.place == 1)
        before = [self._ratings.get(_key(each), (Rating(), one.at, 0)) for each in (one, other)]
        waited = [(rating, one.at - at) for rating, at, _ in before]
        for placing, rating, (_, _, games) in zip(
            (one, other), after_game(waited[0], waited[1], score), before, strict=True
        ):
            told = Rating(placing.value or 0, placing.deviation or 0, placing.volatility or 0)
            check(
                told == rating and placing.games == games + 1, "a rating moves once a game", placing, before
            )
            self._ratings[_key(placing)] = rating, placing.at, games + 1
            self._values.setdefault((placing.player, placing.game), set()).add(round(rating.value))
            if games:
                self._world.sometimes("a rating moved again")

    def check_lobby(self, message: LobbyList | LobbyChanged) -> None:
        """Checks that every rating in the lobby is one that was saved."""
        told = [(seek.player, seek.game, seek.rating) for seek in message.seeks]
        for line in message.rooms:
            told += [
                (player, line.game, rating)
                for player, rating in zip(line.seats, line.ratings or (), strict=False)
                if player is not None
            ]
        for player, game, rating in told:
            if rating is not None:
                known = self._values.get((player.id, game or ""), set())
                check(rating.value in known, "a rating that the lobby tells is durable", message, known)
                self._world.sometimes("the lobby told a rating")

    def check_all(self, books: Mapping[str, Book], ratings: RatingBook) -> None:
        """Checks at the end that every finished game was saved, and that the server's ratings follow from
        these games.
        """
        ended = {id for id, book in books.items() if book.room.play and book.room.play.position.outcome}
        check(ended == self._over, "every end of a game is kept", ended ^ self._over)
        for key, (rating, at, games) in self._ratings.items():
            career = ratings.of(key.player).get(key)
            right = career is not None and (career.rating, career.at, career.games) == (
                rating,
                at,
                games,
            )
            check(right, "the book says what is durable", key, career, rating, games)


def _key(placing: Placing) -> RatingKey:
    return RatingKey(placing.player, placing.game, placing.speed or "", placing.level)
