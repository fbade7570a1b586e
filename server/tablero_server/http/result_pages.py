"""Pages for programs under /api: ratings, results and the other servers of the network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from aiohttp import web
from pydantic import BaseModel

from tablero_protocol.codec import CODECS, ProtocolError
from tablero_protocol.messages import ShowPlayer, ShowRatings, ShowTimes, ShowTonight

from ..core.refusal import Refusal
from ..journal.journal import NotRead
from ..reach.neighbours import Neighbour
from ..service import Service
from .askers import Asker, Askers, Maker
from .openapi import NEARBY, PLAYER, RATINGS, TIMES, TONIGHT
from .pages import long_answer, visitor_of

_JSON = CODECS["tablero.v1.json"]
_NUMBER = re.compile(r"[0-9]{1,16}")


class ResultPages:
    def __init__(self, service: Service, others: Callable[[], list[Neighbour]], askers: Askers) -> None:
        self._service = service
        self._others = others
        self._askers = askers

    def routes(self) -> list[web.RouteDef]:
        pages = [
            self._askers.page(page, self._answering(page.asks))
            for page in (RATINGS, TIMES, PLAYER, TONIGHT)
            if page.asks is not None
        ]
        return [*pages, self._askers.page(NEARBY, self._nearby)]

    def _answering(self, asks: type[BaseModel]) -> Maker:
        """A page that answers messages of this type, whose fields come from the path and the query."""
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

    async def _nearby(self, request: web.Request, asker: Asker) -> web.Response:
        visitor = visitor_of(request).address
        is_here = visitor.is_private or visitor.is_loopback or visitor.is_link_local
        found = self._others() if is_here else []
        told = {"servers": [{"name": each.name, "link": each.link} for each in found]}
        return web.json_response(told, headers={"Cache-Control": "no-store"})


def _fields(asks: type[BaseModel], type: str, request: web.Request) -> dict[str, Any]:
    """The parameters with the types that the message needs: in a query, numbers and booleans are text."""
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
