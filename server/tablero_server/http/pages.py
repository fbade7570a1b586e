"""The pages over HTTP: aiohttp routes and runs them, on connections that were already admitted.

Law: this module does not count connections, wait for them or decide about trust: `arrivals` has done so. Only
this module turns an answer into bytes.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ..wire.arrivals import Visitor
from ..wire.http import (
    BROKEN,
    EVERY_ANSWER,
    MOST_BYTES,
    NO_REQUEST,
    Rejection,
)
from ..wire.security_log import SecurityLog

log = structlog.get_logger("tablero.pages")

_STOP_SECONDS = 1.0
_PIECE_BYTES = 65_536
"""The size of the pieces in which aiohttp gets a long answer, so that a slow visitor's unread bytes wait
here.
"""
_REFUSED = re.compile(r"q\s*=\s*0(\.0*)?")
Nowhere = Callable[[web.Request], web.Response | None]
"""A function that returns the page for an unknown address, or None if a sentence is enough."""


class Pages:
    def __init__(
        self, routes: Iterable[web.RouteDef], security: SecurityLog, nowhere: Nowhere = lambda request: None
    ) -> None:
        pages = web.Application(middlewares=[_with_sentences(nowhere)])
        pages.add_routes(routes)
        pages.on_response_prepare.append(_like_every_answer)
        self._runner = web.AppRunner(pages, handler_cancellation=True, shutdown_timeout=_STOP_SECONDS)
        self._security = security

    async def start(self) -> None:
        await self._runner.setup()

    async def stop(self) -> None:
        await self._runner.cleanup()

    def page(self, visitor: Visitor) -> asyncio.Protocol:
        """The protocol that answers the visitor's request."""
        assert self._runner.server is not None, "it has not started"
        return _Page(self._runner.server, visitor, self._security)


def visitor_of(request: web.Request) -> Visitor:
    assert isinstance(request.protocol, _Page)
    return request.protocol.visitor


def takes_gzip(request: web.Request) -> bool:
    """Whether the answer may be compressed. By RFC 9110, 12.5.3, a quality of 0 refuses a coding."""
    taken = {}
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        coding, _, quality = (word.strip() for word in part.partition(";"))
        taken[coding] = not _REFUSED.fullmatch(quality)
    return taken.get("gzip", taken.get("x-gzip", taken.get("*", False)))


def sentence(status: int, text: str, headers: Mapping[str, str] | None = None) -> web.Response:
    """An answer for people: one sentence as plain text."""
    return web.Response(status=status, text=f"{text}\n", headers=headers)


def long_answer(body: bytes, content_type: str) -> web.Response:
    """An answer sent in pieces: each piece is sent once the one before has been read."""
    headers = {"Content-Type": content_type, "Content-Length": str(len(body))}
    return web.Response(body=_in_pieces(body), headers=headers)


async def _in_pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), _PIECE_BYTES):
        yield body[start : start + _PIECE_BYTES]


def _with_sentences(nowhere: Nowhere) -> Middleware:
    @web.middleware
    async def answered(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPNotFound:
            return nowhere(request) or sentence(404, "There is no such page.")
        except web.HTTPMethodNotAllowed as refused:
            allow = refused.headers["Allow"]
            told = "This page takes a record by POST." if allow == "POST" else "Pages here can only be read."
            return sentence(405, told, {"Allow": allow})

    return answered


async def _like_every_answer(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(EVERY_ANSWER)
    response.force_close()


class _Page(web.RequestHandler):
    """The aiohttp protocol of one connection, for one request."""

    __slots__ = ("_security", "visitor")

    def __init__(self, server: web.Server, visitor: Visitor, security: SecurityLog) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=0,
            tcp_keepalive=False,
            max_line_size=MOST_BYTES,
            max_field_size=MOST_BYTES,
        )
        self.visitor = visitor
        self._security = security

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to a request that aiohttp cannot parse, or whose page raises an error."""
        if status == NO_REQUEST.status:
            self._security.note("not a request", str(self.visitor.address), status)
            return _rejected(NO_REQUEST)
        log.error("a request broke something", path=self.visitor.request.path[:200], exc_info=exc)
        if request.writer.output_size:
            raise ConnectionError("half an answer has left")
        return _rejected(BROKEN)


def _rejected(why: Rejection) -> web.Response:
    return sentence(why.status, why.sentence, EVERY_ANSWER)
