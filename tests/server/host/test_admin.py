"""What a host says to a running server, over a real socket, and as the command that says it."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import pytest
import structlog

from tablero_protocol.reasons import sentence_of
from tablero_server.host.admin import NoServer, place
from tablero_server.host.commands import COMMANDS, OF_THE_PROCESS
from tablero_server.settings import Settings
from tests.harness.command_line import tablero
from tests.harness.host import a_server, say
from tests.harness.wire import Json, a_wire


@pytest.mark.parametrize("by", ["id", "name", "a name that looks like it"])
async def test_a_player_without_tokens_is_signed_out_at_once_and_for_good(folder: Path, by: str) -> None:
    async with a_server(folder / "admin") as server, a_wire(server) as ana, a_wire(server) as ben:
        welcome = await ana.hello("ana")
        await ben.hello("ben")
        called = {"id": welcome["player"]["id"], "name": "ana"}.get(by, "ANA")
        answer = await say(folder / "admin", "end-tokens", player=called)
        assert answer["ok"]
        assert answer["message"].startswith(f"ana ({welcome['player']['id']}) is signed out everywhere")
        assert await ana.closed() == 4105
        assert (await ben.ask("ping"))["type"] == "pong"
        async with a_wire(server) as back:
            token = welcome["token"]
            assert (await back.ask("hello", protocol=1, client="t", token=token))["code"] == "badToken"


async def test_nobody_else_can_open_the_socket_and_it_goes_with_the_server(folder: Path) -> None:
    async with a_server(folder / "admin"):
        assert stat.S_IMODE((folder / "admin").stat().st_mode) == 0o600
    assert not (folder / "admin").exists()
    with pytest.raises(NoServer, match=r"No server listens at .* with the TABLERO_DATABASE that it has"):
        await say(folder / "admin", "end-tokens", player="ana")


async def test_a_socket_that_a_killed_server_left_is_taken_over_and_one_in_use_is_not(folder: Path) -> None:
    async with a_server(folder / "admin") as first:
        with structlog.testing.capture_logs() as logged:
            async with a_server(folder / "admin"):
                pass
        [line] = [line for line in logged if line["log_level"] == "warning"]
        assert line["why"] == "another server listens there"
        assert not (await say(folder / "admin", "end-tokens", player="nobody"))["ok"]
        assert first._admin is not None
        assert first._admin._server is not None
        first._admin._server.close()  # as a kill does, which leaves the file
        async with a_server(folder / "admin"):
            assert not (await say(folder / "admin", "end-tokens", player="nobody"))["ok"]


async def test_what_is_no_socket_is_left_alone(folder: Path) -> None:
    (folder / "admin").write_text("mine")
    with structlog.testing.capture_logs() as logged:
        async with a_server(folder / "admin"):
            pass
    assert (folder / "admin").read_text() == "mine"
    [line] = logged
    assert "is there and no socket" in line["why"]


UNKNOWN = ("badMessage", "unknownHostCommand", {"known": ", ".join([*COMMANDS, *OF_THE_PROCESS])})
REFUSED = {
    "no text as an argument": (b'{"command":"end-tokens","player":5}', UNKNOWN),
    "somebody unknown": (
        b'{"command":"end-tokens","player":"nobody"}',
        ("unknownPlayer", "nobodyCalledThat", {"player": "nobody"}),
    ),
    "an unknown command": (b'{"command":"fly"}', UNKNOWN),
    "an argument too many": (b'{"command":"end-tokens","player":"a","service":"b"}', UNKNOWN),
    "no argument": (b'{"command":"end-tokens"}', UNKNOWN),
    "no command": (b"{}", UNKNOWN),
    "no JSON": (b"end-tokens ana", UNKNOWN),
    "no object": (b"[]", UNKNOWN),
    "too deep": (b"[" * 60_000, UNKNOWN),
    "no text": (b"\xff", UNKNOWN),
}


@pytest.mark.parametrize(("line", "why"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_cannot_be_done_is_refused_with_its_reason_and_a_sentence(
    folder: Path, line: bytes, why: tuple[str, str, Json]
) -> None:
    async with a_server(folder / "admin"):
        reader, writer = await asyncio.open_unix_connection(folder / "admin")
        writer.write(line + b"\n")
        answer = json.loads(await reader.readline())
        writer.close()
    assert (answer["code"], answer["reason"], answer["fields"]) == why
    assert answer["ok"] is False
    assert answer["message"] == sentence_of(answer["reason"], answer["fields"])


async def test_the_command_says_what_was_done_or_why_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLERO_ADMIN", str(folder / "admin"))
    async with a_server(folder / "admin") as server, a_wire(server) as ana:
        await ana.hello("ana")
        code, text = await asyncio.to_thread(tablero, "admin", "end-tokens", "ana")
        assert code == 0
        assert "is signed out everywhere" in text
        code, text = await asyncio.to_thread(tablero, "admin", "end-tokens", "nobody", "--json")
        assert (code, json.loads(text.splitlines()[-1])["code"]) == (1, "unknownPlayer")
    code, text = tablero("admin", "end-tokens", "ana")
    assert code == 2
    assert text.startswith("No server listens at ")


@pytest.mark.parametrize(
    ("settings", "end"),
    [
        ({"database": "sqlite:////tmp/games.db"}, "/tmp/games.db.admin"),
        ({"database": ""}, "/tablero/tablero.db.admin"),
        ({"database": "postgresql://u@h/n"}, "/tablero/postgresql-n-79b7645c.admin"),
        ({"database": "memory", "admin": "/run/tablero"}, "/run/tablero"),
    ],
)
def test_the_socket_is_beside_the_database(settings: dict[str, Any], end: str) -> None:
    assert str(place(Settings(**settings))).endswith(end)
    assert place(Settings(database="memory")) is None


def test_each_database_of_postgres_has_a_place_of_its_own_whoever_asks() -> None:
    databases = ("u@h/n", "u@h/other", "u@other/n", "u@h:5433/n", "u@h/n?search_path=s", "n@h")
    places = {each: place(Settings(database=f"postgresql://{each}")) for each in databases}
    assert len(set(places.values())) == len(databases) - 1, "n is the database of n"
    for same in ("other@h/n", "u:password@h/n", "u@h:5432/n", "u@h/n?password=p"):
        assert place(Settings(database=f"postgresql://{same}")) == places["u@h/n"]
