"""The other servers of this network, for the first page of the browser client.

Law: whoever asks from elsewhere is told of none: addresses of a private network are nobody else's business.
"""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from ..reach.neighbours import Neighbour
from .askers import Asker, Askers
from .pages import visitor_of


class NearbyPage:
    def __init__(self, others: Callable[[], list[Neighbour]], askers: Askers) -> None:
        self._others = others
        self._askers = askers

    def routes(self) -> list[web.RouteDef]:
        return [self._askers.page("/api/nearby", self._nearby)]

    async def _nearby(self, request: web.Request, asker: Asker) -> web.Response:
        visitor = visitor_of(request).address
        is_here = visitor.is_private or visitor.is_loopback or visitor.is_link_local
        found = self._others() if is_here else []
        told = {"servers": [{"name": each.name, "link": each.link} for each in found]}
        return web.json_response(told, headers={"Cache-Control": "no-store"})
