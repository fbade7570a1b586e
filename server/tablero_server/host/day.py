"""What was played on a day, for the host alone: private games too, and who came from one address."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby

from ..core.entry import Placing
from ..core.refusal import Refusal
from ..http.records import in_slices
from ..journal.journal import NotRead
from ..journal.questions import games_between
from ..journal.rows import placings_from
from ..journal.schema import PLAYED
from ..service import Service

_DAY_MS = 24 * 3_600_000
_ROOM = list(PLAYED).index("room")


async def games_of_day(service: Service, day: str) -> str:
    """A line of JSON for each game that ended on `day`, as 2026-11-19, by UTC."""
    try:
        begin = int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    except ValueError:
        raise Refusal("noDay", day=day[:20]) from None
    try:
        rows = await service.results.read(games_between(begin, begin + _DAY_MS))
    except NotRead:
        raise Refusal("notRead", retry_after_ms=1_000) from None
    games = groupby(rows, lambda row: row[_ROOM])
    return "\n".join(await in_slices(_line(service, placings_from(seats)) for _, seats in games))


def _line(service: Service, seats: Sequence[Placing]) -> str:
    first = seats[0]
    game = {
        "room": first.room,
        "game": first.game,
        "speed": first.speed,
        "at": first.at,
        "kind": first.kind,
        "reason": first.reason,
        "private": first.private,
        "flagged": first.flagged,
        "seats": [
            {
                "player": seat.player,
                "name": service.results.name(seat.player),
                "level": seat.level or None,
                "place": seat.place,
                "score": seat.score,
                "value": seat.value,
                "deviation": seat.deviation,
                "milliseconds": seat.milliseconds,
            }
            for seat in seats
        ],
    }
    return json.dumps(game, ensure_ascii=False)
