"""The read-only pages for programs, under /api."""

from __future__ import annotations

import re

from aiohttp import web

from tablero_games import Seat
from tablero_games.record.file import lines

from .askers import Asker, Askers
from .core.entry import Damaged
from .core.refusal import Refusal
from .core.room import Room
from .core.session import Account
from .export import export
from .journal.journal import Journal
from .records import Records
from .service import Service
from .wire.pages import long_answer

_TURNS_LIKE_A_QUESTION = 200
"""To make a record of so many costs about as much as any other question."""
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


class Api:
    def __init__(self, service: Service, journal: Journal, askers: Askers) -> None:
        self._service = service
        self._hub = service.hub
        self._journal = journal
        self._askers = askers
        self._records = Records()

    def routes(self) -> list[web.RouteDef]:
        return [self._askers.page("/api/rooms/{room}/record", self._record)]

    async def _record(self, request: web.Request, asker: Asker) -> web.Response:
        """The room's game so far."""
        answer = long_answer(await self.record(request.match_info["room"], asker), "application/x-ndjson")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    async def record(self, id: str, asker: Asker) -> bytes:
        """As `asker` may have it. A Refusal where there is none."""
        while True:
            room = await self._room(id)
            seats = _seats(room, asker.account)
            key = (id, room.epoch, room.head, tuple(seats) if room.game.hidden else ())
            played = export(room, seats)
            await self._service.settled()  # nobody sees what could still be lost
            views = self._hub.rooms.open.get(id)
            if views is None or views.room is room:
                break  # else it was taken back meanwhile
        if (kept := self._records.kept(key)) is not None:
            return kept
        self._askers.charge(asker, room.ply // _TURNS_LIKE_A_QUESTION)
        return await self._records.make(key, lines(played))

    async def _room(self, id: str) -> Room:
        """A room that is open, or as it was when it closed."""
        views = self._hub.rooms.views(id)
        if views is not None:
            return views.room
        try:
            room = await self._records.closed_room(id, self._journal.log) if _ID.fullmatch(id) else None
        except Damaged:
            raise Refusal("damagedLog") from None
        if room is None:
            raise Refusal("neverARoom")
        return room


def _seats(room: Room, account: Account | None) -> list[Seat]:
    """Of whoever asks."""
    known = account is not None and (account.id in room.members or account.id in room.seats)
    if room.private and not known:
        raise Refusal("neverARoom")
    return room.seats_of(account.id) if account and known else []
