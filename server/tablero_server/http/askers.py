"""Finds out who sends the requests for pages under /api, and limits them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from aiohttp import web

from tablero_protocol.codes import Code

from ..core.limits.rate_limits import TokenBuckets
from ..core.people.session import Account
from ..core.refusal import Refusal
from ..service import Service
from ..wire.addresses import limit_key
from .openapi import ApiPage
from .pages import visitor_of

STATUS = {
    Code.BAD_MESSAGE: 400,
    Code.BAD_FRAME: 400,
    Code.FORBIDDEN: 403,
    Code.UNKNOWN_ROOM: 404,
    Code.UNKNOWN_GAME: 404,
    Code.UNKNOWN_PLAYER: 404,
    Code.NOT_STARTED: 409,
    Code.NOT_OVER: 409,
    Code.RATE_LIMITED: 429,
    Code.DAMAGED_ROOM: 500,
    Code.RETRY_LATER: 503,
}
"""The HTTP status for each code of a refused page."""
_MOST_AT_ONCE = 4
"""The most answers that are prepared for one address at a time, so that others get their turn."""


class Asker(NamedTuple):
    address: str
    account: Account | None
    """The account of the request's token; None if the token is unknown or has expired."""


Maker = Callable[[web.Request, Asker], Awaitable[web.StreamResponse]]


class Askers:
    def __init__(self, service: Service, *, players_only: bool) -> None:
        self._service = service
        self._players_only = players_only
        self._asked: TokenBuckets[str] = TokenBuckets(service.hub.limits.messages)
        """The requests by address."""
        self._under_way: Counter[str] = Counter()

    def page(self, page: ApiPage, make: Maker) -> web.RouteDef:
        """The route of a page, with its limits on who may ask and how often."""

        async def handle(request: web.Request) -> web.StreamResponse:
            address, asker = limit_key(visitor_of(request).address), None
            self._under_way[address] += 1
            try:
                wait = self._asked.take(address, self._service.now())
                if wait or self._under_way[address] > _MOST_AT_ONCE:
                    raise Refusal("asksTooOften", retry_after_ms=wait or 1_000)
                asker = Asker(address, self._account(request))
                if self._players_only and asker.account is None:
                    raise Refusal("pagesForPlayers")
                return await make(request, asker)
            except Refusal as refusal:
                return _refused(refusal, is_known=asker is not None and asker.account is not None)
            finally:
                self._under_way[address] -= 1
                if not self._under_way[address]:
                    del self._under_way[address]

        return web.post(page.path, handle) if page.sends else web.get(page.path, handle)

    def charge(self, asker: Asker, units: int) -> None:
        """Charges a request as `units` ordinary requests."""
        self._asked.charge(asker.address, self._service.now(), units)

    def _account(self, request: web.Request) -> Account | None:
        """The account of the token in the header `Authorization: Bearer TOKEN`, or None."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        return self._service.hub.accounts.bearer(token.strip(), self._service.now())


def _refused(refusal: Refusal, *, is_known: bool) -> web.Response:
    """The refusal as an answer, with 401 instead of 403 if the request had no known token."""
    headers, status = {"Cache-Control": "no-store"}, STATUS[refusal.code]
    if refusal.code is Code.FORBIDDEN and not is_known and refusal.reason != "foreignPage":
        headers["WWW-Authenticate"], status = "Bearer", 401
    if refusal.retry_after_ms is not None:
        headers["Retry-After"] = str(refusal.retry_after_ms // 1000 + 1)
    return web.json_response(refusal.told(), status=status, headers=headers)
