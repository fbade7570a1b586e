"""The ratings of all players: each rated game is a rating period, and a rating grows less certain with time.

Law: the end of a game changes both ratings once, or neither. Both changes start from the ratings before the
game. If a new rating cannot be saved, the old one stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ..effects import Effects
from ..entry import Placing, Rerated
from ..people.accounts import Accounts
from ..refusal import Message
from ..room.placings import placings
from ..room.room import Room
from .glicko import Rating, aged, rated

PERIOD_MS = 5 * 24 * 3_600_000
"""The rating period. In one period a strength changes by about its volatility: a deviation of 60 grows to 110
in 13 months.
"""
LEAST_DEVIATION = 45.0
"""The deviation never falls below this, so a rating keeps moving however many games are played."""

PROVISIONAL = 110.0
"""A rating with a larger deviation is provisional."""
LEAST_PLIES = 4
"""A game with fewer plies changes no rating, because no game of the catalogue can be decided so early."""
LEAST_GAMES, LEAST_RIVALS = 10, 3
"""The number of games and of rivals that a player needs for the leaderboard."""

Waited = tuple[Rating, int]
"""A rating after the last game, and the milliseconds since then."""


def now(rating: Rating, waited_ms: int) -> Rating:
    """The rating after a time without games: it is less certain."""
    return aged(rating, max(0, waited_ms) / PERIOD_MS)


def after_game(one: Waited, other: Waited, score: float) -> tuple[Rating, Rating]:
    """Both ratings after a game in which `one` got `score`, from 0 to 1."""
    first, second = now(*one), now(*other)
    return _moved(first, second, score), _moved(second, first, 1 - score)


def _moved(rating: Rating, rival: Rating, score: float) -> Rating:
    moved = rated(rating, [(rival, score)], periods=0)
    return moved._replace(deviation=max(moved.deviation, LEAST_DEVIATION))


class RatingKey(NamedTuple):
    """The key of a rating: a player, a game and a speed, and for a bot the level."""

    player: str
    game: str
    speed: str
    level: str = ""


class Career(NamedTuple):
    rating: Rating
    at: int
    """The time when the rating last changed."""
    games: int
    rivals: frozenset[str]
    """Some of the rivals: enough of them to qualify for the leaderboard."""

    def now(self, at: int) -> Rating:
        return now(self.rating, at - self.at)


class Strike:
    """Recomputes ratings without the rated games of one player.

    For each game and speed at which that player has a rating, it needs the rated games of all players, in
    order. A rating that no struck game has influenced stays the same, to the last digit.
    """

    def __init__(self, player: str) -> None:
        self.player = player
        self.struck: list[Placing] = []
        """The seats of the games that no longer count."""
        self.rerated: list[Placing] = []
        """The seats of other games after which a rating changes."""
        self.before: dict[RatingKey, Career] = {}
        """The ratings after all games added so far."""
        self.after: dict[RatingKey, Career | None] = {}
        """The ratings after the games that still count, where these differ from `before`."""

    def add(self, seats: Sequence[Placing]) -> None:
        """Adds the next games, two seats each."""
        for pair in zip(seats[::2], seats[1::2], strict=True):
            keys = [_key(placing) for placing in pair]
            if self.player in (pair[0].player, pair[1].player):
                self.struck += map(_struck, pair)
                for key in keys:
                    self.after.setdefault(key, self.before.get(key))
            elif any(key in self.after for key in keys):
                careers = _after(pair, [self.after.get(key, self.before.get(key)) for key in keys])
                self.after.update(zip(keys, careers, strict=True))
                self.rerated += [
                    seat._replace(**new.rating._asdict(), games=new.games)
                    for seat, new in zip(pair, careers, strict=True)
                ]
            for key, placing in zip(keys, pair, strict=True):
                self.before[key] = _grown(self.before.get(key), placing, _rating(placing))

    def fits(self, book: RatingBook) -> bool:
        """Whether the ratings in `book` are those of the added games, so that no game is missing."""
        own = book.of(self.player).keys() <= self.before.keys()
        return own and all(
            (now := book.of(key.player).get(key)) is not None
            and (now.rating, now.games) == (career.rating, career.games)
            for key, career in self.before.items()
        )


class RatingBook:
    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._careers: dict[str, dict[RatingKey, Career]] = {}
        """The careers by player."""
        self._leading: dict[tuple[str, str], dict[RatingKey, Career]] = {}
        """The careers with enough games, by game and speed."""
        self._sorted: dict[tuple[str, str], list[tuple[RatingKey, Career]]] = {}
        """The careers in `_leading`, sorted; empty after a change until somebody asks."""
        self.taken_back = 0
        """The number of undone changes. A result computed before an undone change may be wrong."""
        self.at = 0
        """The time that is used to tell how certain ratings are."""
        self.when_moved: Callable[[str], None] = lambda player: None
        """Called with the id of each player whose rating changed or was restored."""

    def load(self, newest: Iterable[Placing], rivals: Iterable[tuple[str, str, str, str, str]]) -> None:
        """Fills the book with stored ratings."""
        met: dict[RatingKey, set[str]] = {}
        for *key, rival in rivals:
            known = met.setdefault(RatingKey(*key), set())
            if len(known) < LEAST_RIVALS:
                known.add(rival)
        for placing in newest:
            key_of, rating = _key(placing), _rating(placing)
            career = Career(rating, placing.at, placing.games or 0, frozenset(met.get(key_of, ())))
            self._put(key_of, career)

    def of(self, player: str) -> Mapping[RatingKey, Career]:
        return self._careers.get(player, {})

    def told(self, key: RatingKey) -> Message | None:
        """A rating as it is sent to clients."""
        career = self.of(key.player).get(key)
        return None if career is None else _told(career.now(self.at))

    def told_of(self, seats: Iterable[Message | None], game: str, speed: str) -> list[Message | None]:
        """The ratings of the players at a table of this game and speed."""
        return [
            None if seat is None else self.told(RatingKey(seat["id"], game, speed, seat.get("level", "")))
            for seat in seats
        ]

    def leaders(self, game: str, speed: str) -> list[tuple[RatingKey, Career]]:
        """The players with enough games, best first."""
        board = (game, speed)
        if board not in self._sorted:
            leading = self._leading.get(board, {}).items()
            self._sorted[board] = sorted(leading, key=lambda each: (-each[1].rating.value, each[0]))
        return self._sorted[board]

    def game_over(self, room: Room, effects: Effects) -> list[Message] | None:
        """Stores the results of a finished game. For a rated game, returns the change of both ratings."""
        seats, moved = placings(room), None
        if room.rated and room.ply >= LEAST_PLIES and seats[0].kind in ("win", "draw"):
            seats, moved = self._move(seats[0], seats[1], effects)
        elif room.rated:
            moved = [self._unmoved(_key(seat)) for seat in seats]
        effects.keep(*seats)
        self._accounts.game_over(seats, room.log[-1].at, effects)
        return moved

    def _unmoved(self, key: RatingKey) -> Message:
        """The rating of a player whose game did not count."""
        told = self.told(key) or _told(Rating())
        return {**told, "was": told["value"]}

    def strike(self, strike: Strike, times: Iterable[Placing], effects: Effects) -> None:
        """Removes the struck games from the ratings, and these times from the best times."""
        effects.keep(*map(Rerated, (*strike.struck, *strike.rerated, *map(_struck, times))))
        for key in strike.after:
            self._will_move(key, effects)
        for key, career in strike.after.items():
            self._set(key, career)
        self._tell(strike.after)

    def _will_move(self, key: RatingKey, effects: Effects) -> None:
        effects.moved += (key,)
        effects.undo += (partial(self._take_back, key, self.of(key.player).get(key)),)

    def _take_back(self, key: RatingKey, before: Career | None, now: int) -> None:
        """Restores a rating if its change could not be saved."""
        self.taken_back += 1
        self._set(key, before)
        self._tell([key])

    def _set(self, key: RatingKey, career: Career | None) -> None:
        if career is not None:
            self._put(key, career)
            return
        careers = self._careers[key.player]
        del careers[key]
        self._lead(key, None)
        if not careers:
            del self._careers[key.player]
            self._note(key.player, rated=False)

    def _tell(self, moved: Iterable[RatingKey]) -> None:
        for player in sorted({key.player for key in moved}):
            self.when_moved(player)

    def _move(
        self, one: Placing, other: Placing, effects: Effects
    ) -> tuple[tuple[Placing, ...], list[Message]]:
        """Both results with the new ratings, and the change of each rating."""
        keys = _key(one), _key(other)
        before = [self.of(key.player).get(key) for key in keys]
        careers = _after((one, other), before)
        moved: list[Message] = []
        for key, known, career in zip(keys, before, careers, strict=True):
            self._will_move(key, effects)
            self._put(key, career)
            was = Rating() if known is None else known.rating
            moved.append({**_told(career.rating), "was": round(was.value)})
        self._tell(keys)
        pairs = zip((one, other), careers, strict=True)
        return tuple(seat._replace(**new.rating._asdict(), games=new.games) for seat, new in pairs), moved

    def _put(self, key: RatingKey, career: Career) -> None:
        self._careers.setdefault(key.player, {})[key] = career
        self._lead(key, career)
        self._note(key.player, rated=True)

    def _lead(self, key: RatingKey, career: Career | None) -> None:
        """Adds a career to its leaderboard, or removes the career from it."""
        board = (key.game, key.speed)
        self._sorted.pop(board, None)
        if career is not None and career.games >= LEAST_GAMES and len(career.rivals) >= LEAST_RIVALS:
            self._leading.setdefault(board, {})[key] = career
        else:
            self._leading.get(board, {}).pop(key, None)

    def _note(self, player: str, *, rated: bool) -> None:
        if (account := self._accounts.by_id.get(player)) is not None:
            account.rated = rated


def _after(pair: tuple[Placing, Placing], before: Sequence[Career | None]) -> tuple[Career, Career]:
    """Both ratings after a game of these two, computed from the ratings before it."""
    one, other = pair
    score = 0.5 if one.place == other.place else float(one.place == 1)
    ratings = after_game(_waited(before[0], one.at), _waited(before[1], one.at), score)
    return _grown(before[0], one, ratings[0]), _grown(before[1], other, ratings[1])


def _grown(career: Career | None, placing: Placing, rating: Rating) -> Career:
    """The career with one more game; `rating` is the rating after it."""
    known, games = (frozenset[str](), 1) if career is None else (career.rivals, career.games + 1)
    if len(known) < LEAST_RIVALS and placing.rival is not None:
        known |= {placing.rival}
    return Career(rating, placing.at, games, known)


def _told(rating: Rating) -> Message:
    told: Message = {"value": round(rating.value)}
    return {**told, "provisional": True} if rating.deviation > PROVISIONAL else told


def _struck(placing: Placing) -> Placing:
    unrated = placing._replace(value=None, deviation=None, volatility=None, games=None)
    return unrated._replace(course=None, flagged=True)


def _key(placing: Placing) -> RatingKey:
    return RatingKey(placing.player, placing.game, placing.speed or "", placing.level)


def _rating(placing: Placing) -> Rating:
    assert placing.value is not None
    assert placing.deviation is not None
    assert placing.volatility is not None
    return Rating(placing.value, placing.deviation, placing.volatility)


def _waited(career: Career | None, at: int) -> Waited:
    return (Rating(), 0) if career is None else (career.rating, at - career.at)
