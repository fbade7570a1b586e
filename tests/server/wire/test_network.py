"""The server's sockets: who may connect, what a frame may be, who is closed and why, and how it all ends."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tablero_protocol.codec import CODECS, Codec, Frame
from tablero_server.app import Server
from tablero_server.core.effects import Effects
from tablero_server.wire import connection as connection_module
from tablero_server.wire import network as network_module
from tablero_server.wire.connection import Connection
from tablero_server.wire.framing import framed
from tests.harness.journals import BrokenJournal, FullDisk, WaitingJournal
from tests.harness.wire import PATIENCE, Wire, a_server, a_table, a_wire

# The subprotocol


@pytest.mark.parametrize("offered", [(), ("tablero.v2.msgpack",)], ids=["none", "unknown"])
async def test_a_connection_without_a_subprotocol_of_ours_is_closed(offered: tuple[str, ...]) -> None:
    async with a_server() as server, a_wire(server, offered=offered) as wire:
        assert await wire.closed() == 4104


@pytest.mark.parametrize("subprotocol", CODECS)
async def test_each_subprotocol_carries_the_same_messages(subprotocol: str) -> None:
    async with a_server() as server, a_wire(server, subprotocol) as wire:
        assert wire.socket.subprotocol == subprotocol
        assert (await wire.hello())["player"]["name"] == "ana"
        assert (await wire.ask("ping"))["type"] == "pong"


async def test_msgpack_is_preferred_where_both_are_offered() -> None:
    async with a_server() as server, a_wire(server, offered=tuple(reversed(list(CODECS)))) as wire:
        assert wire.socket.subprotocol == "tablero.v1.msgpack"


async def test_compression_is_not_negotiated() -> None:
    async with a_server() as server, a_wire(server, compression="deflate") as wire:
        assert wire.socket.response is not None
        assert "Sec-WebSocket-Extensions" not in wire.socket.response.headers


# Frames


def ping_of(size: int) -> str:
    """A ping in JSON, padded with space to so many bytes."""
    return json.dumps({"type": "ping", "id": "p1"}).ljust(size)


async def test_a_frame_of_4096_bytes_is_read() -> None:
    async with a_server() as server, a_wire(server, "tablero.v1.json") as wire:
        await wire.hello()
        await wire.send(ping_of(4096))
        assert (await wire.hear())["re"] == "p1"


@pytest.mark.parametrize(
    "frame",
    [ping_of(4097), [ping_of(2000), " " * 2000, " " * 97], ping_of(100_000)],
    ids=["one byte more", "in fragments", "far too large"],
)
async def test_a_larger_frame_ends_the_connection(frame: str | list[str]) -> None:
    async with a_server() as server, a_wire(server, "tablero.v1.json") as wire:
        await wire.hello()
        await wire.socket.send(frame)
        assert await wire.closed() == 1009


UNREADABLE = {
    "broken": ("tablero.v1.msgpack", b"\xc1"),
    "cut off": ("tablero.v1.msgpack", b"\x82\xa4type"),
    "a list": ("tablero.v1.msgpack", b"\x90"),
    "text": ("tablero.v1.msgpack", '{"type": "ping", "id": "p1"}'),
    "broken JSON": ("tablero.v1.json", "{"),
    "binary JSON": ("tablero.v1.json", b"{}"),
}


@pytest.mark.parametrize(("subprotocol", "frame"), UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_an_unreadable_frame_is_refused_and_the_connection_goes_on(
    subprotocol: str, frame: str | bytes
) -> None:
    async with a_server() as server, a_wire(server, subprotocol) as wire:
        await wire.hello()
        await wire.send(frame)
        refused = await wire.hear()
        assert (refused["type"], refused["code"]) == ("refused", "badFrame")
        assert "re" not in refused
        assert (await wire.ask("ping"))["type"] == "pong"


async def test_many_unreadable_frames_end_the_connection_after_their_refusals() -> None:
    async with a_server() as server, a_wire(server) as wire:
        await wire.hello()
        for _ in range(20):
            await wire.send(b"\xc1")
        assert await wire.closed() == 4103
        assert [message["type"] for message in wire.heard[1:]] == ["refused"] * 8


async def test_messages_that_are_wrong_but_readable_are_refused_for_ever() -> None:
    async with a_server() as server, a_wire(server) as wire:
        await wire.hello()
        codes = [(await wire.ask("dance"))["code"] for _ in range(20)]
        assert set(codes) == {"unknownType"}


# Being there


async def test_who_does_not_say_hello_is_closed() -> None:
    async with a_server(hello_seconds=0.05) as server, a_wire(server) as wire:
        assert await wire.closed() == 4001


async def test_who_has_said_hello_may_stay() -> None:
    async with a_server(hello_seconds=0.05) as server, a_wire(server) as polite:
        await polite.hello()
        async with a_wire(server) as rude:
            assert await rude.closed() == 4001
        assert (await polite.ask("ping"))["type"] == "pong"


async def test_a_silent_connection_is_closed_and_one_that_pings_is_not() -> None:
    async with a_server(silence_seconds=0.3) as server, a_wire(server) as silent, a_wire(server) as wire:
        await silent.hello("sam")
        await wire.hello("ana")
        closed = asyncio.create_task(silent.closed())
        while not closed.done():
            assert (await wire.ask("ping"))["type"] == "pong"
        assert closed.result() == 4002


async def test_a_lost_line_at_a_running_clock_is_told_at_once_and_so_is_its_return(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network_module, "_LOST", 5)
    monkeypatch.setattr(network_module, "_MEASURED_EVERY", 1)
    async with a_server() as server, a_table(server, clock={"base": 60}) as (ana, ben, room):
        for wire in (ana, ben):
            await wire.ask("subscribe", room=room, event="members")
        ben.socket.transport.pause_reading()  # so that no ping of the server arrives
        away = await ana.hear()
        assert (away["type"], away["player"]["name"], away.get("claim")) == ("away", "ben", None)
        ben.socket.transport.resume_reading()
        assert (await ana.hear())["type"] == "back"


async def test_whoever_says_nothing_is_heard_by_its_pongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_module, "_QUIET", 1)
    monkeypatch.setattr(network_module, "_MEASURED_EVERY", 1)
    async with a_server(silence_seconds=0.3) as server, a_wire(server) as tab, a_wire(server) as wire:
        await tab.hello("tab")
        await wire.hello("ana")
        while server.network._ticks < 9:
            await wire.ask("ping")
        assert (await tab.ask("ping"))["type"] == "pong"


async def test_only_who_plays_by_a_clock_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_module, "_MEASURED_EVERY", 1)
    async with (
        a_server() as server,
        a_table(server, clock={"base": 60}) as (_, _, _),
        a_wire(server) as eve,
    ):
        await eve.hello("eve")
        sessions = server.service.hub.accounts.sessions.values()
        while sum(bool(session.round_trips) for session in sessions) < 2:
            await eve.ask("ping")
        assert {session.account.name for session in sessions if session.round_trips} == {"ana", "ben"}


async def test_a_newer_connection_of_a_session_replaces_the_older() -> None:
    async with a_server() as server, a_wire(server) as older, a_wire(server) as newer:
        welcome = await older.hello()
        await newer.hello(token=welcome["token"], session=welcome["session"])
        assert await older.closed() == 4101
        assert (await newer.ask("ping"))["type"] == "pong"


async def test_another_protocol_version_is_refused_and_closed() -> None:
    async with a_server() as server, a_wire(server) as wire:
        refused = await wire.ask("hello", protocol=2, client="test")
        assert refused["code"] == "wrongProtocol"
        assert await wire.closed() == 4102


# Who may connect

ORIGINS = {
    "no browser": (None, True),
    "our own page": ("http://127.0.0.1:{port}", True),
    "our own page behind a proxy with TLS": ("https://127.0.0.1:{port}", True),
    "a page that the host allows": ("https://friend.example", True),
    "somebody else's page": ("https://evil.example", False),
    "a file or a sandbox": ("null", False),
    "one that begins like ours": ("http://127.0.0.1:{port}.evil.example", False),
    "one that begins like an allowed one": ("https://friend.example.evil.example", False),
    "one that ends like an allowed one": ("https://not-friend.example", False),
    "the allowed one without TLS": ("http://friend.example", False),
    "the allowed one on another port": ("https://friend.example:8443", False),
    "ours on another port": ("http://127.0.0.1:1", False),
    "an empty one": ("", False),
}


@pytest.mark.parametrize(("origin", "welcome"), ORIGINS.values(), ids=ORIGINS.keys())
async def test_only_pages_of_this_server_and_allowed_ones_may_connect(
    origin: str | None, welcome: bool
) -> None:
    async with a_server(origins="https://other.example,https://friend.example") as server:
        origin = origin.format(port=server.port) if origin is not None else None
        if welcome:
            async with a_wire(server, origin=origin) as wire:
                await wire.hello()
        else:
            with pytest.raises(InvalidStatus) as refused:
                await a_wire(server, origin=origin).__aenter__()
            assert refused.value.response.status_code == 403


async def test_beyond_the_most_connections_the_door_is_closed_for_a_while() -> None:
    async with a_server(connections=2) as server, a_wire(server) as first, a_wire(server):
        with pytest.raises(InvalidStatus) as refused:
            await a_wire(server).__aenter__()
        assert refused.value.response.status_code == 503
        assert refused.value.response.headers["Retry-After"] == "10"
        await first.hello()


# Slow readers


def flood(server: Server, peer: int, bytes_each: int, times: int) -> None:
    """Sends a peer as much as a hub could in a bad moment."""
    for _ in range(times):
        effects = Effects()
        effects.send(peer, {"type": "weather", "sky": "x" * bytes_each})
        server.service._committer.submit(effects)


async def test_two_messages_that_alternate_between_peers_are_encoded_and_framed_once_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_server() as server, a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        codec, encoded = CODECS["tablero.v1.msgpack"], []

        class Counting:
            subprotocol = codec.subprotocol

            def pack(self, message: dict[str, Any]) -> Frame:
                encoded.append(message)
                return codec.pack(message)

        made: list[bytes] = []

        def counting(frame: Frame) -> bytes:
            made.append(framed(frame))
            return made[-1]

        monkeypatch.setattr(network_module, "framed", counting)
        peers = list(server.network._connections)
        for connection in server.network._connections.values():
            connection.codec = cast("Codec", Counting())
        one, two = ({"type": "seq", "room": "r1", "seq": number} for number in (1, 2))
        server.network.deliver([(peer, each) for peer in peers for each in (one, two)])
        assert (encoded, len(made)) == ([one, two], 2)
        assert [await wire.hear() for wire in (ana, ben) for _ in range(2)] == [one, two, one, two]


async def test_many_hear_of_the_lobby_one_after_the_other_and_each_in_order() -> None:
    async with a_server() as server, a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        first, second = server.network._connections
        changed = [{"type": "lobbyChanged", "rooms": [], "players": [], "gone": [id]} for id in "ab"]
        said = {"type": "seq", "room": "r1", "seq": 1}
        for each in changed:
            server.network.deliver([(peer, each) for peer in (first, second, 99)])
        server.network.deliver([(first, said)])
        assert [*server.network._news] == [second], "who is not told anything else can wait"
        assert [await ana.hear() for _ in range(3)] == [*changed, said]
        assert [await ben.hear() for _ in range(2)] == changed
        assert server.network._news == {}


async def test_whoever_has_gone_is_not_told_of_the_lobby() -> None:
    async with a_server() as server, a_wire(server) as ana:
        await ana.hello("ana")
        [peer] = server.network._connections
        changed: dict[str, Any] = {"type": "lobbyChanged", "rooms": [], "players": [], "gone": ["a"]}
        server.network.deliver([(peer, changed)])
        server.network._connections[peer].abort()
        for _ in range(100):
            await asyncio.sleep(0)
        assert [*server.network._news, *server.network._connections] == []


async def not_reading(server: Server, wire: Wire) -> int:
    """Lets a connection stop reading; gives its number."""
    await wire.hello("slow")
    wire.socket.transport.pause_reading()
    return next(reversed(server.network._connections))


async def test_a_peer_that_never_reads_is_closed_in_bounded_memory_while_the_others_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_module, "_CLOSING_SECONDS", 0.2)
    async with a_server() as server, a_table(server) as (ana, ben, room), a_wire(server) as slow:
        peer = await not_reading(server, slow)
        connection = server.network._connections[peer]
        most = 0
        for ply, move in enumerate(["a1", "a2", "b1", "b2", "c1"]):
            flood(server, peer, bytes_each=60_000, times=100)
            player = (ana, ben)[ply % 2]
            answer = await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            assert (answer["type"], answer["ply"]) == ("nextPlayer", ply + 1)
            most = max(most, connection._transport.get_write_buffer_size() + connection._outbox.size)
        assert connection.closing == 4008
        assert most <= 262_144 + 2 * 65_536
        slow.socket.transport.resume_reading()
        assert await slow.closed() in (4008, 1006)
        while len(server.network._connections) > 2:
            await ana.ask("ping")


async def test_a_slow_peer_that_reads_again_hears_why_it_was_closed_and_had_no_more_say() -> None:
    async with a_server() as server, a_wire(server) as slow:
        peer = await not_reading(server, slow)
        flood(server, peer, bytes_each=60_000, times=300)
        await server.service._committer.settled()
        assert server.network._connections[peer].closing == 4008
        await slow.tell("createRoom", game="tic-tac-toe")
        async with a_wire(server) as other:
            await other.hello()  # by now the server has read what the slow one said
        slow.socket.transport.resume_reading()
        assert await slow.closed() == 4008
        assert server.service.hub.rooms.open == {}


async def slowly(server: Server, wire: Wire, *messages: tuple[str, dict[str, Any]]) -> Connection:
    """Its connection, once it has asked this, reads no more and has much on its way already."""
    await wire.hello("slow")
    for type, fields in messages:
        assert (await wire.ask(type, **fields))["type"] != "refused"
    wire.socket.transport.pause_reading()
    connection = server.network._connections[next(reversed(server.network._connections))]
    # So much that no room which the system makes for it later lets the server go on.
    connection._transport.set_write_buffer_limits(high=2_000_000, low=16_000)
    while not connection.reads_slowly:
        flood(server, connection.peer, bytes_each=60_000, times=1)
        await server.service._committer.settled()
    return connection


async def test_a_watcher_who_reads_slowly_gets_the_newest_position_in_place_of_all_before() -> None:
    async with (
        a_server(outbox_messages=2) as server,
        a_table(server) as (ana, ben, room),
        a_wire(server) as slow,
    ):
        connection = await slowly(server, slow, ("join", {"room": room, "subscribe": ["nextPlayer"]}))
        for ply, move in enumerate(["a1", "a2", "b1", "b2"]):
            await (ana, ben)[ply % 2].ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            await ana.ask("say", room=room, text="hm")
        assert (connection.closing, connection._outbox.frames) == (None, [])
        slow.socket.transport.resume_reading()
        while (message := await slow.hear())["type"] != "snapshot":
            pass
        assert message["seq"] == server.service.hub.rooms.open[room].room.head
        assert [told["ply"] for told in slow.heard if told["type"] == "nextPlayer"] == [0]
        assert [turn["ply"] for turn in message["turns"]] == [4]
        await ana.ask("playTurn", room=room, seat=0, ply=4, move="c3")
        assert (await slow.hear())["ply"] == 5
        assert connection.behind is None


async def test_of_the_lobby_a_slow_reader_gets_the_lines_as_they_are() -> None:
    async with a_server(outbox_messages=2) as server, a_wire(server) as ana, a_wire(server) as slow:
        await ana.hello("ana")
        connection = await slowly(server, slow, ("watchLobby", {}))
        rooms = []
        for _ in range(4):
            rooms.append((await ana.ask("createRoom", game="tic-tac-toe"))["room"])
            server.service.tick()
        await ana.ask("leave", room=rooms[0])
        server.service.tick()
        await server.service._committer.settled()
        assert (connection.closing, connection._outbox.frames) == (None, [])
        slow.socket.transport.resume_reading()
        while (message := await slow.hear())["type"] != "lobbyChanged":
            pass
        assert {line["room"] for line in message["rooms"]} == set(rooms[1:])
        assert message["gone"] == [rooms[0]]


async def test_who_plays_misses_nothing_and_is_closed_when_too_much_waits() -> None:
    async with a_server(outbox_messages=2) as server, a_wire(server) as ana, a_wire(server) as slow:
        await ana.hello("ana")
        room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
        connection = await slowly(server, slow, ("join", {"room": room}))
        for _ in range(3):
            await ana.ask("say", room=room, text="are you there?")
        assert (connection.behind, connection.closing) == (None, 4008)


# Durable first


async def test_nothing_is_answered_or_shown_before_it_is_stored() -> None:
    journal = WaitingJournal()
    async with a_server(journal) as server, a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        await ben.ask("watchLobby")
        await ana.tell("createRoom", game="tic-tac-toe")
        assert await journal.asked.get() == [0, 1]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.15):  # longer than a tick, which would tell the lobby
                await asyncio.gather(ana.hear(), ben.hear())
        journal.go_on()
        assert (await ana.hear())["type"] == "joined"
        assert (await ben.hear())["type"] == "lobbyChanged"


async def test_what_comes_in_while_the_journal_writes_is_stored_together_and_answered_in_order() -> None:
    journal = WaitingJournal()
    async with a_server(journal) as server, a_wire(server) as ana:
        await ana.hello()
        ids = [await ana.tell("createRoom", game="tic-tac-toe")]
        assert await journal.asked.get() == [0, 1]
        ids += [await ana.tell("createRoom", game="tic-tac-toe") for _ in range(3)]
        ids += [await ana.tell("ping")]
        await (await ana.socket.ping())  # the server has read them all
        journal.go_on()
        assert await journal.asked.get() == [0, 1, 0, 1, 0, 1]
        journal.go_on()
        assert [(await ana.hear())["re"] for _ in ids] == ids


async def test_a_journal_that_breaks_acknowledges_nothing_and_ends_the_server() -> None:
    async with a_server(BrokenJournal()) as server, a_wire(server) as ana:
        await ana.hello()
        id = await ana.tell("createRoom", game="tic-tac-toe")
        with pytest.raises(OSError, match="Input/output error"):
            async with asyncio.timeout(PATIENCE):
                await server.broken()
        async with asyncio.timeout(PATIENCE):
            await server.stop()
        assert await ana.closed() == 4000
        assert [message for message in ana.heard if message.get("re") == id] == []


async def test_a_full_disk_refuses_commands_and_the_server_goes_on_when_there_is_room_again() -> None:
    journal = FullDisk()
    async with a_server(journal) as server, a_table(server) as (ana, ben, room):
        journal.full = True
        answer = await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        assert (answer["type"], answer["code"]) == ("refused", "retryLater")
        assert answer["retryAfterMs"] > 0
        assert (await ben.ask("subscribe", room=room, event="nextPlayer"))["ply"] == 0
        journal.full = False
        again = await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        assert (again["type"], again["ply"]) == ("nextPlayer", 1)
        assert (await journal.log(room))[-1].body == {"move": "b2"}


# Stopping


async def test_a_server_that_stops_says_bye_to_everybody() -> None:
    async with a_server() as server, a_wire(server) as ana, a_wire(server) as stranger:
        await ana.hello()
        stopping = asyncio.create_task(server.stop())
        assert await ana.closed() == 4000
        assert (ana.heard[-1]["type"], ana.heard[-1]["code"]) == ("bye", 4000)
        assert ana.heard[-1]["retryAfterMs"] > 0
        assert await stranger.closed() == 4000
        assert stranger.heard == []
        await stopping
        with pytest.raises(OSError, match="Connect call failed"):
            await a_wire(server).__aenter__()


async def test_it_stops_in_time_although_somebody_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert connection_module._CLOSING_SECONDS <= 2
    monkeypatch.setattr(connection_module, "_CLOSING_SECONDS", 0.2)
    async with a_server(outbox_bytes=10_000_000) as server, a_wire(server) as deaf:
        flood(server, await not_reading(server, deaf), bytes_each=100_000, times=60)
        await server.service._committer.settled()
        async with asyncio.timeout(PATIENCE):
            await server.stop()
        assert server.network._connections == {}
        deaf.socket.transport.abort()


async def test_what_was_asked_before_the_stop_is_stored_and_answered_before_the_bye() -> None:
    journal = WaitingJournal()
    async with a_server(journal) as server, a_wire(server) as ana:
        await ana.hello()
        await ana.tell("createRoom", game="tic-tac-toe")
        assert await journal.asked.get() == [0, 1]
        stopping = asyncio.create_task(server.stop())
        journal.go_on()
        assert await ana.closed() == 4000
        assert [message["type"] for message in ana.heard] == ["welcome", "joined", "bye"]
        await stopping


async def test_a_connection_that_breaks_leaves_nothing_behind() -> None:
    async with a_server() as server, a_table(server) as (ana, ben, room):
        ana.socket.transport.abort()
        with pytest.raises(ConnectionClosed):
            await ana.hear()
        while len(server.network._connections) > 1:
            await ben.ask("ping")
        assert len(server.service.hub.peers) == 1
        assert (await ben.ask("say", room=room, text="still here"))["type"] == "said"
