"""connect: over real sockets, to the real server and to servers that misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from threading import get_ident
from typing import Any, ClassVar, Literal, cast

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_sockets
from websockets.typing import Subprotocol

from tablero import Bot, Disconnected, InsecureServer, Refused, Turn, connect
from tablero.bots.host import BotHost, card
from tablero.brains import find_brain
from tablero.client import connection as connection_module
from tablero.client import heartbeat as heartbeat_module
from tablero.client import session as session_module
from tablero.client.client import Client
from tablero.client.connection import Connection, run_main
from tablero.client.room import Room
from tablero.dice import dice
from tablero_protocol.codec import CODECS
from tablero_protocol.messages import LobbyChanged
from tests.harness.client import PATIENCE, Turns, real_server
from tests.harness.rig import ANA, LIMITS, Json
from tests.harness.wire import a_server


@pytest.mark.parametrize("codec", ["msgpack", "json"])
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
async def test_two_players_play_a_game_and_a_third_watches(
    game: str, codec: Literal["msgpack", "json"]
) -> None:
    async with (
        real_server() as url,
        connect(url, name="Ana", codec=codec) as ana,
        connect(url, name="Ben", codec=codec) as ben,
        connect(url, name="Cleo", codec=codec) as cleo,
    ):
        table = await ana.create_room(game, private=True)
        assert table.code is not None
        watching = Turns(await cleo.join(code=table.code, watch=True))
        turns = [Turns(table), Turns(await ben.join(code=table.code))]
        ends = await asyncio.gather(*(each.play_to_the_end() for each in turns))
        assert ends[0].outcome == ends[1].outcome
        while (seen := await watching.next()).outcome is None:
            assert seen.seat is None
        assert seen.view == ends[0].view


async def test_refusals_are_raised() -> None:
    async with real_server() as url, connect(url, name="Ana") as ana:
        room = await ana.create_room("tic-tac-toe")
        room.next_player.subscribe(print)
        with pytest.raises(Refused) as caught:
            await room.play("a1", ply=0)
        assert caught.value.code == "notStarted"
        with pytest.raises(Refused, match="columns") as caught:
            await ana.create_room("connect-four", columns=99)
        assert caught.value.code == "badOptions"


async def test_a_bad_name_is_refused_at_the_door() -> None:
    async with real_server() as url:
        with pytest.raises(Refused) as caught:
            await connect(url, name="!").__aenter__()
        assert (caught.value.code, caught.value.reason) == ("badName", "badName")


async def test_a_token_brings_the_same_player_back_to_its_rooms() -> None:
    async with real_server() as url:
        async with connect(url, name="Ana") as ana:
            room, token, player = await ana.create_room("tic-tac-toe"), ana.session.token, ana.player
        async with connect(url, name="Ana", token=token) as again:
            assert again.player.id == player.id
            back: asyncio.Queue[Room] = asyncio.Queue()
            again.room_opened.subscribe(back.put_nowait)
            async with asyncio.timeout(PATIENCE):
                assert (await back.get()).id == room.id
            assert again.rooms[room.id].seats == [0]


class Slow(Bot):
    """Notes in which thread it thinks."""

    game = "tic-tac-toe"
    threads: ClassVar[set[int]] = set()

    def choose(self, turn: Turn) -> str:
        self.threads.add(get_ident())
        return turn.legal_moves[0]


async def test_a_person_plays_a_bot_and_then_a_rematch_with_the_seats_swapped() -> None:
    async with (
        real_server() as url,
        connect(url, name="brains", bot=card([Slow], 5)) as house,
        connect(url, name="Ana") as ana,
    ):
        BotHost(house, [Slow], 5, dice(1), pace={"": 0})
        room = await ana.create_room("tic-tac-toe")
        turns = Turns(room)
        await ana.invite(room, 1, bot="tic-tac-toe:slow")
        assert (await turns.play_to_the_end()).seats == []
        following: asyncio.Queue[Room] = asyncio.Queue()
        room.rematch.subscribe(following.put_nowait)
        await room.offer("rematch")
        async with asyncio.timeout(PATIENCE):
            rematch = await following.get()
        assert (rematch.previous, rematch.seats) == (room, [1])
        assert (await Turns(rematch).play_to_the_end()).seats == []
    assert Slow.threads
    assert get_ident() not in Slow.threads


async def test_two_bundled_bots_play_while_their_host_is_cut_off_again_and_again() -> None:
    brains = [find_brain("connect-four:random")]
    async with (
        real_server() as url,
        connect(url, name="brains", bot=card(brains, 9)) as house,
        connect(url, name="Ana") as ana,
    ):
        BotHost(house, brains, 9, dice(1))
        room = await ana.create_room("connect-four", seat=None)
        turns, plies = Turns(room), []
        for seat in (0, 1):
            await ana.invite(room, seat, bot="connect-four:random")
        while (turn := await turns.next()).outcome is None:
            plies.append(turn.ply)
            if turn.ply in (3, 6):
                cut(house)
        assert plies == list(range(len(plies)))


def cut(client: Client) -> None:
    """Ends the line without a word."""
    connection = cast("Connection", client._shell)
    assert connection._socket is not None
    connection._socket.abort()


# Servers that misbehave

Script = Callable[[ServerConnection], Awaitable[None]]
WELCOME: Json = {
    "type": "welcome",
    "player": ANA,
    "session": "s1",
    "limits": LIMITS,
    "now": 0,
    "token": "secret",
}


@asynccontextmanager
async def scripted_server(script: Script) -> AsyncIterator[str]:
    """Answers every hello with a welcome, and then does as the script says."""

    async def talk(socket: ServerConnection) -> None:
        await tell(socket, {**WELCOME, "re": (await hear(socket))["id"]})
        await script(socket)
        await socket.wait_closed()

    subprotocols = [Subprotocol("tablero.v1.json")]
    async with serve_sockets(talk, "127.0.0.1", 0, subprotocols=subprotocols) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws"


async def hear(socket: ServerConnection) -> Json:
    message = CODECS["tablero.v1.json"].decode_client(await socket.recv())
    return message.model_dump(by_alias=True)


async def tell(socket: ServerConnection, message: Json) -> None:
    await socket.send(CODECS["tablero.v1.json"].encode(message))


async def silence(socket: ServerConnection) -> None:
    pass


async def test_the_subprotocol_is_asked_for_and_compression_is_not() -> None:
    seen = list[tuple[Any, Any]]()

    async def look(socket: ServerConnection) -> None:
        assert socket.request is not None
        seen.append((socket.subprotocol, socket.request.headers.get("Sec-WebSocket-Extensions")))

    async with scripted_server(look) as url, connect(url, name="Ana", codec="json"):
        pass
    assert seen == [("tablero.v1.json", None)]


async def test_a_line_that_goes_silent_is_dropped_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat_module, "PING_EVERY", 0.02)
    monkeypatch.setattr(session_module, "PATIENCE", 0.05)
    monkeypatch.setattr(connection_module, "HEARTBEAT", 0.01)
    async with scripted_server(silence) as url, connect(url, name="Ana", codec="json") as ana:
        back, gone = asyncio.Event(), list[float | None]()
        ana.disconnected.subscribe(gone.append)
        ana.connected.subscribe(lambda _: back.set())
        async with asyncio.timeout(PATIENCE):
            await back.wait()
        assert len(gone) == 1


async def test_a_close_code_that_forbids_it_ends_the_client() -> None:
    async def replace(socket: ServerConnection) -> None:
        await socket.close(4101, "replaced")

    async with scripted_server(replace) as url, connect(url, name="Ana", codec="json") as ana:
        async with asyncio.timeout(PATIENCE):
            await ana.wait_ended()
        assert ana.ended is not None
        assert ana.ended.code == "closed4101"
        with pytest.raises(Disconnected):
            await ana.watch_lobby()


async def test_a_lobby_of_many_pages_comes_whole_from_a_real_server() -> None:
    async with a_server() as server:
        url = f"ws://127.0.0.1:{server.port}/ws"
        server.service.hub.rooms.lobby._page_bytes = 300
        async with connect(url, name="Ana") as ana, connect(url, name="Ben") as ben:
            rooms = [(await ben.create_room("tic-tac-toe")).id for _ in range(12)]
            lobby = await ana.watch_lobby()
            assert [line.room for line in lobby.rooms] == rooms
            assert sorted(player.name for player in lobby.players) == ["Ana", "Ben"]


async def test_messages_of_a_newer_server_are_passed_over_and_keep_their_place(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def newer(socket: ServerConnection) -> None:
        await tell(socket, {"type": "weather", "sky": "blue"})
        await socket.send("this is no JSON")
        create = await hear(socket)
        table = {"room": "r1", "epoch": "e1", "game": "tic-tac-toe", "version": 1, "options": {}}
        table |= {"state": "waiting", "private": False, "seats": [ANA, None], "members": [], "mood": "good"}
        arrival = {"type": "joined", "re": create["id"], "room": "r1", "seq": 1, "player": ANA}
        await tell(socket, {**arrival, "table": table})
        assert (await hear(socket))["type"] == "subscribe"
        await tell(socket, {"type": "applauded", "room": "r1", "seq": 2})
        await tell(socket, {"type": "said", "room": "r1", "seq": 3, "player": ANA, "text": "hi"})

    async with scripted_server(newer) as url, connect(url, name="Ana", codec="json") as ana:
        room = await ana.create_room("tic-tac-toe")
        said: asyncio.Queue[Any] = asyncio.Queue()
        room.chat.subscribe(said.put_nowait)
        async with asyncio.timeout(PATIENCE):
            assert (await said.get()).text == "hi"
    assert "A message was not understood: The frame is not valid JSON." in caplog.text


async def test_received_gives_every_message_as_it_came() -> None:
    async def chat(socket: ServerConnection) -> None:
        await tell(socket, {"type": "weather", "sky": "blue"})

    received: asyncio.Queue[Any] = asyncio.Queue()
    async with scripted_server(chat) as url, connect(url, name="Ana", codec="json") as ana:
        ana.received.subscribe(received.put_nowait)
        async with asyncio.timeout(PATIENCE):
            assert await received.get() == {"type": "weather", "sky": "blue"}


@pytest.mark.parametrize("frame", [b"\xc4\x01x", "[1]"], ids=["bytes", "no map"])
async def test_a_frame_that_is_no_message_is_passed_over_where_all_is_received(
    frame: bytes | str, caplog: pytest.LogCaptureFixture
) -> None:
    async def garble(socket: ServerConnection) -> None:
        await socket.send(frame)
        await tell(socket, {"type": "weather", "sky": "blue"})

    received: asyncio.Queue[Any] = asyncio.Queue()
    async with scripted_server(garble) as url, connect(url, name="Ana", codec="json") as ana:
        ana.received.subscribe(received.put_nowait)
        async with asyncio.timeout(PATIENCE):
            assert await received.get() == {"type": "weather", "sky": "blue"}
    assert "A message was not understood" in caplog.text


async def test_nothing_is_heard_before_whoever_connects_could_subscribe() -> None:
    async def hasty(socket: ServerConnection) -> None:
        await tell(socket, {"type": "lobbyChanged", "gone": ["r1"]})

    heard: asyncio.Queue[Any] = asyncio.Queue()
    for _ in range(5):
        async with scripted_server(hasty) as url, connect(url, name="Ana", codec="json") as ana:
            ana.lobby.subscribe(heard.put_nowait)
            async with asyncio.timeout(PATIENCE):
                assert (await heard.get()).gone == ["r1"]


# No server


async def test_nobody_there_is_said_at_once() -> None:
    async with real_server() as url:
        pass
    with pytest.raises(Disconnected, match="No server answers at"):
        await connect(url, name="Ana").__aenter__()


async def test_a_patient_client_waits_for_its_server() -> None:
    async with real_server() as url:
        port = int(url.split(":")[2].split("/")[0])
    connecting = asyncio.create_task(connect(url, name="Ana", patient=True).__aenter__())
    await asyncio.sleep(0)
    async with real_server(port):
        async with asyncio.timeout(PATIENCE):
            ana = await connecting
        assert ana.player.name == "Ana"
        await cast("Connection", ana._shell).__aexit__(None, None, None)


async def test_connecting_can_be_given_up() -> None:
    async with real_server() as url:
        pass
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await connect(url, name="Ana", patient=True).__aenter__()


@pytest.mark.parametrize("url", ["ws://game.example.org/ws", "http://8.8.8.8"])
async def test_a_public_network_needs_encryption(url: str) -> None:
    with pytest.raises(InsecureServer, match="Use wss://"):
        connect(url, name="Ana")
    connect(url, name="Ana", insecure=True)


async def test_a_failing_async_subscriber_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with real_server() as url, connect(url, name="Ana") as ana:
        failed = asyncio.Event()

        async def fail(_: object) -> None:
            failed.set()
            raise RuntimeError("broken")

        ana.lobby.subscribe(fail)
        ana.lobby.emit(LobbyChanged())
        await failed.wait()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert "RuntimeError: broken" in caplog.text


def test_a_program_runs_to_its_exit_code_and_ctrl_c_is_a_normal_end() -> None:
    async def seven() -> int:
        return 7

    async def interrupted() -> int:
        raise KeyboardInterrupt

    assert run_main(seven()) == 7
    assert run_main(interrupted()) == 0
