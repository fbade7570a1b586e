"""One TCP connection until it becomes a WebSocket, or gets its answer and ends.

Law: its time is bounded, whatever the client does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, cast

from .connection import Connection
from .endings import end_writing
from .http import MOST_BYTES, Rejection, looks_like_a_request

_ANSWER_SECONDS = 60.0
"""The seconds in which a page must be made and read."""
_TAKE_IT_SECONDS = 30.0
"""The seconds in which a client must read a refusal and close."""
_MOST_IGNORED = 65_536
"""The most bytes after a request before the connection is cut."""
_END = b"\r\n\r\n"


class HttpListener(Protocol):
    def arrived(self, connection: HttpConnection) -> None:
        """Called when a client has connected."""

    def asked(self, connection: HttpConnection, head: bytes) -> None:
        """Called with a whole head, or with b"" for bytes that can't become one. Must refuse the request or
        pass it on.
        """

    def handed_over(self, connection: HttpConnection) -> None:
        """Called when the connection has become a WebSocket and is no longer handled here."""

    def left(self, connection: HttpConnection) -> None:
        """Called when the connection has ended."""


class HttpConnection(asyncio.Protocol):
    __slots__ = (
        "_asked",
        "_body_left",
        "_cut",
        "_deadline",
        "_ignored",
        "_listener",
        "_page",
        "_read",
        "_refusal",
        "_refused",
        "_seconds",
        "_transport",
        "peer",
        "secure",
    )

    def __init__(self, listener: HttpListener, seconds: float) -> None:
        self._listener = listener
        self._seconds = seconds
        """The seconds in which the head must arrive."""
        self.peer: str | None = None
        """The address of the client; None if it has already left."""
        self.secure = False
        """Whether the client uses TLS to us."""
        self._cut: Callable[[], None] | None = None
        """A function that aborts the connection during the TLS handshake, when there is no transport."""
        self._refusal = b""
        """The refusal to send as soon as possible."""
        self._deadline: asyncio.TimerHandle | None = None
        self._read = b""
        self._asked = False
        self._refused = False
        self._page: asyncio.Protocol | None = None
        """The protocol that answers the request, once the request is known."""
        self._body_left = 0
        """The number of bytes of the body that the page still needs."""
        self._ignored = 0

    # Called by the transport

    def accepted(self, peer: str, cut: Callable[[], None]) -> None:
        """Called when a socket was accepted, before TLS; `connection_made` or `never_came` follows."""
        self.peer, self._cut = peer, cut
        self._listener.arrived(self)

    def never_came(self) -> None:
        self._stop_waiting()
        self._listener.left(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transports are not subclasses
        self.secure = transport.get_extra_info("sslcontext") is not None
        if self._cut is not None:
            self._cut = None
            if self._refused:
                self._say(self._refusal)
            else:
                self._end_after(self._seconds)
            return
        self._end_after(self._seconds)
        name = transport.get_extra_info("peername")
        self.peer = name[0] if name else None
        self._listener.arrived(self)

    def data_received(self, data: bytes) -> None:
        if self._body_left and not self._refused:
            data = self._pass_on(data)
        if self._asked or self._refused:
            self._ignored += len(data)
            if self._ignored > _MOST_IGNORED:
                self.abort()
            return
        self._read += data
        head, end, behind = self._read.partition(_END)
        if len(head) > MOST_BYTES or not looks_like_a_request(head):
            self._hear(b"", b"")
        elif end:
            self._hear(head + end, behind)

    def eof_received(self) -> bool:
        """Returns whether the connection stays open for the answer after the client has closed its side."""
        # with TLS, one side can't close alone
        return self._page is not None and not self._body_left and not self.secure

    def pause_writing(self) -> None:
        if self._page is not None:
            self._page.pause_writing()

    def resume_writing(self) -> None:
        if self._page is not None:
            self._page.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        self._stop_waiting()
        if self._page is not None:
            self._page.connection_lost(error)
            self._page = None
        self._listener.left(self)

    # Called by the listener

    def refuse(self, why: Rejection, *, with_body: bool = True, seconds: float = _TAKE_IT_SECONDS) -> None:
        """Sends a refusal, and closes the connection."""
        if self._refused or (self._cut is None and self._transport.is_closing()):
            return
        self._refused = True
        self._end_after(seconds)
        said = why.serialize(with_body=with_body)
        if self._cut is None:
            self._say(said)
        else:
            self._refusal = said

    def answer_by(self, page: asyncio.Protocol, head: bytes, body_bytes: int = 0) -> None:
        """Lets `page` read the request with its body, answer it and close the transport."""
        behind, self._page, self._read, self._body_left = self._read, page, b"", body_bytes
        self._end_after(_ANSWER_SECONDS)
        page.connection_made(self._transport)
        page.data_received(head)
        self._pass_on(behind)

    def hand_over(self, connection: Connection, response: bytes) -> bytes:
        """Gives the socket to `connection`. Returns the bytes that came after the request."""
        self._stop_waiting()
        self._listener.handed_over(self)
        connection.begin(self._transport)
        self._transport.write(response)
        return self._read

    def abort(self) -> None:
        """Disconnects without an answer."""
        if self._cut is None:
            self._transport.abort()
        else:
            self._cut()

    def _say(self, refusal: bytes) -> None:
        self._transport.write(refusal)
        if not self._transport.is_closing():
            end_writing(self._transport)  # closing now could discard bytes that the client has not read

    def _pass_on(self, data: bytes) -> bytes:
        """Passes the bytes of the body to the page. Returns the rest."""
        body = data[: self._body_left]
        self._body_left -= len(body)
        if body and self._page is not None:
            self._page.data_received(body)
        return data[len(body) :]

    def _hear(self, head: bytes, behind: bytes) -> None:
        self._asked, self._read = True, behind
        self._listener.asked(self, head)

    def _end_after(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = asyncio.get_running_loop().call_later(seconds, self.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
