"""The host's commands, page and metrics over HTTP: at an address for the host, and at a socket.

Law: no page of the game can reach them. A request is refused at once if another site's page or another name
led the browser here.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Mapping
from functools import cache, partial
from importlib import resources
from inspect import Parameter, getdoc, signature
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ..http.pages import sentence
from ..service import Service
from ..wire.http import EVERY_ANSWER
from ..wire.names import Names
from ..wire.network import Network
from ..wire.ports import open_free
from .commands import Command, HostCommands
from .files import is_right_token
from .listener import HostListener
from .metrics import CONTENT_TYPE, page

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
            "title": "Tablero host commands",
            "version": "1",
            "description": "Each command of `tablero admin` at its own address.",
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

_OTHER_NAME = "Unknown host name: use the server's address."
_FROM_ELSEWHERE = "Another site's page may not ask for this."
_SAME = {"", "same-origin", "none"}
"""The values of Sec-Fetch-Site for our own pages and for a typed address."""

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


class NoHostPages(Exception):
    """Raised if the chosen address cannot be used; the message says why."""


class HostSite:
    """The same routes twice: at an address, with the token, and at a socket, without it."""

    def __init__(
        self,
        service: Service,
        network: Network,
        commands: HostCommands,
        token: Path | None,
        address: tuple[str, int] | None,
        chosen: bool,
        place: Path | None,
    ) -> None:
        self._service = service
        self._network = network
        self._commands = commands
        self._token = token
        self._address = address
        self._chosen = chosen
        """Whether the host chose the address. Then no other address is tried."""
        self._place = place
        """The path of the socket."""
        self.port = 0
        self._names = Names((), socket.gethostname())
        self._listeners: list[HostListener] = []

    async def start(self) -> None:
        """Opens the address and the socket. A default address that cannot be opened costs only a warning.

        Raises NoHostPages if the host chose the address.
        """
        if self._address is not None:
            await self._open_address(*self._address)
        if self._place is not None and sys.platform != "win32":
            await self._open_socket(self._place)

    @property
    def address(self) -> str | None:
        """The address of the page, or None."""
        if self._address is None or not self.port:
            return None
        host = self._address[0]
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    async def stop(self) -> None:
        for listener in self._listeners:
            await listener.close()

    async def _open_address(self, host: str, port: int) -> None:
        listener = self._listener(self._command_with_token, [_answer, self._guard])
        try:
            self.port = await open_free(port, self._chosen, partial(listener.open_address, host))
        except OSError as error:
            where, why = f"{host}:{port}", error.strerror
            if self._chosen:
                other = "Choose another TABLERO_ADMIN_ADDRESS, or off."
                raise NoHostPages(f"Cannot open the host's page at {where}: {why}. {other}") from None
            log.warning("could not open the host's page", address=where, why=why)
            return
        if not _is_of_this_machine(host):
            log.warning(
                "the host's pages can be reached from other machines: only the token protects them",
                address=host,
                see="TABLERO_ADMIN_ADDRESS",
            )

    async def _open_socket(self, place: Path) -> None:
        try:
            await self._listener(self._command_from_socket, [_answer]).open_socket(place)
        except OSError as error:
            log.warning("could not open the socket of tablero admin", socket=str(place), why=str(error))

    def _listener(self, command: Handler, middlewares: list[Middleware]) -> HostListener:
        routes = [
            web.get("/metrics", self._metrics),
            web.get("/openapi.json", self._openapi),
            web.post("/api/{command}", command),
            *(web.get(path, _file_of_the_page) for path in PAGE),
        ]
        self._listeners.append(HostListener(routes, middlewares))
        return self._listeners[-1]

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses requests that use another name, or come from another site's page."""
        host = request.headers.get("Host", "")
        if not self._names.answer_to(host):
            self._network.security.note("host page refused", str(request.remote), 421, host=host[:200])
            return sentence(421, _OTHER_NAME)
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "")
        if origin not in (None, f"http://{host}", f"https://{host}") or site not in _SAME:
            self._network.security.note("host page refused", str(request.remote), 403)
            return sentence(403, _FROM_ELSEWHERE)
        return await handler(request)

    async def _command_with_token(self, request: web.Request) -> web.Response:
        return self._not_the_host(request) or await self._command(request, f"page from {request.remote}")

    async def _command_from_socket(self, request: web.Request) -> web.Response:
        return await self._command(request, "socket")

    async def _openapi(self, request: web.Request) -> web.Response:
        return web.json_response(document(self._commands.by_name))

    async def _command(self, request: web.Request, by: str) -> web.Response:
        """Runs one command of `tablero admin`; its arguments are a JSON object of texts."""
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
        answer = await self._commands.answer(name, asked, by)
        refused = 409 if name in self._commands.by_name else 404
        return web.json_response(answer, status=200 if answer["ok"] else refused)

    def _not_the_host(self, request: web.Request) -> web.Response | None:
        """A refusal, unless the token is right. A right token is never limited: otherwise a guesser could
        keep the host out.
        """
        given = request.headers.get("Authorization", "")
        if is_right_token(self._token, given):
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


@web.middleware
async def _answer(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Adds the headers of every answer, and turns errors into sentences."""
    try:
        answer = await handler(request)
    except web.HTTPException as refused:
        allowed = {name: refused.headers[name] for name in ("Allow",) if name in refused.headers}
        answer = sentence(refused.status, f"{refused.reason}.", allowed)
    except Exception as error:  # a bug of ours costs only this request, and is logged
        log.error("a request broke something", path=request.path[:200], exc_info=error)
        answer = sentence(500, "Something broke; the log says what.")
    answer.headers.update(EVERY_ANSWER)
    answer.force_close()
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer


async def _file_of_the_page(request: web.Request) -> web.Response:
    """A file of the page. The files contain no secrets: the page loads secret data with the token."""
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
