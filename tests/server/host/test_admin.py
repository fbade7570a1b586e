"""What a host says to a running server over its socket, and as the command that says it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tablero_protocol.reasons import sentence_of
from tablero_server.host.admin import NoServer, running_port
from tablero_server.host.commands import COMMANDS, OF_THE_PROCESS
from tablero_server.host.files import beside
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


UNKNOWN = ("badMessage", "unknownHostCommand", {"known": ", ".join([*COMMANDS, *OF_THE_PROCESS])})
REFUSED: dict[str, tuple[str, Json, Any]] = {
    "no text as an argument": ("end-tokens", {"player": 5}, UNKNOWN),
    "somebody unknown": (
        "end-tokens",
        {"player": "nobody"},
        ("unknownPlayer", "nobodyCalledThat", {"player": "nobody"}),
    ),
    "an unknown command": ("fly", {}, UNKNOWN),
    "an argument too many": ("end-tokens", {"player": "a", "service": "b"}, UNKNOWN),
    "no argument": ("end-tokens", {}, UNKNOWN),
}


@pytest.mark.parametrize(("command", "asked", "why"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_cannot_be_done_is_refused_with_its_reason_and_a_sentence(
    folder: Path, command: str, asked: Json, why: tuple[str, str, Json]
) -> None:
    async with a_server(folder / "admin"):
        answer = await say(folder / "admin", command, **asked)
    assert (answer["code"], answer["reason"], answer["fields"]) == why
    assert answer["ok"] is False
    assert answer["message"] == sentence_of(answer["reason"], answer["fields"])


async def test_a_sentence_is_told_as_one(folder: Path) -> None:
    async with a_server(folder / "admin"):
        answer = await say(folder / "admin", "announce", text="x" * 70_000)
    assert answer == {"ok": False, "message": "Request Entity Too Large."}


async def test_without_a_server_it_says_where_one_was_looked_for(folder: Path) -> None:
    with pytest.raises(NoServer, match=r"No server listens at .* with the TABLERO_DATABASE that it has"):
        await say(folder / "admin", "end-tokens", player="ana")


@pytest.mark.parametrize(
    "said", [b"", b"nonsense\n", b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"]
)
async def test_a_server_that_says_something_else_counts_as_none(folder: Path, said: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    async with await asyncio.start_unix_server(answer, folder / "admin"):
        with pytest.raises(NoServer, match="does not answer"):
            await say(folder / "admin", "list")


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


def test_the_command_says_where_it_is_and_never_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_ADMIN", str(tmp_path / "admin"))
    file = beside(tmp_path / "admin", "token")
    assert file is not None
    code, text = tablero("admin", "token")
    page = "Paste it on the host's page: http://127.0.0.1:8471/ unless the server printed another address.\n"
    assert (code, text) == (0, f"The token of the host's pages is now in {file}.\n{page}")
    assert file.read_text().strip() not in text
    assert tablero("admin", "token")[1].startswith(f"The token of the host's pages is in {file}.")
    monkeypatch.delenv("TABLERO_ADMIN")
    monkeypatch.setenv("TABLERO_DATABASE", "memory")
    assert tablero("admin", "token")[0] == 2


async def test_the_doctor_looks_at_the_port_of_the_running_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLERO_ADMIN", str(folder / "admin"))
    assert running_port(None) is None
    async with a_server(folder / "admin") as server:
        assert await asyncio.to_thread(running_port, None) == server.port
        _, told = await asyncio.to_thread(tablero, "doctor")
        assert f"A server answers at 127.0.0.1:{server.port}." in told
        monkeypatch.setenv("TABLERO_PORT", "8471")
        assert await asyncio.to_thread(running_port, None) is None, "a port that is set is looked at"
