"""Connections without a server: a listener, and transports that read nothing."""

from __future__ import annotations

import asyncio

from tablero_protocol.codec import CODECS, Frame
from tablero_server.wire.backlog import Backlog
from tablero_server.wire.connection import Connection, Outbox
from tablero_server.wire.framing import framed


class Heard:
    """A listener that notes the calls of a connection."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.pongs: list[int | None] = []
        self.something = asyncio.Event()
        self.lost = asyncio.Event()

    def message_received(self, connection: Connection, frame: Frame) -> None:
        self.frames.append(frame)
        self.something.set()

    def caught_up(self, connection: Connection) -> None:
        raise AssertionError("nothing was left out")

    def pong_received(self, connection: Connection, ms: int | None) -> None:
        self.pongs.append(ms)

    def gone(self, connection: Connection) -> None:
        self.lost.set()


class Deaf:
    """A transport for tests of reading: it keeps what is written, and nothing arrives."""

    def __init__(self) -> None:
        self.written = b""
        self.reading = True

    def set_write_buffer_limits(self, high: int) -> None: ...

    def set_protocol(self, protocol: asyncio.Protocol) -> None: ...

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        self.written += data

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.written += b"EOF"

    def abort(self) -> None: ...

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


def connect(
    listener: Heard,
    most: int = 9,
    subprotocol: str = "tablero.v1.msgpack",
    backlog: Backlog | None = None,
) -> Connection:
    outbox, backlog = Outbox(most, 100_000), backlog or Backlog()
    return Connection(1, "192.0.2.1", None, CODECS[subprotocol], listener, outbox, backlog)


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


SMALL_BUFFER = 4_096


async def fill(connection: Connection) -> None:
    """Writes more than the peer's kernel buffers while no one reads."""
    for _ in range(10):
        if not connection.reads_slowly:
            connection.send(framed(b"f" * 50_000))
    await turns(2)
    assert connection.reads_slowly
