"""One WebSocket, written without waiting: at once while it flows, through a bounded outbox when it does not.

Law: no room ever waits for a socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from struct import Struct
from typing import Any

from aiohttp import web

from tablero_protocol.codec import Codec
from tablero_protocol.codes import WHY_CLOSED, Close

from .outbox import Frame, Outbox

_CLOSING_SECONDS = 2.0
_FLOWING_BYTES = 16_384
"""A transport that holds less than this takes a frame without making anybody wait."""
_TEXT, _BINARY = 0x81, 0x82
_HEADER, _HEADER_16, _HEADER_64 = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack


class Connection:
    def __init__(
        self,
        peer: int,
        address: str,
        socket: web.WebSocketResponse,
        transport: asyncio.WriteTransport,
        codec: Codec,
        outbox: Outbox,
    ) -> None:
        self.peer = peer
        self.address = address
        self.codec = codec
        self.bad_frames = 0
        self.heard = 0
        """The tick at which it last sent something."""
        self.closing: Close | None = None
        self._socket = socket
        self._transport = transport
        self._outbox = outbox
        self._send: Callable[[Any], Coroutine[Any, Any, None]] = (
            socket.send_bytes if codec.binary else socket.send_str
        )
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: Frame) -> None:
        """Writes or queues a frame; a peer that does not read is closed and may resume."""
        if self.closing is not None:
            return
        if not self._outbox.frames and self._transport.get_write_buffer_size() < _FLOWING_BYTES:
            if not (self._socket.closed or self._transport.is_closing()):
                self._transport.write(framed(frame))
        elif self._outbox.put(frame):
            self._wake.set()
        else:
            self._outbox.clear()
            self.close(Close.TOO_SLOW)

    def close(self, why: Close) -> None:
        """Closes it once what is queued has been written, or soon anyway."""
        if self.closing is None:
            self.closing = why
            self._wake.set()
            # Also for a peer that neither reads nor answers a close.
            asyncio.get_running_loop().call_later(_CLOSING_SECONDS, self._transport.abort)

    async def written(self) -> None:
        """Returns when a closing connection has written its last."""
        await asyncio.wait([self._writer])

    async def finished(self) -> None:
        """The reading side is over: only a goodbye may still have to be written."""
        if self.closing is None:
            self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        try:
            while True:
                while (frame := self._outbox.take()) is not None:
                    await self._send(frame)
                if self.closing is not None:
                    break
                self._wake.clear()
                await self._wake.wait()
            why = self.closing
            await self._socket.close(code=why, message=WHY_CLOSED[why].encode()[:120])
        except ConnectionError:
            pass


def framed(frame: Frame) -> bytes:
    """With the header of a WebSocket message that a server sends whole and uncompressed (RFC 6455, 5.2).

    aiohttp would add the same, in coroutines that cost as much as all the rest of sending a move.
    """
    if isinstance(frame, bytes):
        first, payload = _BINARY, frame
    else:
        first, payload = _TEXT, frame.encode()
    size = len(payload)
    if size < 126:
        return _HEADER(first, size) + payload
    if size < 65_536:
        return _HEADER_16(first, 126, size) + payload
    return _HEADER_64(first, 127, size) + payload
