"""The verbs for one's own devices, and the way from one device to another."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.harness.client import real_server
from tests.harness.rig import Json, message
from tests.harness.terminal import Desk, a_terminal
from tests.harness.warm import command
from tests.harness.wire import a_wire

PATIENCE = 40.0
DESK: Json = {"id": "mfrggzdf", "device": "desk", "created": 0, "used": 0, "here": True}
PHONE: Json = {"id": "nbswy3dp", "device": "phone", "created": 0, "used": 86_400_000, "here": False}


def test_handover_says_the_code_and_what_to_type_on_the_other_device() -> None:
    desk = Desk()
    desk.client.address = "wss://games.example.org/ws"
    desk.type("handover")
    desk.answer("handedOver", code="7QK4-M2XD", until=desk.client.server_now + 60_000)
    assert desk.printed == [
        "Type this on the other device within 60 seconds:",
        "tablero play https://games.example.org --hand-over 7QK4-M2XD",
    ]
    assert desk.noted == []


def test_whoever_plays_on_the_servers_own_machine_is_told_that_the_address_is_another_elsewhere() -> None:
    desk = Desk()
    desk.client.address = "ws://127.0.0.1:8470/ws"
    desk.type("handover")
    desk.answer("handedOver", code="7QK4-M2XD", until=desk.client.server_now + 60_000)
    assert desk.printed[-1] == "tablero play 127.0.0.1:8470 --hand-over 7QK4-M2XD"
    assert desk.noted == ["The server answers only this computer. For other devices, start it with --lan."]


def test_devices_are_listed_with_when_they_were_last_here() -> None:
    desk = Desk()
    desk.type("devices")
    desk.answer("tokens", tokens=[DESK, PHONE, {**PHONE, "device": "", "id": "x"}])
    assert desk.printed[0] == "desk (mfrggzdf): this device"
    assert desk.printed[1].startswith("phone (nbswy3dp): last used 1970-01-0")
    assert desk.printed[2].startswith("x: last used")


def test_a_seat_that_another_device_plays_comes_back_with_a_move() -> None:
    desk = Desk(seated=True)
    desk.type("b2")
    desk.answer("refused", code="forbidden", reason="playedElsewhere", message="Elsewhere.")
    [taken] = desk.sent()
    assert (taken["type"], taken["seat"]) == ("takeSeat", 0)
    desk.tell(message(type="ok", re=taken["id"], room=taken["room"]))
    [move] = desk.sent()
    assert (move["type"], move["move"]) == ("playTurn", "b2")
    assert desk.noted == []


@pytest.mark.parametrize("called", ["phone", "Phone", "nbswy3dp"])
def test_another_device_is_signed_out_by_its_name_or_id(called: str) -> None:
    desk = Desk()
    desk.type(f"end {called}")
    desk.answer("tokens", tokens=[DESK, PHONE])
    assert desk.sent()[-1]["token"] == "nbswy3dp"


def test_this_device_is_signed_out_only_by_who_says_yes() -> None:
    desk = Desk()
    desk.type("end desk")
    desk.answer("tokens", tokens=[DESK, PHONE])
    assert desk.sent() == []
    assert desk.printed == ["This is the device you're using. Type yes to sign it out."]
    desk.type("yes")
    assert desk.one("endToken")["token"] == "mfrggzdf"


@pytest.mark.parametrize(
    ("typed", "tokens", "told"),
    [
        ("end tablet", [DESK, PHONE], "You have no device tablet. Type devices to list yours."),
        (
            "end phone",
            [PHONE, {**PHONE, "id": "other"}],
            "Several devices are called phone. Use one of nbswy3dp, other.",
        ),
    ],
)
def test_a_device_that_is_not_clear_is_not_ended(typed: str, tokens: list[Json], told: str) -> None:
    desk = Desk()
    desk.type(typed)
    desk.answer("tokens", tokens=tokens)
    assert desk.noted == [told]
    assert desk.sent() == []


def test_end_wants_to_know_which() -> None:
    desk = Desk()
    desk.type("end")
    assert desk.noted == ["Choose a device: end DEVICE"]
    assert desk.sent() == []


async def test_a_device_is_signed_out_from_another_at_a_real_server() -> None:
    async with real_server() as url, a_terminal(url, "Ana") as ana:
        ana.types("handover")
        line = (await ana.hears("--hand-over"))[-1]
        port = int(url.rsplit(":", 1)[1].removesuffix("/ws"))

        class Place:
            def __init__(self) -> None:
                self.port = port

        async with a_wire(Place()) as phone:
            welcome = await phone.hello(None, handOver=line.split()[-1], device="phone")
            assert welcome["player"]["name"] == "Ana"
            ana.types("devices")
            await ana.hears("phone .*: last used")
            ana.types("end phone")
            await ana.hears("phone .* is signed out")
            assert await phone.closed() == 4108


# The command line, as a program


@asynccontextmanager
async def tablero(home: Path, *arguments: str, **environment: str) -> AsyncIterator[Process]:
    environment = {**os.environ, "TABLERO_HOME": str(home), "TABLERO_LANG": "en", **environment}
    process = await asyncio.create_subprocess_exec(
        *(*command(), "play", *arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=environment,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def hear(process: Process, type: str) -> dict[str, Any]:
    assert process.stdout is not None
    while True:
        message: dict[str, Any] = json.loads(await process.stdout.readline())
        if message["type"] == type:
            return message


def say(process: Process, line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line.encode() + b"\n")


async def test_a_game_goes_on_from_another_device_and_this_one_is_the_same_player_at_the_next_start(
    tmp_path: Path,
) -> None:
    desk, phone = tmp_path / "desk", tmp_path / "phone"
    async with real_server() as url:
        async with tablero(desk, url, "--json", "--name", "Ana") as ana:
            player = (await hear(ana, "welcome"))["player"]
            say(ana, "create tic-tac-toe private")
            room = (await hear(ana, "joined"))["room"]
            say(ana, "handover")
            code = (await hear(ana, "handedOver"))["code"]
            async with tablero(phone, url, "--json", "--hand-over", code, TABLERO_NAME="") as same:
                welcome = await hear(same, "welcome")
                assert (welcome["player"], welcome["rooms"][0]["seats"]) == (player, [0])
                joined = await hear(same, "joined")
                assert (joined["room"], joined["seat"]) == (room, 0)
                say(same, "quit")
        async with tablero(phone, url, "--json", TABLERO_NAME="") as later:
            assert (await hear(later, "welcome"))["player"] == player, "by its own token, and with its name"


async def test_a_device_that_is_somebody_already_is_asked_first(tmp_path: Path) -> None:
    async with real_server() as url:
        async with tablero(tmp_path / "phone", url, "--json", "--name", "Ben") as ben:
            first = (await hear(ben, "welcome"))["player"]
            say(ben, "quit")
            await ben.wait()
        async with tablero(tmp_path / "desk", url, "--json", "--name", "Ana") as ana:
            player = (await hear(ana, "welcome"))["player"]
            say(ana, "handover")
            code = (await hear(ana, "handedOver"))["code"]
            asked = ("--name", "Ben", "--hand-over", code)
            async with tablero(tmp_path / "phone", url, *asked) as refused:
                assert refused.stderr is not None
                told = (await refused.stderr.read()).decode()
                assert await refused.wait() == 2
                assert "is already Ben at 127.0.0.1:" in told
                assert "--replace" in told
            async with tablero(tmp_path / "phone", url, "--json", "--name", "Ben") as still:
                assert (await hear(still, "welcome"))["player"] == first
                say(still, "quit")
                await still.wait()
            async with tablero(tmp_path / "phone", url, "--json", *asked, "--replace") as same:
                welcome = await hear(same, "welcome")
                assert welcome["player"]["id"] == player["id"], "the code was still good"


async def test_a_newcomer_says_the_passphrase_once(tmp_path: Path) -> None:
    """In a pipe nobody can be asked."""
    async with real_server(entry="passphrase", passphrase="open sesame") as url:
        async with tablero(tmp_path, url, "--json") as refused:
            assert refused.stderr is not None
            told = (await refused.stderr.read()).decode()
            assert await refused.wait() == 1
            assert "New players need this server's passphrase; ask the host." in told
        async with tablero(tmp_path, url, "--json", "--passphrase", "open sesame") as ana:
            player = (await hear(ana, "welcome"))["player"]
            say(ana, "quit")
            await ana.wait()
        async with tablero(tmp_path, url, "--json") as again:
            assert (await hear(again, "welcome"))["player"] == player
