"""The host's own pages, on an address of their own: nothing in a page of the game reaches them.

Law: whoever can be led here by a stranger's page, through a name or from another origin, is refused before
anything is looked at.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from importlib import resources
from inspect import Parameter, getdoc, signature
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import structlog
from aiohttp import web

from ..http.pages import sentence
from ..service import Service
from ..wire.descriptors import MOST_OF_THE_HOST
from ..wire.http import EVERY_ANSWER, NO_REQUEST
from ..wire.http_connection import HttpConnection
from ..wire.names import Names
from ..wire.network import Network
from .commands import Command, HostConversation
from .metrics import CONTENT_TYPE, page
from .token import is_right

_TEXT = {"text/plain": {"schema": {"type": "string"}}}
_SAID = {
    "type": "object",
    "required": ["ok"],
    "properties": {"ok": {"type": "boolean"}, "message": {"type": "string"}},
}


def document(commands: Mapping[str, Command]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablero, for its host",
            "version": "1",
            "description": "Each command of `tablero admin` at an address of its own.",
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {f"/api/{name}": {"post": _operation(name, command)} for name, command in commands.items()},
    }


def _operation(name: str, command: Command) -> dict[str, Any]:
    given = signature(command).parameters.values()
    required = [each.name for each in given if each.default is Parameter.empty]
    body = {
        "type": "object",
        "properties": {each.name: {"type": "string"} for each in given},
        "required": required,
        "additionalProperties": False,
    }
    answers = {"200": "Done.", "409": "Refused, and nothing has changed."}
    sentences = {
        "400": "No JSON object.",
        "413": "It is too long.",
        "401": "No token, or a wrong one.",
        "429": "Too many wrong tokens and codes.",
        "403": "Another site's page asked.",
        "415": "Not application/json.",
        "421": "Another name than this server's.",
    }
    plain = command.func if isinstance(command, partial) else command
    return {
        "operationId": name,
        "summary": (getdoc(plain) or name).partition("\n")[0],
        "requestBody": {"required": bool(required), "content": {"application/json": {"schema": body}}},
        "responses": {
            **{
                status: {"description": what, "content": {"application/json": {"schema": _SAID}}}
                for status, what in answers.items()
            },
            **{status: {"description": what, "content": _TEXT} for status, what in sentences.items()},
        },
    }


log = structlog.get_logger("tablero.host")

_STOP_SECONDS = 1.0
_MOST_BYTES = 65_536
_HEAD_SECONDS = 5.0
"""How long a request may take to say what it asks for."""
_OTHER_NAME = "Not a name of this server: use its address."
_FROM_ELSEWHERE = "Another site's page may not ask for this."
_SAME = {"", "same-origin", "none"}
"""What a browser says of a page of our own, or of what was typed."""

PAGE = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/texts.js": ("texts.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/languages/es.json": ("languages/es.json", "application/json"),
    "/languages/fr.json": ("languages/fr.json", "application/json"),
}
_ABOUT_THE_PAGE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HostSite:
    def __init__(
        self,
        service: Service,
        network: Network,
        address: tuple[str, int],
        conversation: HostConversation,
        token: Path | None,
    ) -> None:
        self._service = service
        self._network = network
        self._conversation = conversation
        self._token = token
        self._host, self.port = address
        self._names = Names((), socket.gethostname())
        self._application = web.Application(middlewares=[self._guard], client_max_size=_MOST_BYTES)
        self._application.add_routes(
            [
                web.get("/metrics", self._metrics),
                web.get("/openapi.json", self._openapi),
                web.post("/api/{command}", self._command),
                *(web.get(path, _file_of_the_page) for path in PAGE),
            ]
        )
        self._runner = web.AppRunner(self._application, access_log=None, shutdown_timeout=_STOP_SECONDS)
        self._listener: asyncio.Server | None = None
        self._connections: dict[HttpConnection, None] = {}
        """The oldest first."""

    async def start(self) -> None:
        """A host can do without; so whatever is in the way costs a warning."""
        await self._runner.setup()
        try:
            self._listener = await asyncio.get_running_loop().create_server(
                lambda: HttpConnection(self, _HEAD_SECONDS), self._host, self.port, backlog=MOST_OF_THE_HOST
            )
        except OSError as error:
            await self._runner.cleanup()
            where = f"{self._host}:{self.port}"
            log.warning("the host's pages cannot be reached", address=where, why=error.strerror)
            return
        self.port = self._listener.sockets[0].getsockname()[1]
        if not _is_of_this_machine(self._host):
            log.warning(
                "the host's pages can be reached from other machines: only the token guards them",
                address=self._host,
                see="TABLERO_ADMIN_ADDRESS",
            )

    async def stop(self) -> None:
        if self._listener is not None:
            self._listener.close()
            for connection in list(self._connections):
                connection.abort()
            await self._runner.cleanup()

    # What its connections tell

    def arrived(self, connection: HttpConnection) -> None:
        """Beyond so many the oldest makes room: the host always gets in."""
        self._connections[connection] = None
        if len(self._connections) > MOST_OF_THE_HOST:
            oldest = next(iter(self._connections))
            self.left(oldest)
            oldest.abort()

    def asked(self, connection: HttpConnection, head: bytes) -> None:
        if not head:
            connection.refuse(NO_REQUEST)
            return
        assert self._runner.server is not None
        body_bytes = _MOST_BYTES + 1 if head.startswith(b"POST ") else 0  # with one more it is refused
        connection.answer_by(self._runner.server(), head, body_bytes)

    def handed_over(self, connection: HttpConnection) -> None:
        """There are no WebSockets here."""

    def left(self, connection: HttpConnection) -> None:
        self._connections.pop(connection, None)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            answer = self._why_not(request) or await handler(request)
        except web.HTTPException as refused:
            allowed = {name: refused.headers[name] for name in ("Allow",) if name in refused.headers}
            answer = sentence(refused.status, f"{refused.reason}.", allowed)
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

    async def _openapi(self, request: web.Request) -> web.Response:
        return web.json_response(document(self._conversation.commands))

    async def _command(self, request: web.Request) -> web.Response:
        """One command of `tablero admin`, with its arguments as a JSON object of texts."""
        if (refused := self._not_the_host(request)) is not None:
            return refused
        body = await request.read()
        if body and request.content_type != "application/json":
            return sentence(415, "Say it as application/json.")
        try:
            asked = json.loads(body or b"{}")
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            return sentence(400, "Say the arguments as a JSON object.")
        name = request.match_info["command"]
        if name not in self._conversation.commands:
            return sentence(404, "There is no such command.")
        answer = await self._conversation.answer(name, asked, f"page from {request.remote}")
        return web.json_response(answer, status=200 if answer["ok"] else 409)

    def _not_the_host(self, request: web.Request) -> web.Response | None:
        """The right token opens however many wrong ones were said: else a guesser could keep the host out."""
        given = request.headers.get("Authorization", "")
        if is_right(self._token, given):
            return None
        wrong_token = self._service.hub.rate_limits.wrong_host_token
        if given and (wait := wrong_token(str(request.remote), self._service.now())):
            self._network.security.note("wrong host token", str(request.remote), 429)
            return sentence(429, "Too many wrong tokens.", {"Retry-After": str(wait // 1000 + 1)})
        self._network.security.note("wrong host token", str(request.remote), 401)
        text = "The host's token is wrong or missing: `tablero admin token` says where it is."
        return sentence(401, text, {"WWW-Authenticate": "Bearer"})

    async def _metrics(self, request: web.Request) -> web.Response:
        return web.Response(body=page(self._service, self._network), headers={"Content-Type": CONTENT_TYPE})


async def _file_of_the_page(request: web.Request) -> web.Response:
    """It holds nothing that anybody may not know: what is shown comes by the token."""
    name, kind = PAGE[request.path]
    return web.Response(body=_read(name), headers={"Content-Type": kind, **_ABOUT_THE_PAGE})


@cache
def _read(name: str) -> bytes:
    return resources.files("tablero_server.host").joinpath("page", name).read_bytes()


def _is_of_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
