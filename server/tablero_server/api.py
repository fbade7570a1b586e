"""The read-only pages for programs, under /api."""

from __future__ import annotations

import json

from tablero_protocol.codes import Code

from .core.entry import Damaged
from .core.refusal import Refusal
from .core.replay import fold
from .core.room import Room
from .core.token_buckets import TokenBuckets
from .export import export
from .journal.journal import Journal
from .service import Service
from .wire.addresses import limit_key
from .wire.arrivals import Visitor
from .wire.http import Answer
from .wire.pages import Page

_STATUS = {Code.UNKNOWN_ROOM: 404, Code.DAMAGED_ROOM: 500, Code.NOT_STARTED: 409, Code.RATE_LIMITED: 429}


class Api:
    def __init__(self, service: Service, journal: Journal) -> None:
        self._service = service
        self._hub = service.hub
        self._journal = journal
        self._asked: TokenBuckets[str] = TokenBuckets(service.hub.limits.messages)
        """By address: a record may have to be read from the disk and replayed."""

    def pages(self) -> dict[str, Page]:
        return {"/api/rooms/{room}/record": self._record}

    async def _record(self, visitor: Visitor, room: str) -> Answer:
        """The room's game so far. The header `Authorization: Bearer TOKEN` says who asks."""
        try:
            if wait := self._asked.take(limit_key(visitor.address), self._service.now()):
                raise Refusal(Code.RATE_LIMITED, "You ask too often; try again soon.", retry_after_ms=wait)
            while True:
                found = await self._room(room)
                text = self._record_of(found, visitor.request.header("Authorization"))
                await self._service.settled()  # nobody sees what could still be lost
                views = self._hub.rooms.open.get(room)
                if views is None or views.room is found:
                    break  # else it was taken back meanwhile
        except Refusal as refusal:
            answer = {"code": refusal.code.value, "message": refusal.sentence}
            headers = {"Retry-After": str((refusal.retry_after_ms or 0) // 1000 + 1)}
            return Answer(_STATUS[refusal.code], json.dumps(answer).encode(), "application/json", headers)
        return Answer(200, text.encode(), "application/x-ndjson", {"Cache-Control": "no-store"})

    async def _room(self, id: str) -> Room:
        """A room that is open, or as it was when it closed."""
        views = self._hub.rooms.open.get(id)
        if views is not None:
            return views.room
        try:
            if log := await self._journal.log(id):
                return fold(log)
        except Damaged:
            raise Refusal(Code.DAMAGED_ROOM, "What is stored of this room is damaged.") from None
        raise Refusal(Code.UNKNOWN_ROOM, "There has never been such a room.")

    def _record_of(self, room: Room, authorization: str) -> str:
        """A token that is unknown, or has served its time, is nobody's: it opens what is open to all."""
        scheme, _, token = authorization.partition(" ")
        account = self._hub.accounts.bearer(token.strip()) if scheme.lower() == "bearer" else None
        if account is not None and self._service.now() - account.created >= self._hub.limits.token_ms:
            account = None
        known = account is not None and (account.id in room.members or account.id in room.seats)
        if room.private and not known:
            raise Refusal(Code.UNKNOWN_ROOM, "There has never been such a room.")
        return export(room, room.seats_of(account.id) if account and known else ())
