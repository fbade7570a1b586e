"""From an HTTP request to a WebSocket: aiohttp has read it, and `websockets` says whether it is a handshake.

Law: once it is one, the connection is ours alone, and aiohttp keeps nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from aiohttp import web
from websockets import Headers, Subprotocol
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from tablero_protocol.codec import SUBPROTOCOLS

from .connection import Connection


@dataclass(frozen=True, slots=True)
class Accepted:
    request: web.Request
    response: Response
    subprotocol: str | None

    def hand_over(self, connection: Connection) -> bytes:
        """Answers, and lets `connection` have the socket; gives what has come right behind the request."""
        http, behind = self.request.protocol, _Behind()
        transport = http.transport
        assert transport is not None
        # As if this were aiohttp's own WebSocket: what came right behind the request is no request.
        http.set_parser(cast(Any, behind))
        http.transport = None
        http.connection_lost(None)
        connection.begin(cast(Any, transport))
        transport.write(self.response.serialize())
        return behind.data


def accept(request: web.Request) -> Accepted | web.Response:
    """How to go on with a handshake; or why it is none, for the client to read."""
    protocol = _Handshake()
    # In Latin-1, as `websockets` reads headers: there, every byte is something.
    headers = Headers(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in request.raw_headers
    )
    version = f"HTTP/{request.version.major}.{request.version.minor}"
    response = protocol.accept(Request(request.raw_path, headers, request.method, version))
    protocol.parser.close()  # frames are read elsewhere, and it leads back to the protocol
    if request.body_exists:
        response = protocol.reject(400, "A handshake has no body.\n")
    if response.status_code != 101:
        return web.Response(
            status=response.status_code,
            text=response.body.decode(),
            headers={"Sec-WebSocket-Version": "13", "Upgrade": "websocket"},
        )
    return Accepted(request, response, protocol.subprotocol)


class _Handshake(ServerProtocol):
    """A subclass, because a function handed to `websockets` becomes a method that leads back to it."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """The one that we like best; None ends the connection with a code of ours that says what to offer."""
        return next((Subprotocol(ours) for ours in SUBPROTOCOLS if ours in subprotocols), None)


class _Behind:
    """Takes what aiohttp has read beyond the request."""

    data = b""

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        self.data += data
        return False, b""

    def feed_eof(self) -> None:
        pass
