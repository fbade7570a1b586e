"""S6 and S20: what is wrong is refused in our own words; what breaks inside stays inside, and in the log."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import structlog
from websockets.exceptions import ConnectionClosed

from tablero_protocol.codec import CODECS, Codec
from tablero_protocol.codes import Close, Code
from tests.harness.corpus import frames
from tests.harness.fuzzing import send_damaged
from tests.harness.raw import a_raw, request
from tests.harness.wire import Wire, a_server, a_table, a_wire

INSIDE = re.compile(r"Traceback|File \"|\.py\b|/usr|site-packages|Error\b|Exception|object at 0x|<class")
"""What only the inside of a program says."""
CHAT = "meet me at the harbour"


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as lines:
        yield lines


# S20: to clients


def mistakes(room: str) -> list[dict[str, Any]]:
    return [
        {"type": "dance"},
        {"type": 7},
        {},
        {"type": "hello", "protocol": 1, "client": "again"},
        {"type": "join"},
        {"type": "join", "room": "nowhere"},
        {"type": "join", "code": "0000-0000"},
        {"type": "createRoom", "game": "chess"},
        {"type": "createRoom", "game": "connect-four", "options": {"columns": -1}},
        {"type": "createRoom", "game": "minesweeper", "options": {"mines": 10**15}},
        {"type": "createRoom", "game": "minesweeper", "options": {"level": "__class__"}},
        {"type": "createRoom", "game": "tic-tac-toe", "seats": 99},
        {"type": "playTurn", "room": room, "seat": 0, "ply": 0, "move": "z9"},
        {"type": "playTurn", "room": room, "seat": 1, "ply": 0, "move": "a1"},
        {"type": "playTurn", "room": room, "seat": 0, "ply": 2**53, "move": "a1"},
        {"type": "playTurn", "room": room, "seat": "0", "ply": 0, "move": "a1"},
        {"type": "resume", "room": room, "epoch": "other", "seq": 2**53, "extra": 1},
        {"type": "answer", "room": room, "seat": 0, "offer": "none", "yes": True},
        {"type": "invite", "room": room, "seat": 7, "player": "nobody"},
        {"type": "decline", "invite": "none"},
        {"type": "say", "room": room, "text": ""},
        {"type": "takeSeat", "room": room, "seat": 1},
        {"type": "offer", "room": room, "seat": 0, "what": "the moon"},
    ]


@pytest.mark.parametrize("subprotocol", CODECS)
async def test_s20_no_answer_to_a_mistake_shows_the_inside(
    subprotocol: str, logged: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    async with a_server() as server, a_table(server) as (ana, _, room), a_wire(server, subprotocol) as wire:
        await wire.hello("eve")
        for mistake in mistakes(room):
            asking = ana if "seat" in mistake and subprotocol.endswith("msgpack") else wire
            id = f"m{len(asking.heard)}"
            await asking.send(asking._codec.encode({"id": id, **mistake}))
            while (answer := await asking.hear()).get("re") != id:
                pass
            assert answer["type"] == "refused"
            assert answer["code"] in set(Code)
            assert re.fullmatch(r"[\w`\"'].*\.", answer["message"]), answer
            assert not INSIDE.search(answer["message"]), answer
    assert [line for line in logged if "exc_info" in line] == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


PAGES = {
    "not there": (request(path="/nowhere", Upgrade=None, Connection=None), 404),
    "no such room": (request(path="/api/rooms/none/record", Upgrade=None, Connection=None), 404),
    "the wrong method": (request("DELETE", Upgrade=None, Connection=None), 405),
    "up and away": (request(path="/../../etc/passwd", Upgrade=None, Connection=None), 404),
    "a percent sign": (request(path="/api/rooms/%00%ff/record", Upgrade=None, Connection=None), 404),
    "no HTTP": (b"\x00\x01\x02\x03\r\n\r\n", 400),
    "somebody else's page": (request(Origin="https://evil.example"), 403),
}


@pytest.mark.parametrize(("sent", "status"), PAGES.values(), ids=PAGES.keys())
async def test_s20_no_page_shows_the_inside(sent: bytes, status: int) -> None:
    async with a_server() as server, a_raw(server) as raw:
        await raw.send(sent)
        response = (await raw.reader.read(65_536)).decode()
    assert response.split()[1] == str(status)
    assert not INSIDE.search(response.partition("\r\n\r\n")[2]), response
    assert "python" not in response.lower(), "nor what it is made of"


async def test_s20_what_breaks_inside_costs_one_connection_and_is_told_to_the_log_alone(
    monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    async with a_server() as server, a_wire(server) as ana, a_wire(server) as ben:
        await ana.hello()
        await ben.hello("ben")
        receive = server.service.hub.receive

        def broken(peer: int, message: Any, now: int) -> Any:
            if message.type == "ping":
                raise RuntimeError("the secret of the house")
            return receive(peer, message, now)

        monkeypatch.setattr(server.service.hub, "receive", broken)
        await ana.tell("ping")
        with pytest.raises(ConnectionClosed) as ended:
            await ana.hear()
        assert "secret" not in str(ended.value)
        assert (await ben.ask("watchLobby"))["type"] == "lobby"
    [line] = [line for line in logged if line["log_level"] == "error"]
    assert "the secret of the house" in repr(line["exc_info"])


async def test_s20_a_page_that_breaks_says_no_more_than_that(
    monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    async with a_server() as server, a_raw(server) as raw:
        monkeypatch.delattr(type(server.service), "settled")
        monkeypatch.setattr(server.service.hub, "rooms", None)
        await raw.send(request(path="/api/rooms/none/record", Upgrade=None, Connection=None))
        response = (await raw.reader.read(65_536)).decode()
        monkeypatch.undo()
    assert " 500 " in response.splitlines()[0]
    assert not INSIDE.search(response.partition("\r\n\r\n")[2].replace("Server Error", ""))
    assert len([line for line in logged if line["log_level"] == "error"]) == 1


# S20: what a host hears of


async def test_s20_each_security_event_is_logged_with_address_and_code_and_no_secret(
    logged: list[Any],
) -> None:
    async with a_server(messages_burst=5, patience=3, connections=4) as server:
        async with a_wire(server) as bad, a_wire(server) as flood, a_wire(server) as guess:
            await bad.hello("bad")
            for _ in range(8):
                await bad.send(CHAT.encode())
            assert await bad.closed() == Close.BAD_FRAMES
            room = (await flood.hello("flood"))["session"]
            for _ in range(20):
                await flood.tell("say", room=room, text=CHAT)
            assert await flood.closed() == Close.FLOODING
            assert await hello_code(guess, "x" * 43) == "badToken"
        async with a_raw(server) as raw:
            await raw.send(request(Origin="https://evil.example"))
            assert await raw.status() == 403
        async with a_raw(server) as raw:
            await raw.send(b"nonsense\r\n\r\n")
            assert await raw.status() == 400
    events = [(line["event"], line["code"]) for line in logged if "code" in line]
    assert events == [
        ("connection closed", 4103),
        ("connection closed", 4009),
        ("hello refused", "badToken"),
        ("handshake refused", 403),
        ("not a request", 400),
    ]
    assert {line["address"] for line in logged if "code" in line} == {"127.0.0.1"}
    assert not any(secret in json.dumps(logged, default=repr) for secret in (CHAT, "x" * 43))


async def hello_code(wire: Wire, token: str) -> str:
    return str((await wire.ask("hello", protocol=1, client="test", token=token))["code"])


async def test_s20_nobody_fills_the_disk_with_lines_about_themselves(logged: list[Any]) -> None:
    async with a_server() as server:
        for _ in range(60):
            async with a_raw(server) as raw:
                await raw.send(b"nonsense\r\n\r\n")
                await raw.status()
    assert 20 <= len([line for line in logged if line["event"] == "not a request"]) <= 22


# S6: through a real socket


@pytest.mark.parametrize("codec", CODECS.values(), ids=["msgpack", "json"])
async def test_s06_damaged_frames_cost_their_sender_connections_and_nobody_else_anything(
    codec: Codec, logged: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    async with a_server(messages_burst=100_000) as server, a_table(server) as (ana, ben, room):
        sent, generated = 0, frames(codec, Random(6))
        while sent < 500:
            async with a_raw(server) as raw:
                sent += await send_damaged(raw, codec, generated)
        for ply, move in enumerate(["a1", "a2", "b1", "b2"]):
            player = (ana, ben)[ply % 2]
            answer = await player.ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
            assert answer["ply"] == ply + 1
    assert [line for line in logged if line["log_level"] == "error"] == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
