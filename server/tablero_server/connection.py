"""One WebSocket: a bounded outbox with one task that writes it, so that no room ever waits for a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import web

from tablero_protocol.codec import Codec
from tablero_protocol.codes import WHY_CLOSED, Close

from .outbox import Outbox

_CLOSING_SECONDS = 2.0


class Connection:
    def __init__(
        self, peer: int, socket: web.WebSocketResponse, codec: Codec, outbox: Outbox, now: Callable[[], float]
    ) -> None:
        self.peer = peer
        self.codec = codec
        self.bad_frames = 0
        self.heard = now()
        self.closing: Close | None = None
        self._socket = socket
        self._outbox = outbox
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: bytes | str) -> None:
        """Queues a frame; a peer that does not read is closed and may resume."""
        if self.closing is not None:
            return
        if self._outbox.put(frame):
            self._wake.set()
        else:
            self._outbox.clear()
            self.close(Close.TOO_SLOW)

    def close(self, why: Close) -> None:
        """Closes it once what is queued has been written, or soon anyway."""
        if self.closing is None:
            self.closing = why
            self._wake.set()
            asyncio.get_running_loop().call_later(_CLOSING_SECONDS, self._writer.cancel)

    async def written(self) -> None:
        """Returns when a closing connection has written its last."""
        await asyncio.wait([self._writer])

    async def finished(self) -> None:
        """The reading side is over, so nothing need be written any more."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        socket = self._socket
        send = socket.send_bytes if self.codec.binary else socket.send_str
        try:
            while True:
                while (frame := self._outbox.take()) is not None:
                    await send(frame)  # type: ignore[arg-type]  # the codec makes what its subprotocol carries
                if self.closing is not None:
                    break
                self._wake.clear()
                await self._wake.wait()
            why = self.closing
            await socket.close(code=why, message=WHY_CLOSED[why].encode()[:120])
        except ConnectionError:
            pass
        finally:
            self._abort()

    def _abort(self) -> None:
        """Also for a peer that neither reads nor answers a close."""
        transport = self._socket._req.transport if self._socket._req is not None else None
        if transport is not None and self.closing is not None:
            transport.abort()
