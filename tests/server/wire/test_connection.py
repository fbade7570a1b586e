"""One connection: what it hears however the bytes come, what it writes, and how it ends; on a real socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from tablero_protocol.codec import Frame
from tablero_protocol.codes import WHY_CLOSED, Close
from tablero_server.wire import backlog as backlog_module
from tablero_server.wire import connection as connection_module
from tablero_server.wire.backlog import SECONDS_A_TURN, Backlog
from tablero_server.wire.connection import Connection, Outbox, Pinged
from tablero_server.wire.framing import BYTES_A_TURN, framed
from tests.harness.connection import SMALL_BUFFER, Deaf, Heard, connect, fill, turns
from tests.harness.raw import BINARY, PING, PONG, close, frame
from tests.harness.wire import PATIENCE

# What it hears


async def test_a_pong_tells_how_long_its_ping_took_and_no_other_does() -> None:
    listener, transport = Heard(), Deaf()
    connection = connect(listener)
    connection.begin(cast(Any, transport))
    now = asyncio.get_running_loop().time()
    connection.data_received(frame(PONG, b"by chance"))
    connection.ping(Pinged(b"by chance", now - 0.2))
    connection.ping(Pinged(b"too soon", now - 0.1))
    assert transport.written == b"\x89\x09by chance"
    for pong in (b"a guess", b"by chance", b"by chance"):
        connection.data_received(frame(PONG, pong))
        await turns(2)
    measured = [ms for ms in listener.pongs if ms is not None]
    assert len(listener.pongs) == 4
    assert len(measured) == 1
    assert 200 <= measured[0] < 5_000
    assert connection._framing.full is None, "and costs no parser"
    assert listener.frames == []


async def test_whoever_sends_many_pongs_is_not_read_for_a_while() -> None:
    listener, transport = Heard(), Deaf()
    connection = connect(listener)
    connection.begin(cast(Any, transport))
    connection.data_received(frame(PONG) * 50)
    assert not transport.reading


async def test_whoever_has_just_been_heard_waits_with_the_others_and_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    class Slow(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            nonlocal now
            now += 0.6 * SECONDS_A_TURN
            super().message_received(connection, frame)

    for name in ("perf_counter", "thread_time"):
        monkeypatch.setattr(connection_module, name, lambda: now)
    monkeypatch.setattr(connection_module, "_AHEAD_SECONDS", 0.0)
    monkeypatch.setattr(backlog_module, "perf_counter", lambda: now)
    backlog = Backlog()
    those = [Slow() for _ in range(20)]
    crowd = [connect(listener, backlog=backlog) for listener in those]
    for connection in crowd:
        connection.begin(cast(Any, Deaf()))
        connection.data_received(frame(BINARY, b"x"))
    for connection in crowd[10:]:
        connection.data_received(frame(BINARY, b"x") * 3)
    assert [len(listener.frames) for listener in those] == [1] * 20
    first = connect(other := Slow(), backlog=backlog)
    first.begin(cast(Any, Deaf()))
    first.data_received(frame(BINARY, b"x"))
    assert len(other.frames) == 1
    now += 0.001
    first.data_received(frame(BINARY, b"x"))
    assert len(other.frames) == 2, "ten times as long ago as it took"
    heard = []
    while sum(len(listener.frames) for listener in those) < 50:
        heard.append([len(listener.frames) for listener in those[10:]])
        await turns(1)
        assert sum(len(listener.frames) for listener in those) <= sum(heard[-1]) + 10 + 2
    assert len(heard) >= 15
    assert all(max(each) - min(each) <= 2 for each in heard), "one after the other"


async def test_a_few_dear_messages_wait_for_nobody_and_many_do(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class Dear(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            nonlocal now
            now += 0.0005
            super().message_received(connection, frame)

    for name in ("perf_counter", "thread_time"):
        monkeypatch.setattr(connection_module, name, lambda: now)
    connection = connect(listener := Dear())
    connection.begin(cast(Any, Deaf()))
    for sent in range(1, 6):
        connection.data_received(frame(BINARY, b"x"))
        assert len(listener.frames) == sent
    connection.data_received(frame(BINARY, b"x"))
    assert len(listener.frames) == 5
    await turns(1)
    assert len(listener.frames) == 6
    now = 0.031
    connection.data_received(frame(BINARY, b"x"))
    assert len(listener.frames) == 7, "it has rested long enough"


async def test_of_reads_in_a_row_only_the_first_and_a_long_one_ask_for_processor_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, used, asked = 0.0, 0.0, 0

    class HeldUp(Heard):
        def __init__(self, seconds: float, processor_seconds: float) -> None:
            super().__init__()
            self.seconds, self.processor_seconds = seconds, processor_seconds

        def message_received(self, connection: Connection, frame: Frame) -> None:
            nonlocal now, used
            now += self.seconds
            used += self.processor_seconds

    def thread_time() -> float:
        nonlocal asked
        asked += 1
        return used

    monkeypatch.setattr(connection_module, "perf_counter", lambda: now)
    monkeypatch.setattr(connection_module, "thread_time", thread_time)
    backlog = Backlog()

    def read(seconds: float, processor_seconds: float) -> float:
        """Reads a message that takes so long; the seconds for which its sender rests."""
        connection = connect(HeldUp(seconds, processor_seconds), backlog=backlog)
        connection.begin(cast(Any, Deaf()))
        connection.data_received(frame(BINARY, b"x"))
        return round(connection._rests_until - now, 6)

    assert [read(0.0001, 0.0001), read(0.0001, 0.0001), asked] == [0.001, 0.001, 1]
    assert [read(0.5, 0.0003), asked] == [0.003, 2], "the others' part of that time is not its fault"
    assert [read(0.0001, 0.0001), asked] == [0.001, 2]
    now += 0.001
    used += 0.001
    assert [read(0.5, 0.0003), asked] == [0.003, 4], "what was done in between is not its fault"


async def test_what_else_the_machine_does_makes_nobody_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class HeldUp(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            nonlocal now
            now += 1.0
            super().message_received(connection, frame)

    monkeypatch.setattr(connection_module, "perf_counter", lambda: now)
    connection = connect(listener := HeldUp())
    connection.begin(cast(Any, Deaf()))
    for sent in (1, 2, 3):
        connection.data_received(frame(BINARY, b"x"))
        assert len(listener.frames) == sent


async def test_a_newcomer_is_heard_with_the_others_who_wait() -> None:
    connection = connect(listener := Heard())
    connection.begin(cast(Any, Deaf()))
    connection.rest(60)
    connection.data_received(frame(BINARY, b"x"))
    assert listener.frames == []
    await turns(1)
    assert listener.frames == [b"x"]


async def test_whoever_was_sent_much_waits_with_the_others_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(connection_module, "perf_counter", lambda: seconds[0])
    for size, heard_at_once in ((4_096, 1), (4_097, 0)):
        connection = connect(listener := Heard())
        connection.begin(cast(Any, Deaf()))
        connection.send(bytes(size))
        connection.data_received(frame(BINARY, b"x"))
        assert len(listener.frames) == heard_at_once
        await turns(1)
        assert len(listener.frames) == 1
        seconds[0] += 0.11
        connection.data_received(frame(BINARY, b"x"))
        assert len(listener.frames) == 2


async def test_those_who_were_told_to_wait_come_back_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    class Slow(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            nonlocal now
            now += SECONDS_A_TURN
            super().message_received(connection, frame)

    monkeypatch.setattr(backlog_module, "perf_counter", lambda: now)
    backlog, those = Backlog(), [Slow() for _ in range(5)]
    for listener in those:
        connection = connect(listener, backlog=backlog)
        connection.begin(cast(Any, Deaf()))
        connection.pause_reading_for(0.001)
        connection.data_received(frame(BINARY, b"x"))
    loop, heard = asyncio.get_running_loop(), 0
    later = loop.time() + 1
    monkeypatch.setattr(loop, "time", lambda: later)
    while heard < 5:
        await turns(1)
        before, heard = heard, sum(len(listener.frames) for listener in those)
        assert heard - before <= 2


async def test_whoever_sends_much_is_heard_a_little_in_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "perf_counter", lambda: 0.0)
    listener, transport = Heard(), Deaf()
    connection = connect(listener)
    connection.begin(cast(Any, transport))
    connection.data_received(frame(BINARY, b"x") * 10_000)
    assert not transport.reading
    turns = 1
    most = len(listener.frames)
    while not transport.reading:
        before = len(listener.frames)
        await asyncio.sleep(0)
        most, turns = max(most, len(listener.frames) - before), turns + 1
    assert len(listener.frames) == 10_000
    assert most <= BYTES_A_TURN / 7 + 1 < 10_000 / (turns - 2)


async def test_whoever_asks_for_what_takes_long_lets_others_be_heard_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(connection_module, "perf_counter", lambda: seconds[0])
    heard: list[Frame] = []

    class Slow(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            heard.append(frame)
            seconds[0] += 0.6 * SECONDS_A_TURN

    for letter in b"ab":
        connection = connect(Slow())
        connection.begin(cast(Any, Deaf()))
        connection.data_received(b"".join(frame(BINARY, bytes([letter, digit])) for digit in b"12345"))
    assert heard == [b"a1", b"a2", b"b1", b"b2"]
    await turns(3)
    assert heard[4:] == [b"a3", b"a4", b"b3", b"b4", b"a5", b"b5"]


async def test_whoever_is_held_is_heard_again_later_with_nothing_lost() -> None:
    class Firm(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            super().message_received(connection, frame)
            connection.pause_reading_for(0.01)

    listener, transport = Firm(), Deaf()
    connection = connect(listener)
    connection.begin(cast(Any, transport))
    connection.data_received(frame(BINARY, b"a") + frame(BINARY, b"b") + frame(BINARY, b"c")[:-1])
    assert (listener.frames, transport.reading) == ([b"a"], False)
    connection.data_received(frame(BINARY, b"c")[-1:])
    await turns(20)
    assert listener.frames == [b"a"]
    async with asyncio.timeout(PATIENCE):
        while len(listener.frames) < 3:
            listener.something.clear()
            await listener.something.wait()
    assert listener.frames == [b"a", b"b", b"c"]


async def test_nothing_is_heard_behind_a_goodbye_of_ours() -> None:
    class Rude(Heard):
        def message_received(self, connection: Connection, frame: Frame) -> None:
            super().message_received(connection, frame)
            connection.close(Close.BAD_FRAMES)

    listener = Rude()
    connection = connect(listener)
    connection.begin(cast(Any, Deaf()))
    connection.data_received(frame(BINARY, b"a") + frame(BINARY, b"b"))
    connection.data_received(frame(BINARY, b"c"))
    assert listener.frames == [b"a"]


# What it writes


@asynccontextmanager
async def a_line(connection: Connection) -> AsyncIterator[socket.socket]:
    """`connection` at one end of a real socket, and the other end."""
    ours, theirs = socket.socketpair()
    with theirs:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL_BUFFER)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        for end in (ours, theirs):
            end.setblocking(False)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_accepted_socket(asyncio.Protocol, ours)
        connection.begin(transport)
        yield theirs
        transport.abort()


class Reader:
    """A client that knows all rules, at the other end of the line."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._protocol = ClientProtocol(parse_uri("ws://server/"), state=State.OPEN, max_size=None)
        self.heard: list[bytes] = []

    async def read(self, most: int = 1_000_000) -> None:
        """So many messages, or until the other side hangs up; a close is answered."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(PATIENCE):
            while len(self.heard) < most and (data := await loop.sock_recv(self._peer, 65_536)):
                self._protocol.receive_data(data)
                events = cast(list[WebSocketFrame], self._protocol.events_received())
                self.heard += [bytes(event.data) for event in events if event.opcode is not Opcode.CLOSE]
                for answer in self._protocol.data_to_send():
                    await loop.sock_sendall(self._peer, answer)

    @property
    def closed(self) -> tuple[int, str] | None:
        said = self._protocol.close_rcvd
        return None if said is None else (int(said.code), said.reason)


async def test_while_the_peer_reads_frames_are_written_at_once_and_then_why_it_ends() -> None:
    listener = Heard()
    connection = connect(listener)
    async with a_line(connection) as peer:
        reader = Reader(peer)
        connection.send(framed(b"a"))
        connection.send(framed("b"))
        assert connection._outbox.frames == []
        connection.close(Close.RESTARTING)
        await reader.read()
        assert reader.heard == [b"a", b"b"]
        assert reader.closed == (4000, WHY_CLOSED[Close.RESTARTING])
        await listener.lost.wait()


async def test_frames_that_had_to_wait_keep_their_order_and_come_before_the_close() -> None:
    connection = connect(Heard())
    async with a_line(connection) as peer:
        await fill(connection)
        for each in (b"a", b"b", b"c"):
            connection.send(framed(each))
        assert connection._outbox.frames == [framed(each) for each in (b"a", b"b", b"c")]
        connection.close(Close.RESTARTING)
        connection.send(b"too late")
        reader = Reader(peer)
        await reader.read()
        assert [each for each in reader.heard if each[:1] != b"f"] == [b"a", b"b", b"c"]
        assert reader.closed == (4000, WHY_CLOSED[Close.RESTARTING])


async def test_who_reads_again_is_written_to_at_once_again() -> None:
    connection = connect(Heard())
    async with a_line(connection) as peer:
        await fill(connection)
        connection.send(framed(b"a"))
        reader = Reader(peer)
        while reader.heard[-1:] != [b"a"]:
            await reader.read(len(reader.heard) + 1)
        connection.send(framed(b"b"))
        assert connection._outbox.frames == []


async def test_a_peer_that_reads_too_slowly_is_closed_and_what_waited_is_dropped() -> None:
    connection = connect(Heard(), most=2)
    async with a_line(connection) as peer:
        await fill(connection)
        for each in (b"a", b"b"):
            connection.send(framed(each))
        assert connection.open
        connection.send(b"one too many")
        assert (connection.open, connection.closing) == (False, Close.TOO_SLOW)
        reader = Reader(peer)
        await reader.read()
        assert b"a" not in reader.heard
        assert reader.closed == (4008, WHY_CLOSED[Close.TOO_SLOW])


async def test_who_does_not_read_is_not_read_either_until_it_does() -> None:
    listener = Heard()
    connection = connect(listener)
    async with a_line(connection) as peer:
        await fill(connection)
        await asyncio.get_running_loop().sock_sendall(peer, frame(BINARY, b"an order"))
        await turns(20)
        assert listener.frames == []
        reading = asyncio.create_task(Reader(peer).read())
        async with asyncio.timeout(PATIENCE):
            await listener.something.wait()
        assert listener.frames == [b"an order"]
        reading.cancel()


async def test_the_first_reason_holds() -> None:
    connection = connect(Heard())
    async with a_line(connection) as peer:
        connection.close(Close.REPLACED)
        connection.close(Close.SILENT)
        reader = Reader(peer)
        await reader.read()
        assert reader.closed == (4101, WHY_CLOSED[Close.REPLACED])


@pytest.mark.parametrize("full", [True, False], ids=["does not read", "does not answer"])
async def test_a_peer_that_does_not_take_its_close_is_cut_off(
    full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "_CLOSING_SECONDS", 0.01)
    listener = Heard()
    connection = connect(listener)
    async with a_line(connection):
        if full:
            await fill(connection)
        connection.close(Close.SILENT)
        async with asyncio.timeout(PATIENCE):
            await listener.lost.wait()


async def test_to_a_line_that_is_gone_nothing_is_written() -> None:
    listener = Heard()
    connection = connect(listener)
    async with a_line(connection) as peer:
        peer.close()
        async with asyncio.timeout(PATIENCE):
            await listener.lost.wait()
        connection.send(b"too late")
        connection.close(Close.SILENT)
        assert not connection.open
        assert connection.closing is None


async def test_a_goodbye_of_the_peer_is_answered_and_nothing_is_sent_after_it() -> None:
    listener = Heard()
    connection = connect(listener)
    async with a_line(connection) as peer:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(peer, frame(BINARY, b"a") + close(1001))
        async with asyncio.timeout(PATIENCE):
            assert await loop.sock_recv(peer, 99) == b"\x88\x02\x03\xe9"
        connection.send(b"too late")
        assert await loop.sock_recv(peer, 99) == b""
        peer.close()
        await listener.lost.wait()
        assert (listener.frames, connection.closing) == ([b"a"], None)


async def test_pings_of_one_who_does_not_read_pile_up_nothing() -> None:
    listener = Heard()
    connection = connect(listener)
    async with a_line(connection) as peer:
        sending = asyncio.create_task(
            asyncio.get_running_loop().sock_sendall(peer, frame(PING, b"x" * 125) * 20_000)
        )
        await turns(1_000)
        assert connection._transport.get_write_buffer_size() < 32_768
        assert not sending.done()
        sending.cancel()


@pytest.mark.parametrize("why", list(Close))
def test_every_reason_fits_into_a_close_frame_whole(why: Close) -> None:
    assert len(WHY_CLOSED[why].encode()) <= 120


# The outbox by itself


def test_frames_come_out_of_an_outbox_in_order() -> None:
    outbox = Outbox(4, 100)
    assert all(outbox.put(frame) for frame in (b"a", b"b", b"c"))
    assert [outbox.take() for _ in range(4)] == [b"a", b"b", b"c", None]


def test_an_outbox_is_bounded_by_number() -> None:
    outbox = Outbox(2, 100)
    assert [outbox.put(b"x") for _ in range(3)] == [True, True, False]
    outbox.take()
    assert outbox.put(b"y")
    assert [outbox.take() for _ in range(3)] == [b"x", b"y", None], "the refused one is not in it"


def test_an_outbox_is_bounded_by_bytes() -> None:
    outbox = Outbox(9, 10)
    assert outbox.put(b"x" * 6)
    assert not outbox.put(b"x" * 5)
    assert outbox.put(b"x" * 4)
    outbox.take()
    assert outbox.put(b"x" * 6)


def test_a_cleared_outbox_is_empty_and_has_room() -> None:
    outbox = Outbox(1, 10)
    outbox.put(b"x" * 10)
    outbox.clear()
    assert outbox.take() is None
    assert outbox.put(b"x" * 10)
