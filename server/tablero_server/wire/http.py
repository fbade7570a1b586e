"""Parses the head of an HTTP request, and builds refusals, as bytes, without sockets or clocks.

Law: a request has no body, except a record sent to BODY_PATH. It gets one answer, and then the connection
ends. So no second request can be hidden behind it, and only a client that waits for an answer keeps a
connection.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import formatdate
from http import HTTPStatus

from websockets import Headers, Subprotocol
from websockets.http11 import Request as Head
from websockets.http11 import Response
from websockets.server import ServerProtocol

from tablero_protocol.codec import SUBPROTOCOLS

MOST_BYTES = 16_384
"""The most bytes of a head: its request line and headers."""
BODY_PATH = "/api/replay"
MOST_BODY_BYTES = 262_144
EVERY_ANSWER = {
    "Server": "tablero",  # without a version, which would help attackers
    "X-Content-Type-Options": "nosniff",
    "Connection": "close",
}
"""The headers of every answer except that of a WebSocket handshake."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"}
"""Other methods open tunnels or other protocols. Methods that only read get an answer, even if it is 405."""
_TAKES_BODY = re.compile(rb"POST " + BODY_PATH.encode() + rb" HTTP/1\.[01]\r\n")
_BODY_BYTES = re.compile(rb"\r\nContent-Length:[ \t]*([0-9]{1,9})[ \t]*(?=\r\n)", re.IGNORECASE)
_QUIET = logging.getLogger("tablero.websocket")


@dataclass(frozen=True, slots=True)
class Rejection:
    """A refused connection, with a sentence for a person."""

    status: int
    sentence: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def serialize(self, *, with_body: bool = True) -> bytes:
        status, body = HTTPStatus(self.status), f"{self.sentence}\n".encode()
        headers = Headers(
            {
                **EVERY_ANSWER,
                "Date": formatdate(usegmt=True),
                "Content-Type": "text/plain; charset=utf-8",
                "Content-Length": str(len(body)),
                **self.headers,
            }
        )
        return Response(status.value, status.phrase, headers, body if with_body else b"").serialize()


NO_REQUEST = Rejection(
    400, "This is no request for this server: it takes HTTP/1.1 with one Host and no body."
)
BROKEN = Rejection(500, "Something went wrong here; the server's log says what.")


class Request:
    """A request that `websockets` has parsed, and whether it is a WebSocket handshake."""

    __slots__ = ("_head", "_protocol", "body_bytes", "headers", "method", "path")

    def __init__(self, protocol: ServerProtocol, head: Head, body_bytes: int) -> None:
        self._protocol = protocol
        self._head = head
        self.method = head.method
        self.path = head.path.partition("?")[0]
        self.headers = head.headers
        self.body_bytes = body_bytes
        """The length of the body."""

    def header(self, name: str) -> str:
        """The first value of a header; empty if it is missing."""
        return next(iter(self.headers.get_all(name)), "")

    def accept(self) -> Accepted | Rejection:
        """Accepts a handshake, or returns the reason why the request is not a handshake."""
        response = self._protocol.accept(self._head)
        if response.status_code != 101:
            headers = {"Sec-WebSocket-Version": "13", "Upgrade": "websocket"}
            if "Allow" in response.headers:
                headers["Allow"] = response.headers["Allow"]
            return Rejection(response.status_code, response.body.decode().rstrip("\n"), headers)
        response.headers["X-Content-Type-Options"] = "nosniff"
        return Accepted(response.serialize(), self._protocol.subprotocol)


@dataclass(frozen=True, slots=True)
class Accepted:
    response: bytes
    subprotocol: str | None


def looks_like_a_request(start: bytes) -> bool:
    """Whether bytes that start like this can be a request; TLS and WebSocket frames start differently."""
    return start[:1].isalpha() and start[:1].isascii()


def read(head: bytes) -> Request | None:
    """The request of a whole head, up to its empty line. None if it is invalid, or has a body where none is
    allowed.
    """
    if not head:
        return None
    head, body_bytes = _without_length(head)
    protocol = _Handshake(logger=_QUIET)
    protocol.receive_data(head)
    # an invalid head ends the events with an error, which is ignored here
    events = protocol.events_received()
    protocol.parser.close()  # other code reads the frames, and the parser refers back to the protocol
    protocol.handshake_exc = None
    request = events[0] if events else None
    if not isinstance(request, Head) or request.method not in _METHODS or not request.path.startswith("/"):
        return None
    if "Expect" in request.headers:  # such a client waits for an answer before it sends the body
        return None
    hosts = len(request.headers.get_all("Host"))
    if hosts > 1 or (not hosts and request.protocol != "HTTP/1.0"):
        return None
    return Request(protocol, request, body_bytes)


def _without_length(head: bytes) -> tuple[bytes, int]:
    """The head without its only Content-Length, and the length. A head with another form of body stays as it
    is.
    """
    if not _TAKES_BODY.match(head):
        return head, 0
    lengths = _BODY_BYTES.findall(head)
    return (_BODY_BYTES.sub(b"", head), int(lengths[0])) if len(lengths) == 1 else (head, 0)


class _Handshake(ServerProtocol):
    """A subclass, because a function passed to `websockets` would become a method with a reference cycle."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """The subprotocol that we prefer. With None, the connection ends with our own code, which lists our
        subprotocols.
        """
        return next((Subprotocol(ours) for ours in SUBPROTOCOLS if ours in subprotocols), None)
