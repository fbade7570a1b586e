"""What holds for every TCP connection before anybody knows what it wants.

Law: headers come in time or the connection goes; a request that is none costs one line of the log.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, cast

import structlog
from aiohttp import ClientConnectionResetError, web
from aiohttp.web_protocol import RequestHandler

from .security_log import SecurityLog

log = structlog.get_logger("tablero.http_guard")

_NAME = "tablero"
_OTHER_FILES = 100
"""What a server has open beside its connections."""


class HttpGuard(RequestHandler):
    __slots__ = ("_deadline", "_seconds", "_security")

    def __init__(self, *args: Any, seconds: float, security: SecurityLog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seconds = seconds
        self._security = security

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        abort = cast(asyncio.Transport, transport).abort  # uvloop's are not subclasses
        self._deadline = asyncio.get_running_loop().call_later(self._seconds, abort)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def headers_have_arrived(self) -> None:
        self._deadline.cancel()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """aiohttp would log a traceback with the bytes of every stranger who does not speak HTTP."""
        if isinstance(exc, ClientConnectionResetError):
            raise exc  # whoever asked has gone, and aiohttp knows how to end that
        if status >= 500:
            return super().handle_error(request, status, exc, message)
        self._security.note("not a request", request.remote or "", status)
        response = web.Response(status=status, text="This is no request.\n", headers={"Server": _NAME})
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        log.error(args[0] % args[1:], **kw)


async def say_no_version(request: web.Request, response: web.StreamResponse) -> None:
    """Nobody needs to know what the server is made of."""
    response.headers["Server"] = _NAME


@web.middleware
async def headers_have_arrived(request: web.Request, handler: Any) -> web.StreamResponse:
    if isinstance(request.protocol, HttpGuard):
        request.protocol.headers_have_arrived()
    response: web.StreamResponse = await handler(request)
    return response


def allow_open_files(connections: int) -> None:
    """Many systems let a process have 1,024 files unless it asks for more, and a connection is one."""
    if sys.platform == "win32":
        return
    import resource

    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if most != resource.RLIM_INFINITY and most < wanted:
        log.warning("too few open files allowed for all connections", allowed=most, wanted=wanted)
        wanted = most
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
