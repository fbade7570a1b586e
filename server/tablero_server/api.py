"""The read-only pages for programs, under /api."""

from __future__ import annotations

import re
from collections import Counter

from aiohttp import web

from tablero_games import Seat
from tablero_games.record.file import lines
from tablero_protocol.codes import Code

from .core.entry import Damaged
from .core.refusal import Refusal
from .core.room import Room
from .core.token_buckets import TokenBuckets
from .export import export
from .journal.journal import Journal
from .records import Records
from .service import Service
from .wire.addresses import limit_key
from .wire.pages import long_answer, visitor_of

_STATUS = {
    Code.UNKNOWN_ROOM: 404,
    Code.NOT_STARTED: 409,
    Code.RATE_LIMITED: 429,
    Code.DAMAGED_ROOM: 500,
    Code.RETRY_LATER: 503,
}
_TURNS_LIKE_A_QUESTION = 200
"""To make a record of so many costs about as much as any other question."""
_MOST_AT_ONCE = 4
"""Records that are being made for one address, so that others have their turn."""
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


class Api:
    def __init__(self, service: Service, journal: Journal) -> None:
        self._service = service
        self._hub = service.hub
        self._journal = journal
        self._records = Records()
        self._asked: TokenBuckets[str] = TokenBuckets(service.hub.limits.messages)
        """By address, and a record that has to be made counts by its turns."""
        self._under_way: Counter[str] = Counter()

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/api/rooms/{room}/record", self._record)]

    async def _record(self, request: web.Request) -> web.Response:
        """The room's game so far. The header `Authorization: Bearer TOKEN` says who asks."""
        asker = limit_key(visitor_of(request).address)
        self._under_way[asker] += 1
        try:
            wait = self._asked.take(asker, self._service.now())
            if wait or self._under_way[asker] > _MOST_AT_ONCE:
                raise Refusal("asksTooOften", retry_after_ms=wait or 1_000)
            authorization = request.headers.get("Authorization", "")
            text = await self._text(request.match_info["room"], authorization, asker)
        except Refusal as refusal:
            headers = {"Retry-After": str((refusal.retry_after_ms or 0) // 1000 + 1)}
            return web.json_response(refusal.told(), status=_STATUS[refusal.code], headers=headers)
        finally:
            self._under_way[asker] -= 1
            if not self._under_way[asker]:
                del self._under_way[asker]
        answer = long_answer(text, "application/x-ndjson")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    async def _text(self, id: str, authorization: str, asker: str) -> bytes:
        while True:
            room = await self._room(id)
            seats = self._seats(room, authorization)
            key = (id, room.epoch, room.head, tuple(seats) if room.game.hidden else ())
            played = export(room, seats)
            await self._service.settled()  # nobody sees what could still be lost
            views = self._hub.rooms.open.get(id)
            if views is None or views.room is room:
                break  # else it was taken back meanwhile
        if (kept := self._records.kept(key)) is not None:
            return kept
        self._asked.charge(asker, self._service.now(), room.ply // _TURNS_LIKE_A_QUESTION)
        return await self._records.make(key, lines(played))

    async def _room(self, id: str) -> Room:
        """A room that is open, or as it was when it closed."""
        views = self._hub.rooms.open.get(id)
        if views is not None:
            return views.room
        try:
            room = await self._records.closed_room(id, self._journal.log) if _ID.fullmatch(id) else None
        except Damaged:
            raise Refusal("damagedLog") from None
        if room is None:
            raise Refusal("neverARoom")
        return room

    def _seats(self, room: Room, authorization: str) -> list[Seat]:
        """Of whoever asks. A token that is unknown, or has served its time, is nobody's."""
        scheme, _, token = authorization.partition(" ")
        account = self._hub.accounts.bearer(token.strip()) if scheme.lower() == "bearer" else None
        if account is not None and self._service.now() - account.created >= self._hub.limits.token_ms:
            account = None
        known = account is not None and (account.id in room.members or account.id in room.seats)
        if room.private and not known:
            raise Refusal("neverARoom")
        return room.seats_of(account.id) if account and known else []
