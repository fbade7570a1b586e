"""The read-only pages for programs, under /api."""

from __future__ import annotations

from aiohttp import web

from tablero_protocol.codes import Code

from .export import export
from .network import Network
from .refusal import Refusal

_STATUS = {Code.UNKNOWN_ROOM: 404, Code.NOT_STARTED: 409}


class Api:
    def __init__(self, network: Network) -> None:
        self._network = network
        self._hub = network.hub

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/api/rooms/{room}/record", self._record)]

    async def _record(self, request: web.Request) -> web.Response:
        """The room's game so far. The header `Authorization: Bearer TOKEN` says who asks."""
        try:
            text = self._record_of(request.match_info["room"], request.headers.get("Authorization", ""))
        except Refusal as refusal:
            answer = {"code": refusal.code.value, "message": refusal.sentence}
            return web.json_response(answer, status=_STATUS[refusal.code])
        await self._network.settled()  # nobody sees what could still be lost
        return web.Response(
            body=text.encode(), content_type="application/x-ndjson", headers={"Cache-Control": "no-store"}
        )

    def _record_of(self, id: str, authorization: str) -> str:
        """A token that the server does not know is nobody's: it opens what is open to all."""
        scheme, _, token = authorization.partition(" ")
        account = self._hub.door.bearer(token.strip()) if scheme.lower() == "bearer" else None
        audience = self._hub.rooms.open.get(id)
        member = account is not None and audience is not None and account.id in audience.room.members
        if audience is None or (audience.room.private and not member):
            raise Refusal(Code.UNKNOWN_ROOM, "There is no such room (any more).")
        return export(audience.room, audience.room.seats_of(account.id) if account and member else ())
