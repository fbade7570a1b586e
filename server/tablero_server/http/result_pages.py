"""Ratings and results for programs, under /api: what the messages of the same names tell, over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import structlog
from aiohttp import web
from pydantic import BaseModel

from tablero_protocol.codec import CODECS, ProtocolError
from tablero_protocol.messages import ShowPlayer, ShowRatings, ShowTimes, ShowTonight

from ..core.refusal import Refusal
from ..journal.journal import Journal, NotRead
from ..journal.questions import NEWEST, Cursor, games_of
from ..journal.rows import placings_from
from ..service import Service
from .api import Api
from .askers import Asker, Askers, Maker
from .openapi import OWN_GAMES, PLAYER, RATINGS, RECORDS, TIMES, TONIGHT, document
from .pages import long_answer

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
        return [self._askers.page(OWN_GAMES, self._file)]

    async def _file(self, request: web.Request, asker: Asker) -> web.StreamResponse:
        account = asker.account
        if account is None or self._service.hub.accounts.called(request.match_info["player"]) is not account:
            raise Refusal("notYourGames")
        headers = {"Content-Type": RECORDS, "Cache-Control": "no-store"}
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


_JSON = CODECS["tablero.v1.json"]
_NUMBER = re.compile(r"[0-9]{1,16}")


class ResultPages:
    def __init__(self, service: Service, askers: Askers) -> None:
        self._service = service
        self._askers = askers

    def routes(self) -> list[web.RouteDef]:
        pages = [
            self._askers.page(page, self._answering(page.asks))
            for page in (RATINGS, TIMES, PLAYER, TONIGHT)
            if page.asks is not None
        ]
        return [web.get("/api/openapi.json", _openapi), *pages]

    def _answering(self, asks: type[BaseModel]) -> Maker:
        """Answers such a message, whose fields come from the path and the query."""
        type: str = asks.model_fields["type"].default

        async def answer(request: web.Request, asker: Asker) -> web.StreamResponse:
            fields = {**_fields(asks, type, request), **request.match_info, "type": type, "id": "http"}
            try:
                asked = _JSON.decode_client(json.dumps(fields))
            except ProtocolError as wrong:
                raise Refusal(wrong.reason, **wrong.fields) from None
            assert isinstance(asked, ShowRatings | ShowTimes | ShowPlayer | ShowTonight)
            try:
                told = await self._service.results.answer(asked, asker.account, self._service.now())
            except NotRead:
                raise Refusal("notRead", retry_after_ms=1_000) from None
            page = long_answer(json.dumps(told).encode(), "application/json")
            page.headers["Cache-Control"] = "no-store"
            return page

        return answer


def _fields(asks: type[BaseModel], type: str, request: web.Request) -> dict[str, Any]:
    """The query as the message has it: numbers and truth are words there."""
    kinds = {each.alias or name: each.annotation for name, each in asks.model_fields.items()}
    fields: dict[str, Any] = {}
    for name, text in request.query.items():
        if name in ("id", "type") or name in fields or name in request.match_info:
            raise Refusal("unknownField", where=type, name=name[:40])
        if kinds.get(name) is int and _NUMBER.fullmatch(text):
            fields[name] = int(text)
        elif kinds.get(name) is bool and text in ("true", "false"):
            fields[name] = text == "true"
        else:
            fields[name] = text
    return fields


async def _openapi(request: web.Request) -> web.Response:
    return long_answer(document(), "application/json")
