"""Takes a player's games out of ratings and best times, or only tells what that would change.

Law: either all saved games of the player are struck, or none. A few games are computed in each turn of the
event loop.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.effects import Effects
from ..core.entry import Placing
from ..core.meeting.ratings import Career, RatingKey, Strike
from ..core.people.session import Account
from ..core.refusal import Message, Refusal
from ..journal.journal import NotRead
from ..journal.questions import (
    OLDEST,
    Cursor,
    Question,
    rated_beside,
    times_of,
)
from ..journal.rows import placings_from
from ..service import Service
from .decisions import table

_GAMES = 100
"""The number of games that are read and computed in one turn of the event loop."""
_TRIES = 5
"""The number of times that a strike waits for games that are not yet saved."""
_MOST_LINES = 20


class Found(NamedTuple):
    strike: Strike
    times: tuple[Placing, ...]


async def strike_player(service: Service, account: Account, *, really: bool) -> Message:
    found = await _look(service, account.id)
    if not (found.strike.struck or found.times):
        raise Refusal("nothingToStrike", player=account.name)
    told = _told(service, account, found, "Struck" if really else "A strike would take out")
    if really:
        effects = Effects()
        service.hub.rooms.ratings.strike(*found, effects)
        await service.carry_out(effects)
    return told


async def _look(service: Service, player: str) -> Found:
    """Everything that a strike concerns. The result must be used before other work changes a rating."""
    times = placings_from(await _read(service, times_of(player)))
    strike, after, tries = Strike(player), OLDEST, 0
    while True:
        if games := placings_from(await _read(service, rated_beside(player, after, _GAMES))):
            strike.add(games)
            after = Cursor(games[-1].at, games[-1].room)
        elif strike.fits(service.hub.rooms.ratings):
            return Found(strike, times)
        elif (tries := tries + 1) > _TRIES:
            raise Refusal("ratingsMove", retry_after_ms=1_000)
        else:
            await service.settled()


async def _read(service: Service, question: Question) -> list[tuple[object, ...]]:
    try:
        return await service.results.read(question)
    except NotRead:
        raise Refusal("notRead", retry_after_ms=1_000) from None


def _told(service: Service, account: Account, found: Found, begun: str) -> Message:
    games, times = len(found.strike.struck) // 2, len(found.times)
    changes = sorted(found.strike.after.items(), key=lambda each: _move(found, *each), reverse=True)
    ratings = [_change(service, found, key, career) for key, career in changes]
    what = f"{_counted(games, 'rated game')} and {_counted(times, 'best time')}"
    lines = [f"{begun}: {what} of {account.name} ({account.id})."]
    if ratings:
        lines += [
            f"Ratings that change: {len(ratings)}",
            *table(tuple(_HEAD), list(map(_row, ratings[:_MOST_LINES]))),
        ]
    if len(ratings) > _MOST_LINES:
        lines.append(f"  and {len(ratings) - _MOST_LINES} more; --json has all.")
    return {"message": "\n".join(lines), "games": games, "times": times, "ratings": ratings}


_HEAD = ("player", "game", "speed", "before", "after", "games")


def _move(found: Found, key: RatingKey, after: Career | None) -> float:
    """The sort key of a change: its size. Deleted ratings come first."""
    return 10_000 if after is None else abs(found.strike.before[key].rating.value - after.rating.value)


def _change(service: Service, found: Found, key: RatingKey, after: Career | None) -> Message:
    return {
        "player": service.results.name(key.player),
        "id": key.player,
        "game": key.level or key.game,
        "speed": key.speed,
        "before": round(found.strike.before[key].rating.value),
        "after": None if after is None else round(after.rating.value),
        "games": 0 if after is None else after.games,
    }


def _row(change: Message) -> list[str]:
    return ["none" if change[name] is None else str(change[name]) for name in _HEAD]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
