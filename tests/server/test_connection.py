"""One connection: written by its own task, closed when it is too slow, gone when it does not answer."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode

from tablero_protocol.codec import CODECS, Frame
from tablero_protocol.codes import WHY_CLOSED, Close
from tablero_server import connection as connection_module
from tablero_server.connection import Connection, framed
from tablero_server.outbox import Outbox
from tests.server.wire import PATIENCE


class FakePeer:
    """Both ends of what a connection writes to; while `reading` is clear, the peer reads nothing."""

    def __init__(self) -> None:
        self.written: list[Frame] = []
        self.closed: list[tuple[int, bytes]] = []
        self.reading = asyncio.Event()
        self.reading.set()
        self.waiting = asyncio.Event()
        """Set when somebody waits for this peer to read."""
        self.aborted = False
        self._buffered = 0

    def stop_reading(self, buffered: int = 65_536) -> None:
        """`buffered` bytes are stuck on the way."""
        self.reading.clear()
        self._buffered = buffered

    # As much of a transport as is used

    def is_closing(self) -> bool:
        return self.aborted

    def write(self, frame: bytes) -> None:
        text, payload = frame[0] == 0x81, frame[2:]
        assert frame[1] == len(payload)
        self.written.append(payload.decode() if text else payload)

    def get_write_buffer_size(self) -> int:
        return 0 if self.reading.is_set() else self._buffered

    def abort(self) -> None:
        self.aborted = True
        self.reading.set()

    # As much of a WebSocketResponse as is used

    async def send_bytes(self, frame: Frame) -> None:
        self.written.append(frame)
        await self._drain()

    async def send_str(self, frame: Frame) -> None:
        assert isinstance(frame, str)
        await self.send_bytes(frame)

    async def close(self, *, code: int, message: bytes) -> None:
        await self._drain()
        self.closed.append((code, message))

    async def _drain(self) -> None:
        if not self.reading.is_set():
            self.waiting.set()
            await self.reading.wait()
            if self.aborted:
                raise ConnectionResetError


def connect(peer: FakePeer, subprotocol: str = "tablero.v1.msgpack", most: int = 9) -> Connection:
    both = cast(Any, peer)
    return Connection(1, "192.0.2.1", both, both, CODECS[subprotocol], Outbox(most, 1_000))


async def written(connection: Connection) -> None:
    async with asyncio.timeout(PATIENCE):
        await connection.written()


@pytest.mark.parametrize(
    ("subprotocol", "frames"), [("tablero.v1.msgpack", [b"a", b"b"]), ("tablero.v1.json", ["a", "b"])]
)
async def test_while_the_peer_reads_frames_are_written_at_once(subprotocol: str, frames: list[Frame]) -> None:
    peer = FakePeer()
    connection = connect(peer, subprotocol)
    for frame in frames:
        connection.send(frame)
    assert peer.written == frames
    connection.close(Close.RESTARTING)
    await written(connection)
    assert peer.closed == [(4000, WHY_CLOSED[Close.RESTARTING].encode())]


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_written_as_any_client_reads_it(size: int) -> None:
    for kind, message in ((Opcode.BINARY, b"a" * size), (Opcode.TEXT, "a" * size)):
        data = message if isinstance(message, bytes) else message.encode()
        assert framed(message) == WebSocketFrame(kind, data).serialize(mask=False)


async def test_to_a_line_that_is_gone_nothing_is_written() -> None:
    peer = FakePeer()
    connection = connect(peer)
    peer.abort()
    connection.send(b"too late")
    await connection.finished()
    assert peer.written == []


async def test_after_the_close_of_the_peer_nothing_is_written() -> None:
    peer = FakePeer()
    connection = connect(peer)
    await peer.close(code=1000, message=b"")
    connection.send(b"too late")
    await connection.finished()
    assert peer.written == []


async def test_frames_that_had_to_wait_keep_their_order_and_come_before_the_close() -> None:
    peer = FakePeer()
    connection = connect(peer)
    peer.stop_reading()
    for frame in (b"a", b"b", b"c"):
        connection.send(frame)
    await peer.waiting.wait()
    peer.reading.set()
    connection.send(b"d")
    connection.close(Close.RESTARTING)
    await written(connection)
    assert peer.written == [b"a", b"b", b"c", b"d"]
    assert [code for code, _ in peer.closed] == [4000]


async def test_a_frame_that_stops_the_flow_is_written_once() -> None:
    peer = FakePeer()
    connection = connect(peer)
    peer.stop_reading(buffered=0)
    connection.send(b"huge")
    peer.reading.set()
    connection.close(Close.RESTARTING)
    await written(connection)
    assert peer.written == [b"huge"]


async def test_a_peer_that_reads_too_slowly_is_closed_and_what_waited_is_dropped() -> None:
    peer = FakePeer()
    connection = connect(peer, most=2)
    peer.stop_reading()
    for frame in (b"a", b"b"):
        connection.send(frame)
    assert connection.closing is None
    connection.send(b"one too many")
    assert connection.closing is Close.TOO_SLOW
    peer.reading.set()
    await written(connection)
    assert (peer.written, [code for code, _ in peer.closed]) == ([], [4008])


async def test_nothing_is_sent_after_a_close_and_the_first_reason_holds() -> None:
    peer = FakePeer()
    connection = connect(peer)
    connection.close(Close.REPLACED)
    connection.close(Close.SILENT)
    connection.send(b"too late")
    await written(connection)
    assert (peer.written, [code for code, _ in peer.closed]) == ([], [4101])


async def test_a_peer_that_does_not_even_take_its_close_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "_CLOSING_SECONDS", 0.01)
    peer = FakePeer()
    connection = connect(peer)
    peer.stop_reading()
    connection.close(Close.SILENT)
    await written(connection)
    assert (peer.aborted, peer.closed) == (True, [])


async def test_when_reading_is_over_writing_ends_too() -> None:
    peer = FakePeer()
    connection = connect(peer)
    peer.stop_reading()
    connection.send(b"a")
    await peer.waiting.wait()
    async with asyncio.timeout(PATIENCE):
        await connection.finished()
    assert peer.closed == []


async def test_a_goodbye_is_still_written_when_reading_is_over() -> None:
    peer = FakePeer()
    connection = connect(peer)
    peer.stop_reading()
    connection.close(Close.REPLACED)
    finished = asyncio.create_task(connection.finished())
    await peer.waiting.wait()
    peer.reading.set()
    async with asyncio.timeout(PATIENCE):
        await finished
    assert [code for code, _ in peer.closed] == [4101]


async def test_a_line_that_breaks_while_it_is_written_ends_quietly() -> None:
    peer = FakePeer()
    connection = connect(peer)
    peer.stop_reading()
    connection.send(b"a")
    await peer.waiting.wait()
    peer.abort()
    await written(connection)


@pytest.mark.parametrize("why", list(Close))
def test_every_reason_fits_into_a_close_frame_whole(why: Close) -> None:
    assert len(WHY_CLOSED[why].encode()) <= 120
