"""All games of a player as one file, for that player alone: one record after another, the newest first.

Law: a record says there what /api/rooms says to the same player, and the file is never whole in memory.
"""

from __future__ import annotations

import asyncio

import structlog
from aiohttp import web

from ..core.refusal import Refusal
from ..journal.journal import Journal, NotRead
from ..journal.questions import NEWEST, Cursor, games_of
from ..journal.rows import placings_from
from ..service import Service
from .api import Api
from .askers import Asker, Askers

log = structlog.get_logger("tablero.games")

_A_PAGE = 50
_MOST_PAGES = 40
"""So many games are in a file at most: the newest."""
_WAIT_SECONDS = 0.5


class OwnGames:
    def __init__(self, service: Service, journal: Journal, api: Api, askers: Askers) -> None:
        self._service = service
        self._journal = journal
        self._api = api
        self._askers = askers

    def routes(self) -> list[web.RouteDef]:
        return [self._askers.page("/api/players/{player}/games", self._file)]

    async def _file(self, request: web.Request, asker: Asker) -> web.StreamResponse:
        account = asker.account
        if account is None or self._service.hub.accounts.called(request.match_info["player"]) is not account:
            raise Refusal("notYourGames")
        headers = {"Content-Type": "application/x-ndjson", "Cache-Control": "no-store"}
        file = web.StreamResponse(headers=headers)
        rooms, after = await self._rooms(account.id, NEWEST)
        await file.prepare(request)
        for _ in range(_MOST_PAGES):
            self._askers.charge(asker, 1)
            for room in rooms:
                await file.write(await self._record(room, asker))
            if len(rooms) < _A_PAGE:
                break
            rooms, after = await self._rooms(account.id, after)
        await file.write_eof()
        return file

    async def _rooms(self, player: str, after: Cursor) -> tuple[list[str], Cursor]:
        """Where the next older games were, and behind which the ones after these begin."""
        try:
            rows = await self._journal.read(games_of(player, player, after, _A_PAGE))
        except NotRead:
            raise Refusal("notRead", retry_after_ms=1_000) from None
        places = list(dict.fromkeys(Cursor(placing.at, placing.room) for placing in placings_from(rows)))
        return [place.room for place in places], places[-1] if places else after

    async def _record(self, room: str, asker: Asker) -> bytes:
        while True:
            try:
                return await self._api.record(room, asker)
            except Refusal as refusal:
                if refusal.retry_after_ms is None:  # what is stored of this one is damaged
                    log.warning("a record is left out", room=room, why=refusal.reason)
                    return b""
                await asyncio.sleep(_WAIT_SECONDS)
