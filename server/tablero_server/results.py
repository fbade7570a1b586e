"""Ratings and results for players and for the pages.

Law: all shown data is saved, and only its players see a private table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import groupby
from typing import TypeAlias, TypeVar

from tablero_protocol.messages import ShowPlayer, ShowRatings, ShowTimes, ShowTonight

from .core.entry import Placing
from .core.hub import Hub
from .core.meeting.glicko import Rating
from .core.meeting.ratings import PROVISIONAL, Career, RatingKey
from .core.people.session import Account
from .core.refusal import Message, Refusal
from .core.room.setup import game_called
from .journal.journal import Journal
from .journal.questions import (
    NEWEST,
    Cursor,
    Question,
    Row,
    balance,
    best_times,
    curve,
    games_of,
    games_since,
)
from .journal.rows import placings_from

Asked: TypeAlias = ShowRatings | ShowTimes | ShowPlayer | ShowTonight
T = TypeVar("T")

_A_PAGE = 20
"""The number of games on one page."""
_A_BOARD = 50
"""The number of lines on one page of a leaderboard."""
_CURVES = 8
"""The number of ratings that are shown with their history."""
_POINTS = 100
"""The number of games in such a history."""
TONIGHT_MS = 12 * 3_600_000


class Results:
    def __init__(self, hub: Hub, journal: Journal, settled: Callable[[], Awaitable[None]]) -> None:
        self._hub = hub
        self._journal = journal
        self._settled = settled

    async def read(self, question: Question) -> list[Row]:
        """The rows that answer a query of the host. Raises NotRead."""
        return await self._journal.read(question)

    def name(self, player: str) -> str:
        return str(self._shown(player)["name"])

    async def answer(self, asked: Asked, asker: Account | None, now: int) -> Message:
        """The answer without its `re`. Raises Refusal if the player or game is unknown."""
        viewer = "" if asker is None else asker.id
        match asked:
            case ShowRatings():
                return await self._leaders(asked, now)
            case ShowTimes():
                return await self._times(asked)
            case ShowPlayer():
                return await self._player(asked, viewer, now)
            case ShowTonight():
                since = now - TONIGHT_MS
                found = games_since(since, viewer, _cursor(asked.after), _A_PAGE + 1)
                rows = await self._journal.read(found)
                return {"type": "tonight", "since": since, **self._games(placings_from(rows))}

    async def _leaders(self, asked: ShowRatings, now: int) -> Message:
        game = game_called(asked.game).name
        leaders = await self._durable(lambda: self._hub.rooms.ratings.leaders(game, asked.speed))
        shown = leaders[asked.after : asked.after + _A_BOARD]
        lines = [
            {
                "place": place,
                "player": self._shown(key.player, key.level),
                **_rating(career.now(now)),
                "games": career.games,
            }
            for place, (key, career) in enumerate(shown, asked.after + 1)
        ]
        page: Message = {"type": "ratings", "game": game, "speed": asked.speed, "leaders": lines}
        return _with_more(page, asked.after, len(lines), len(leaders) > asked.after + len(lines))

    async def _times(self, asked: ShowTimes) -> Message:
        found = best_times(asked.course, asked.bots, min(asked.after, 2**31), _A_BOARD + 1)
        rows = await self._journal.read(found)
        lines = [
            {"place": place, "player": self._shown(player), "milliseconds": milliseconds}
            for place, (player, milliseconds) in enumerate(rows[:_A_BOARD], asked.after + 1)
        ]
        page: Message = {"type": "times", "course": asked.course, "bots": asked.bots, "times": lines}
        return _with_more(page, asked.after, len(lines), len(rows) > _A_BOARD)

    async def _player(self, asked: ShowPlayer, viewer: str, now: int) -> Message:
        player = self._called(asked.player).id
        rival = viewer if asked.rival is None else self._called(asked.rival).id
        careers = await self._durable(lambda: dict(self._hub.rooms.ratings.of(player)))
        newest = sorted(careers.items(), key=lambda each: (-each[1].at, each[0]))
        ratings = [
            await self._rated_at(key, career, now, with_curve=at < _CURVES)
            for at, (key, career) in enumerate(newest)
        ]
        rows = await self._journal.read(games_of(player, viewer, _cursor(asked.after), _A_PAGE + 1))
        page: Message = {"type": "playerPage", "player": self._shown(player), "ratings": ratings}
        page |= self._games(placings_from(rows))
        if rival and rival != player:
            page["rival"] = self._shown(rival)
            balances = await self._journal.read(balance(player, rival, viewer))
            page["headToHead"] = [
                {"game": game, "wins": wins, "draws": draws, "losses": losses}
                for game, wins, draws, losses in balances
            ]
        return page

    async def _rated_at(self, key: RatingKey, career: Career, now: int, *, with_curve: bool) -> Message:
        rows = await self._journal.read(curve(*key, _POINTS if with_curve else 0))
        rating: Message = {
            "game": key.game,
            "speed": key.speed,
            **_rating(career.now(now)),
            "games": career.games,
            "curve": [
                {"at": at, "value": round(value), "deviation": round(deviation)}
                for at, value, deviation in reversed(rows)
            ],
        }
        return rating if not key.level else {**rating, "level": key.level}

    async def _durable(self, look: Callable[[], T]) -> T:
        """The result of `look`, returned once it is saved."""
        ratings = self._hub.rooms.ratings
        while True:
            taken_back, seen = ratings.taken_back, look()
            await self._settled()
            if ratings.taken_back == taken_back:
                return seen

    def _called(self, text: str) -> Account:
        account = self._hub.accounts.called(text)
        if account is None:
            raise Refusal("nobodyCalledThat", player=text)
        return account

    def _games(self, placings: tuple[Placing, ...]) -> Message:
        """A page of games. One game more than a page means that there is another page."""
        rooms = [list(seats) for _, seats in groupby(placings, lambda placing: placing.room)]
        page: Message = {"games": [self._game(seats) for seats in rooms[:_A_PAGE]]}
        if len(rooms) > _A_PAGE:
            last = rooms[_A_PAGE - 1][0]
            page["more"] = f"{last.at}-{last.room}"
        return page

    def _game(self, seats: list[Placing]) -> Message:
        first = seats[0]
        game: Message = {
            "room": first.room,
            "game": first.game,
            "at": first.at,
            "kind": first.kind,
            "reason": first.reason,
            "seats": [self._seat(placing) for placing in seats],
        }
        return game if first.speed is None else {**game, "speed": first.speed}

    def _seat(self, placing: Placing) -> Message:
        seat: Message = {"player": self._shown(placing.player, placing.level)}
        rare = {"place": placing.place, "score": placing.score, "milliseconds": placing.milliseconds}
        seat |= {name: value for name, value in rare.items() if value is not None}
        return seat if placing.value is None else {**seat, "value": round(placing.value)}

    def _shown(self, player: str, level: str = "") -> Message:
        """The player as everybody sees them; a deleted player is a guest without a name."""
        account = self._hub.accounts.by_id.get(player)
        if account is not None:
            return account.shown(level or None)
        shown: Message = {"id": player, "name": f"guest-{player[:4]}", "bot": bool(level)}
        return {**shown, "level": level} if level else shown


def _rating(rating: Rating) -> Message:
    return {
        "value": round(rating.value),
        "deviation": round(rating.deviation),
        "provisional": rating.deviation > PROVISIONAL,
    }


def _cursor(after: str | None) -> Cursor:
    """The cursor where a page starts; an invalid text starts with the newest game."""
    at, _, room = (after or "").partition("-")
    return Cursor(int(at), room) if at.isdecimal() and at.isascii() and len(at) < 18 else NEWEST


def _with_more(page: Message, after: int, shown: int, more: bool) -> Message:
    return {**page, "more": after + shown} if more else page
