"""A listener for the host, at an address or at a socket that only the user who runs the server can open.

Law: the host can always connect, however many connections strangers hold.
"""

from __future__ import annotations

import asyncio
import socket
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Middleware

from ..wire.descriptors import MOST_OF_THE_HOST
from ..wire.http import NO_REQUEST
from ..wire.http_connection import HttpConnection

_STOP_SECONDS = 1.0
_MOST_BODY_BYTES = 65_536
_HEAD_SECONDS = 5.0
"""The time in which a request must send its head."""
_PRIVATE = 0o600


class HostListener:
    def __init__(self, routes: Iterable[web.AbstractRouteDef], middlewares: Iterable[Middleware]) -> None:
        application = web.Application(middlewares=middlewares, client_max_size=_MOST_BODY_BYTES)
        application.add_routes(routes)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=_STOP_SECONDS)
        self._listening: asyncio.Server | None = None
        self._place: Path | None = None
        self._connections: dict[HttpConnection, None] = {}
        """The open connections, oldest first."""

    async def open_address(self, host: str, port: int) -> int:
        """Listens at an address. Returns the port. Raises OSError."""
        if self._runner.server is None:
            await self._runner.setup()
        self._listening = await asyncio.get_running_loop().create_server(
            self._connection, host, port, backlog=MOST_OF_THE_HOST
        )
        got: int = self._listening.sockets[0].getsockname()[1]
        return got

    async def open_socket(self, place: Path) -> None:
        """Listens at a Unix socket. Raises OSError."""
        await self._runner.setup()
        listening = _bound(place)
        self._listening = await asyncio.get_running_loop().create_unix_server(
            self._connection, sock=listening, backlog=MOST_OF_THE_HOST
        )
        self._place = place

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.close()
        if self._place is not None:
            _remove(self._place)
        await self._runner.cleanup()  # requests that were received get their answers first
        for connection in list(self._connections):
            connection.abort()

    def _connection(self) -> HttpConnection:
        return HttpConnection(self, _HEAD_SECONDS)

    # Called by connections

    def arrived(self, connection: HttpConnection) -> None:
        """Counts the connection, and closes the oldest if there are too many."""
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
        # one byte too many makes the page refuse the request
        body_bytes = _MOST_BODY_BYTES + 1 if head.startswith(b"POST ") else 0
        connection.answer_by(self._runner.server(), head, body_bytes)

    def handed_over(self, connection: HttpConnection) -> None:
        """Never called: there are no WebSockets here."""

    def left(self, connection: HttpConnection) -> None:
        self._connections.pop(connection, None)


def _bound(place: Path) -> socket.socket:
    """A bound socket at `place` that other users cannot open. Raises OSError."""
    bound = socket.socket(socket.AF_UNIX)
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear(place)
        bound.bind(str(place))
        place.chmod(_PRIVATE)  # nobody can connect before the socket listens
    except OSError:
        bound.close()
        raise
    return bound


def _clear(place: Path) -> None:
    """Removes a socket that a killed server left behind. Raises OSError for anything else."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(place.lstat().st_mode):
            raise FileExistsError(f"{place} is there and no socket")
        with socket.socket(socket.AF_UNIX) as other:
            try:
                other.connect(str(place))
            except ConnectionRefusedError:
                place.unlink()
            else:
                raise FileExistsError("another server listens there")


def _remove(place: Path) -> None:
    place.unlink(missing_ok=True)
