"""The read-only pages for programs, under /api."""

from __future__ import annotations

from aiohttp import web

from tablero_protocol.codes import Code

from .export import export
from .journal import Journal
from .network import Network
from .refusal import Refusal
from .room import Room

_STATUS = {Code.UNKNOWN_ROOM: 404, Code.NOT_STARTED: 409}


class Api:
    def __init__(self, network: Network, journal: Journal) -> None:
        self._network = network
        self._hub = network.hub
        self._journal = journal

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/api/rooms/{room}/record", self._record)]

    async def _record(self, request: web.Request) -> web.Response:
        """The room's game so far. The header `Authorization: Bearer TOKEN` says who asks."""
        try:
            room = await self._room(request.match_info["room"])
            text = self._record_of(room, request.headers.get("Authorization", ""))
        except Refusal as refusal:
            answer = {"code": refusal.code.value, "message": refusal.sentence}
            return web.json_response(answer, status=_STATUS[refusal.code])
        await self._network.settled()  # nobody sees what could still be lost
        return web.Response(
            body=text.encode(), content_type="application/x-ndjson", headers={"Cache-Control": "no-store"}
        )

    async def _room(self, id: str) -> Room:
        """A room that is open, or as it was when it closed."""
        audience = self._hub.rooms.open.get(id)
        if audience is not None:
            return audience.room
        log = await self._journal.log(id)
        if not log:
            raise Refusal(Code.UNKNOWN_ROOM, "There has never been such a room.")
        *_, room = Room.fold(log)
        return room

    def _record_of(self, room: Room, authorization: str) -> str:
        """A token that the server does not know is nobody's: it opens what is open to all."""
        scheme, _, token = authorization.partition(" ")
        account = self._hub.door.bearer(token.strip()) if scheme.lower() == "bearer" else None
        known = account is not None and (account.id in room.members or account.id in room.seats)
        if room.private and not known:
            raise Refusal(Code.UNKNOWN_ROOM, "There has never been such a room.")
        return export(room, room.seats_of(account.id) if account and known else ())
