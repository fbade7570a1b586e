"""One TCP connection until it is a WebSocket, or has its answer and ends.

Law: it lasts a bounded time whatever the other side does, and what that side does not read waits in pieces.
"""

from __future__ import annotations

import asyncio
from typing import Protocol, cast

from .connection import Connection
from .http import MOST_BYTES, Answer, looks_like_a_request

_WORK_SECONDS = 30.0
"""How long an answer may take to come about."""
_TAKE_IT_SECONDS = 30.0
"""How long somebody may take to read an answer and to hang up."""
_PIECE_BYTES = 65_536
"""What a transport is given of an answer at a time."""
_MOST_IGNORED = 65_536
"""Bytes that may come behind a request before the connection is cut."""
_END = b"\r\n\r\n"


class HttpListener(Protocol):
    def arrived(self, connection: HttpConnection) -> None:
        """Somebody has connected."""

    def asked(self, connection: HttpConnection, head: bytes) -> None:
        """A whole head has come, or b"" for what cannot become one: answer `connection`, or hand it over."""

    def handed_over(self, connection: HttpConnection) -> None:
        """It is a WebSocket from now on; nothing more is heard of it here."""

    def left(self, connection: HttpConnection) -> None:
        """It has ended."""


class HttpConnection(asyncio.Protocol):
    __slots__ = (
        "_answered",
        "_asked",
        "_deadline",
        "_ignored",
        "_listener",
        "_paused",
        "_peer_finished",
        "_read",
        "_seconds",
        "_transport",
        "_unsent",
        "peer",
        "work",
    )

    def __init__(self, listener: HttpListener, seconds: float) -> None:
        self._listener = listener
        self._seconds = seconds
        """How long its head may take."""
        self.peer: str | None = None
        """The address of the socket; None if it has gone already."""
        self.work: asyncio.Task[None] | None = None
        """What its answer waits for; ends with it."""
        self._deadline: asyncio.TimerHandle | None = None
        self._read = b""
        self._asked = False
        self._answered = False
        self._ignored = 0
        self._unsent = memoryview(b"")
        self._paused = False
        self._peer_finished = False

    # What the transport tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are not subclasses
        self._end_after(self._seconds)
        name = transport.get_extra_info("peername")
        self.peer = name[0] if name else None
        self._listener.arrived(self)

    def data_received(self, data: bytes) -> None:
        if self._asked or self._answered:
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
        """Whoever has asked, and says no more, still gets the answer."""
        self._peer_finished = True
        return self._asked and not self._is_sent()

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._send_on()

    def connection_lost(self, error: Exception | None) -> None:
        self._stop_waiting()
        if self.work is not None:
            self.work.cancel()
        self._listener.left(self)

    # What the listener says

    def answer(self, answer: Answer, *, with_body: bool = True, seconds: float | None = None) -> None:
        """Sends it, and ends."""
        if self._answered or self._transport.is_closing():
            return
        self._answered = True
        self._end_after(_TAKE_IT_SECONDS if seconds is None else seconds)
        self._transport.write(answer.head())
        self._unsent = memoryview(answer.body if with_body else b"")
        self._send_on()

    def hand_over(self, connection: Connection, response: bytes) -> bytes:
        """Lets `connection` have the socket; gives what has come right behind the request."""
        self._stop_waiting()
        self._listener.handed_over(self)
        connection.begin(self._transport)
        self._transport.write(response)
        return self._read

    def abort(self) -> None:
        """Hangs up without a word."""
        self._transport.abort()

    def _hear(self, head: bytes, behind: bytes) -> None:
        self._asked, self._read = True, behind
        self._end_after(_WORK_SECONDS)
        self._listener.asked(self, head)

    def _send_on(self) -> None:
        while not self._paused and self._unsent and not self._transport.is_closing():
            piece, self._unsent = self._unsent[:_PIECE_BYTES], self._unsent[_PIECE_BYTES:]
            self._transport.write(piece)
        if self._is_sent() and not self._transport.is_closing():
            if self._peer_finished:
                self._transport.close()
            else:  # closing now could destroy what the peer has not read
                self._transport.write_eof()

    def _is_sent(self) -> bool:
        return self._answered and not self._unsent

    def _end_after(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = asyncio.get_running_loop().call_later(seconds, self._transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
