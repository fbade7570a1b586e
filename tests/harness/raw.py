"""A WebSocket client that sends arbitrary bytes, which a real library would refuse to send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from struct import pack, unpack

from tests.harness.wire import PATIENCE, Listening

MASK = b"\x37\xfa\x21\x3d"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
UPGRADE = {
    "Host": "127.0.0.1",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "tablero.v1.json",
}


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    rsv: int = 0,
    mask: bytes | None = MASK,
    declared: int | None = None,
    longer: int = 0,
) -> bytes:
    """A frame; `declared` is a length that may be false, and `longer` writes the length with more bytes than
    needed.
    """
    size = len(payload) if declared is None else declared
    if size < 126 and not longer:
        length = bytes([size])
    elif size < 65_536 and longer < 2:
        length = b"\x7e" + pack("!H", size)
    else:
        length = b"\x7f" + pack("!Q", size)
    first = bytes([fin << 7 | rsv << 4 | opcode])
    if mask is None:
        return first + length + payload
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return first + bytes([length[0] | 0x80]) + length[1:] + mask + masked


def close(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, pack("!H", code) + reason)


def request(method: str = "GET", path: str = "/ws", body: bytes = b"", **headers: str | None) -> bytes:
    """An upgrade request with some headers changed, or left out if None."""
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in {**UPGRADE, **changed}.items() if value is not None]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + body


class Raw:
    """One TCP connection that sends and reads bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes, piece: int = 0) -> None:
        """Sends all at once, or in pieces of that many bytes, each in a separate packet."""
        with suppress(ConnectionError):
            for start in range(0, len(data), piece or len(data) or 1):
                if self.writer.is_closing():
                    return
                self.writer.write(data[start : start + piece] if piece else data)
                await self.writer.drain()
                await asyncio.sleep(0)  # lets the server, in the same loop, read the piece

    async def status(self) -> int:
        """The status of the next response, whose headers are skipped; 0 if the connection ends."""
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return 0
        return int(head.split()[1])

    async def upgrade(self) -> None:
        await self.send(request())
        assert await self.status() == 101

    async def hear(self, most: int = 1_000) -> list[str]:
        """Reads the server's frames, as one or two words each, until it hangs up or has sent `most`."""
        said: list[str] = []
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while len(said) < most:
                    said.append(await self._next())
        return said

    async def _next(self) -> str:
        first, size = await self.reader.readexactly(2)
        assert first & 0x70 == 0, "a reserved bit"
        assert first & 0x80, "the server fragments nothing"
        assert size & 0x80 == 0, "a server masks nothing"
        if size == 126:
            (size,) = unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = unpack("!Q", await self.reader.readexactly(8))
        payload = await self.reader.readexactly(size)
        match first & 15:
            case 1:
                message = json.loads(payload)
                return str(message.get("code", message["type"]))
            case 8:
                assert len(payload) <= 125
                return f"close {unpack('!H', payload[:2])[0]}" if payload else "close"
            case 9:
                return f"ping {payload.decode()}"
            case 10:
                return f"pong {payload.decode('latin-1')}".strip()
            case other:
                raise AssertionError(f"opcode {other}")


@asynccontextmanager
async def a_raw(server: Listening) -> AsyncIterator[Raw]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield Raw(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def answer(raw: Raw) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body, up to the end of the connection."""
    async with asyncio.timeout(PATIENCE):
        whole = await raw.reader.read()
    head, _, body = whole.partition(b"\r\n\r\n")
    first, *fields = head.decode().split("\r\n")
    return int(first.split()[1]), dict(field.split(": ", 1) for field in fields), body
