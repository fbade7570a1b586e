"""The host's own pages, on an address of their own: nothing in a page of the game reaches them.

Law: whoever can be led here by a stranger's page, through a name or from another origin, is refused before
anything is looked at.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

import structlog
from aiohttp import web

from ..wire.http import EVERY_ANSWER
from ..wire.names import Names
from ..wire.network import Network
from ..wire.pages import sentence
from .metrics import CONTENT_TYPE, page

log = structlog.get_logger("tablero.host")

_STOP_SECONDS = 1.0
_MOST_BYTES = 65_536
_MOST_CONNECTIONS = 32
_OTHER_NAME = "Not a name of this server: use its address."
_FROM_ELSEWHERE = "Another site's page may not ask for this."
_SAME = {"", "same-origin", "none"}
"""What a browser says of a page of our own, or of what was typed."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HostSite:
    def __init__(self, network: Network, address: tuple[str, int]) -> None:
        self._network = network
        self._host, self.port = address
        self._names = Names((), socket.gethostname())
        self._application = web.Application(middlewares=[self._guard], client_max_size=_MOST_BYTES)
        self._application.add_routes([web.get("/metrics", self._metrics)])
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """A host can do without; so whatever is in the way costs a warning."""
        runner = web.AppRunner(self._application, access_log=None, shutdown_timeout=_STOP_SECONDS)
        await runner.setup()
        try:
            site = web.TCPSite(runner, self._host, self.port, backlog=_MOST_CONNECTIONS)
            await site.start()
        except OSError as error:
            await runner.cleanup()
            where = f"{self._host}:{self.port}"
            log.warning("the host's pages cannot be reached", address=where, why=error.strerror)
            return
        self._runner = runner
        self.port = runner.addresses[0][1]
        if not _is_of_this_machine(self._host):
            log.warning(
                "the host's pages can be reached from other machines: only the token guards them",
                address=self._host,
                see="TABLERO_ADMIN_ADDRESS",
            )

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            answer = self._why_not(request) or await handler(request)
        except web.HTTPException as refused:
            answer = sentence(refused.status, f"{refused.reason}.")
        except Exception as error:  # a mistake of ours costs the one request, and must not pass unseen
            log.error("a request broke something", path=request.path[:200], exc_info=error)
            answer = sentence(500, "Something broke; the log says what.")
        answer.headers.update(EVERY_ANSWER)
        answer.force_close()
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    def _why_not(self, request: web.Request) -> web.Response | None:
        host = request.headers.get("Host", "")
        if not self._names.answer_to(host):
            self._network.security.note("host page refused", str(request.remote), 421, host=host[:200])
            return sentence(421, _OTHER_NAME)
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "")
        if origin not in (None, f"http://{host}", f"https://{host}") or site not in _SAME:
            self._network.security.note("host page refused", str(request.remote), 403)
            return sentence(403, _FROM_ELSEWHERE)
        return None

    async def _metrics(self, request: web.Request) -> web.Response:
        return web.Response(body=page(self._network), headers={"Content-Type": CONTENT_TYPE})


def _is_of_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
