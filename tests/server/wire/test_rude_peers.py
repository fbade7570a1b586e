"""One connection under those who mean ill: floods of odd frames, holds, lines that break."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Sequence
from typing import Any, cast

import pytest

from tablero_protocol.codes import Close
from tablero_server.app import Server
from tablero_server.core.effects import PeerId
from tablero_server.core.refusal import Message
from tablero_server.wire import connection as connection_module
from tablero_server.wire import framing
from tablero_server.wire import network as network_module
from tablero_server.wire.connection import Connection
from tablero_server.wire.network import Network
from tests.harness.connection import SMALL_BUFFER, Deaf, Heard, connect, fill, turns
from tests.harness.loops import on_each_loop
from tests.harness.raw import BINARY, CONTINUATION, PING, PONG, frame
from tests.harness.wire import PATIENCE, a_server, a_wire

# Floods

CHEAP_TO_SEND = {
    "pings": frame(PING),
    "pongs": frame(PONG),
    "endless fragments of nothing": frame(CONTINUATION, fin=False),
}


@pytest.mark.parametrize("odd", CHEAP_TO_SEND.values(), ids=CHEAP_TO_SEND.keys())
async def test_frames_that_carry_nothing_are_read_slowly(odd: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs more to read than a message, and no limit on messages counts it."""
    read = 0
    receive = framing.FullParser.recv_frame

    def count(rules: framing.FullParser, frame: Any) -> None:
        nonlocal read
        read += 1
        receive(rules, frame)

    monkeypatch.setattr(framing.FullParser, "recv_frame", count)
    connection = connect(Heard())
    connection.begin(cast(Any, Deaf()))
    connection.data_received(frame(BINARY, fin=False) + odd * 10_000)
    await turns(30)
    assert connection.open
    assert 0 < read < 300


async def test_who_is_held_is_not_heard_by_all_rules_either() -> None:
    class Firm(Heard):
        def message_received(self, connection: Connection, frame: Any) -> None:
            super().message_received(connection, frame)
            connection.pause_reading_for(0.2 if len(self.frames) == 1 else 0.001)

    listener, transport = Firm(), Deaf()
    connection = connect(listener)
    sent = [bytes([number]) for number in range(20)]
    connection.begin(cast(Any, transport))
    connection.data_received(frame(PING) + b"".join(frame(BINARY, payload) for payload in sent))
    await turns(20)
    assert len(listener.frames) <= 1
    async with asyncio.timeout(PATIENCE):
        while len(listener.frames) < len(sent):
            listener.something.clear()
            await listener.something.wait()
    assert listener.frames == sent


@pytest.mark.parametrize("odd_first", [False, True], ids=["at once", "after a ping of WebSocket's own"])
@pytest.mark.parametrize("kind", ["ping", "nonsense"])
async def test_a_flood_waits_at_its_source_and_costs_the_server_little(
    kind: str, odd_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = list[str]()
    deliver = Network.deliver

    def count(network: Network, messages: Sequence[tuple[PeerId, Message]]) -> None:
        refusals.extend(message["code"] for _, message in messages if message["type"] == "refused")
        deliver(network, messages)

    monkeypatch.setattr(Network, "deliver", count)
    async with a_server(messages_burst=5) as server, a_wire(server) as flood, a_wire(server) as other:
        await flood.hello("flo")
        await other.hello("ben")
        if odd_first:
            await (await flood.socket.ping())
        for _ in range(3_000):
            await flood.tell(kind)
        began = asyncio.get_running_loop().time()
        for _ in range(3):
            assert (await other.ask("ping"))["type"] == "pong"
        took = asyncio.get_running_loop().time() - began
    assert 0 < len(refusals) < 5 + took / network_module._SLOW_DOWN_SECONDS * 2 + 50


async def test_who_is_held_stays_held_when_it_reads_again() -> None:
    class Firm(Heard):
        def message_received(self, connection: Connection, frame: Any) -> None:
            super().message_received(connection, frame)
            connection.pause_reading_for(60)

    listener, transport = Firm(), Deaf()
    connection = connect(listener)
    connection.begin(cast(Any, transport))
    connection.data_received(frame(BINARY, b"a") + frame(BINARY, b"b"))
    connection.pause_writing()
    connection.resume_writing()
    assert listener.frames == [b"a"]
    assert not transport.reading


# Lines that break while closing


@on_each_loop
def test_the_cut_off_does_nothing_to_a_line_that_has_ended(
    loop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The peer says that it will send no more, and then reads to the end in time."""
    monkeypatch.setattr(connection_module, "_CLOSING_SECONDS", 0.05)
    went_wrong = list[Any]()

    async def test() -> None:
        running = asyncio.get_running_loop()
        running.set_exception_handler(lambda _, context: went_wrong.append(context))
        listener = Heard()
        connection = connect(listener)
        ours, peer = socket.socketpair()
        with peer:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL_BUFFER)
            peer.setblocking(False)
            transport, _ = await running.connect_accepted_socket(asyncio.Protocol, ours)
            connection.begin(transport)
            await fill(connection)
            connection.close(Close.SILENT)
            peer.shutdown(socket.SHUT_WR)
            await turns(5)
            async with asyncio.timeout(PATIENCE):
                while await running.sock_recv(peer, 65_536):
                    pass
                await listener.lost.wait()
            await asyncio.sleep(0.1)  # past the cut-off

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(test())
    assert went_wrong == []


async def test_a_peer_that_resets_within_a_close_breaks_nothing_else() -> None:
    """asyncio's `write_eof` raises when the reset comes right behind the close frame."""

    class Reset(Deaf):
        def write_eof(self) -> None:
            raise OSError(107, "Transport endpoint is not connected")

    connection = connect(Heard())
    connection.begin(cast(Any, Reset()))
    connection.close(Close.RESTARTING)  # called by whoever delivers to all; it must not end that
    assert not connection.open


@on_each_loop
def test_an_ended_connection_is_not_kept_by_its_timers(loop: Any) -> None:
    def alive(server: Server) -> int:
        gc.collect()
        return sum(
            isinstance(each, Connection) and each._listener is server.network for each in gc.get_objects()
        )

    async def test() -> None:
        async with a_server() as server:
            for _ in range(5):
                async with a_wire(server) as wire:
                    await wire.hello()
            async with asyncio.timeout(PATIENCE):
                while server.network._connections:
                    await turns(1)
            await turns(3)
            assert alive(server) <= 1  # the one that the last tick looked at

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(test())
