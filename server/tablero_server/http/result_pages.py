"""Ratings and results for programs, under /api: what the messages of the same names tell, over HTTP."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from tablero_protocol.codec import CODECS, ProtocolError
from tablero_protocol.messages import ShowPlayer, ShowRatings, ShowTimes, ShowTonight

from ..core.refusal import Refusal
from ..journal.journal import NotRead
from ..service import Service
from .askers import Asker, Askers
from .openapi import document
from .pages import long_answer

_JSON = CODECS["tablero.v1.json"]
_NUMBERS = {"showRatings": {"after"}, "showTimes": {"after"}}
_DIGITS = 15


class ResultPages:
    def __init__(self, service: Service, askers: Askers) -> None:
        self._service = service
        self._askers = askers

    def routes(self) -> list[web.RouteDef]:
        page = self._askers.page
        return [
            web.get("/api/openapi.json", _openapi),
            page("/api/ratings/{game}", self._answering("showRatings")),
            page("/api/times/{course}", self._answering("showTimes")),
            page("/api/players/{player}", self._answering("showPlayer")),
            page("/api/tonight", self._answering("showTonight")),
        ]

    def _answering(self, type: str) -> Any:
        """A page that answers a message of this type, whose fields come from the path and the query."""

        async def answer(request: web.Request, asker: Asker) -> web.StreamResponse:
            fields = {**_fields(type, request), **request.match_info}
            try:
                asked = _JSON.decode_client(json.dumps({**fields, "type": type, "id": "http"}))
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


def _fields(type: str, request: web.Request) -> dict[str, Any]:
    """The query as the message has it: numbers and truth are words there."""
    fields: dict[str, Any] = {}
    for name, text in request.query.items():
        if name in ("id", "type") or name in fields or name in request.match_info:
            raise Refusal("unknownField", where=type, name=name[:40])
        if name in _NUMBERS.get(type, ()) and text.isdecimal() and text.isascii() and len(text) <= _DIGITS:
            fields[name] = int(text)
        elif name == "bots" and text in ("true", "false"):
            fields[name] = text == "true"
        else:
            fields[name] = text
    return fields


async def _openapi(request: web.Request) -> web.Response:
    return long_answer(document(), "application/json")
