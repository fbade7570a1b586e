"""What each command of a host does to a running server, over real sockets, and what it answers."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
import structlog

from tablero import Disconnected, Refused, connect
from tablero.bots.host import HostOptions, host
from tablero.brains import find_brain
from tablero_server.app import Server
from tablero_server.core.effects import Effects
from tablero_server.host.commands import COMMANDS, games_of_day, in_words_of
from tests.harness.databases import Postgres, Sqlite
from tests.harness.host import a_server, say
from tests.harness.journal_entries import came_out
from tests.harness.journals import FullDisk
from tests.harness.pages import a_browser, a_game, to_the_end
from tests.harness.processes import tablero_serve
from tests.harness.warm import command
from tests.harness.wire import RATED, Json, Wire, a_table, a_wire


@pytest.fixture
def socket() -> Iterator[Path]:
    """With a short path: that of a socket has few letters."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "admin"


async def says(socket: Path, command: str, **arguments: str) -> str:
    """What is answered to a command that is carried out."""
    answer = await say(socket, command, **arguments)
    assert answer["ok"], answer
    return str(answer["message"])


HERE, THERE = "203.0.113.7", "203.0.113.8"
CLOCKS_DIFFER_MS = 100
"""The time of day of three processes, on a machine whose clock is being set."""
SEEN: dict[str, Any] = {"trusted_proxies": "127.0.0.1", "names": "localhost"}
"""So that a test can say from where somebody comes."""


def a_wire_from(address: str, server: Server) -> AbstractAsyncContextManager[Wire]:
    return a_wire(server, additional_headers={"X-Forwarded-For": address})


async def knocks(server: Server, address: str, **hello: Any) -> tuple[Json, int | None]:
    """What somebody is answered who comes to the door, and with which code the line is closed, if it is."""
    async with a_wire_from(address, server) as wire:
        answer = await wire.ask("hello", protocol=1, client="test", **hello)
        return answer, None if answer["type"] == "welcome" else await wire.closed()


async def says_by_hand(socket: Path, *words: str) -> tuple[int | None, str]:
    """The exit code and the output of `tablero admin` with these words."""
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {"PYTHONPATH": paths, "TABLERO_ADMIN": str(socket)}
    process = await asyncio.create_subprocess_exec(
        *command(), "admin", *words, stdout=PIPE, stderr=STDOUT, env=environment
    )
    out, _ = await process.communicate()
    return process.returncode, out.decode()


async def told(wire: Wire) -> str:
    """The next announcement."""
    while (message := await wire.hear())["type"] != "announcement":
        pass
    return str(message["message"])


@asynccontextmanager
async def counted_arrivals(server: Server) -> AsyncIterator[list[object]]:
    """Each connection that begins meanwhile."""
    came: list[object] = []
    arrived = server.service.arrive

    def counted(*given: Any) -> None:
        came.append(given)
        arrived(*given)

    with patch.object(server.service, "arrive", counted):
        yield came


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_of_a_command_is_text(name: str) -> None:
    parameters = list(inspect.signature(COMMANDS[name]).parameters.values())[1:]
    assert {parameter.annotation for parameter in parameters} <= {"str"}


async def test_every_command_is_in_the_log(socket: Path) -> None:
    async with a_server(socket) as server, a_wire(server) as ana:
        await ana.hello("ana")
        with structlog.testing.capture_logs() as logged:
            await says(socket, "end-tokens", player="ana")
    line = {"event": "host command", "by": "socket", "command": "end-tokens", "player": "ana"}
    assert {**line, "log_level": "info"} in logged


async def test_a_misspelt_name_is_refused_with_what_was_meant(socket: Path) -> None:
    async with a_server(socket) as server, a_wire(server) as ana:
        await ana.hello("annabella")
        answer = await say(socket, "end-tokens", player="anabella")
        assert answer["message"] == "No one here is called 'anabella'; did you mean 'annabella'?"
        assert (await ana.ask("ping"))["type"] == "pong"


async def test_an_announcement_reaches_everybody_in_each_form_of_the_protocol(socket: Path) -> None:
    async with (
        a_server(socket) as server,
        a_wire(server) as ana,
        a_wire(server, "tablero.v1.json") as ben,
        a_wire(server) as stranger,
    ):
        await ana.hello("ana")
        await ben.hello("ben")
        assert await says(socket, "announce", text="Pizza is here.") == "2 connections got the message."
        for wire in (ana, ben):
            assert (await wire.hear())["message"] == "The host says: Pizza is here."
        await stranger.hello("cat")
        assert [message["type"] for message in stranger.heard] == ["welcome"]


async def test_who_is_banned_goes_at_once_and_does_not_come_back_by_any_way(socket: Path) -> None:
    async with (
        a_server(socket, **SEEN) as server,
        a_wire_from(HERE, server) as ben,
        a_wire_from(THERE, server) as phone,
        a_wire_from("198.51.100.1", server) as ana,
    ):
        await ana.hello("ana")
        token = (await ben.hello("ben"))["token"]
        await phone.ask("hello", protocol=1, client="test", token=token)
        room = (await ben.ask("createRoom", game="tic-tac-toe"))["room"]
        await ana.ask("join", room=room, subscribe=["nextPlayer"])
        said = await says(socket, "ban", player="ben", time="2h", why="no swearing here")
        assert "is banned for 2 h. So are new players from 203.0.113.7. So are new players" in said
        assert (await ben.closed(), await phone.closed()) == (4107, 4107)
        for wire in (ben, phone):
            assert wire.heard[-1]["message"] == "The host has banned you for 2 h: no swearing here."
        while (turn := await ana.hear())["type"] != "nextPlayer" or "outcome" not in turn:
            pass
        assert turn["outcome"]["kind"] == "aborted"
        for address, hello in (
            (HERE, {"token": token}),
            ("198.51.100.9", {"token": token}),
            (HERE, {"name": "ben2"}),
            (THERE, {"name": "ana2"}),
        ):
            answer, closed = await knocks(server, address, **hello)
            told = "The host has banned you from this server for 120 min: no swearing here."
            assert (answer["code"], answer["message"], closed) == ("banned", told, 4107)
        assert (await ana.ask("ping"))["type"] == "pong"
        assert await says(socket, "unban", player="BEN") == "ben can connect again."
        assert (await knocks(server, HERE, token=token))[0]["player"]["name"] == "ben"
        assert (await knocks(server, HERE, name="ben2"))[0]["type"] == "welcome"


async def test_a_ban_survives_a_restart(socket: Path, database: Sqlite | Postgres) -> None:
    async with a_server(socket, await database.open(), **SEEN) as server:
        async with a_wire_from(HERE, server) as ben:
            token = (await ben.hello("ben"))["token"]
            await says(socket, "ban", player="ben")
            assert await ben.closed() == 4107
        await says(socket, "ban", player="198.51.100.0/24", why="spam")
    async with a_server(socket, await database.open(), **SEEN) as server:
        why = "The host has banned you from this server: no reason given."
        assert (await knocks(server, "192.0.2.1", token=token))[0]["message"] == why
        assert (await knocks(server, HERE, name="ben2"))[0]["message"] == why
        assert (await knocks(server, "198.51.100.200"))[0]["message"].endswith(": spam.")
        assert (await knocks(server, "192.0.2.1"))[0]["type"] == "welcome"
        assert await says(socket, "unban", player="ben") == "ben can connect again."
        assert (
            await says(socket, "unban", player="198.51.100.0/24")
            == "Everyone from 198.51.100.0/24 can connect again."
        )
    async with a_server(socket, await database.open(), **SEEN) as server:
        assert (await knocks(server, HERE, token=token))[0]["type"] == "welcome"


@pytest.mark.parametrize("when", ["while it is here", "before it comes"])
async def test_a_client_that_is_kept_out_ends_with_a_sentence_and_does_not_hammer(
    socket: Path, when: str
) -> None:
    async with a_server(socket) as server, counted_arrivals(server) as came:
        url = f"ws://127.0.0.1:{server.port}/ws"
        async with connect(url, name="ben") as client:
            token = client.session.token
            await says(socket, "ban", player="ben", why="enough")
            await client.wait_ended()
            assert client.ended is not None
            assert client.ended.sentence == "The host has banned you: enough."
            with pytest.raises(Disconnected, match="banned you: enough"):
                await client.create_room("tic-tac-toe")
        assert len(came) == 1
        if when == "before it comes":
            with pytest.raises(Refused) as refused:
                async with connect(url, token=token, patient=True):
                    pass
            assert refused.value.sentence == "The host has banned you from this server: enough."
            assert refused.value.code == "banned"
            assert len(came) == 2


@pytest.mark.parametrize("others", [0, 1])
async def test_the_host_hears_why_newcomers_from_an_address_still_come_in(socket: Path, others: int) -> None:
    async with a_server(socket) as server, a_wire(server) as ben, a_wire(server) as ana:
        await ben.hello("ben")
        if others:
            await ana.hello("ana")
        answer = await says(socket, "ban", player="ben")
        why = "ana also connected from there" if others else "it is in your own network"
        assert answer.endswith(
            f"New players from 127.0.0.1 can still connect, because {why}. Include the address to stop them."
        )
        assert (await knocks(server, HERE, name="cat"))[0]["type"] == "welcome"
        await says(socket, "unban", player="ben")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"player": "nobody"}, "nobodyCalledThat"),
        ({"player": "ben", "time": "soon"}, "badDuration"),
        ({"player": "ben", "why": "x" * 301}, "hostSaysTooMuch"),
        ({"player": "0.0.0.0/0"}, "networkTooWide"),
    ],
)
async def test_a_ban_that_cannot_be_is_refused_and_nobody_goes(
    socket: Path, arguments: dict[str, str], why: str
) -> None:
    async with a_server(socket) as server, a_wire(server) as ben:
        await ben.hello("ben")
        assert (await say(socket, "ban", **arguments))["reason"] == why
        assert (await say(socket, "unban", player="ben"))["reason"] == "nothingToLift"
        assert (await ben.ask("ping"))["type"] == "pong"


async def test_who_is_kicked_goes_and_cannot_come_back_at_once_by_any_way(socket: Path) -> None:
    async with a_server(socket, **SEEN) as server, a_wire_from(HERE, server) as ben:
        token = (await ben.hello("ben"))["token"]
        said = await says(socket, "kick", player="ben", why="calm down")
        assert said.endswith("is removed and banned for 1 min. So are new players from 203.0.113.7.")
        assert await ben.closed() == 4106
        assert ben.heard[-1]["message"] == "The host has removed you: calm down. You can come back in 1 min."
        for address, hello in ((HERE, {"token": token}), (THERE, {"token": token}), (HERE, {"name": "ben2"})):
            assert (await knocks(server, address, **hello))[1] == 4107
        assert await says(socket, "unban", player="ben") == "ben can connect again."
        assert (await knocks(server, HERE, token=token))[0]["type"] == "welcome"


async def test_a_client_that_is_kicked_ends_with_a_sentence_and_does_not_hammer(socket: Path) -> None:
    async with a_server(socket) as server, counted_arrivals(server) as came:
        async with connect(f"ws://127.0.0.1:{server.port}/ws", name="ben") as client:
            await says(socket, "kick", player="ben", why="calm down")
            await client.wait_ended()
        assert client.ended is not None
        assert client.ended.sentence == "The host has removed you: calm down. You can come back in 1 min."
        assert len(came) == 1


async def test_who_is_muted_says_nothing_also_by_another_connection_and_another_name(socket: Path) -> None:
    async with (
        a_server(socket, **SEEN) as server,
        a_wire_from(THERE, server) as ana,
        a_wire_from(HERE, server) as ben,
    ):
        await ana.hello("ana")
        room = (await ana.ask("createRoom", game="tic-tac-toe", subscribe=["chat"]))["room"]
        token = (await ben.hello("ben"))["token"]
        await ben.ask("join", room=room)
        said = await says(socket, "mute", player="ben", time="1h", why="shouting")
        assert said.endswith("is muted for 1 h. So are new players from 203.0.113.7.")
        assert (await told(ben)) == "The host has muted you for 1 h: shouting. You can keep playing."
        assert (await ben.ask("say", room=room, text="boo"))["reason"] == "hostMutedFor"
        for address, hello in ((THERE, {"token": token}), (HERE, {"name": "ben2"})):
            async with a_wire_from(address, server) as again:
                await again.ask("hello", protocol=1, client="test", **hello)
                await again.ask("join", room=room, watch=True)
                assert (await again.ask("say", room=room, text="boo"))["reason"] == "hostMutedFor"
        assert await says(socket, "unmute", player="ben") == "ben can chat again."
        assert (await told(ben)) == "The host has unmuted you."
        assert (await ben.ask("say", room=room, text="sorry"))["type"] == "ok"
        while (heard := await ana.hear())["type"] != "said":
            pass
        assert heard["text"] == "sorry"


async def test_a_table_is_closed_under_those_who_sit_and_watch_there(socket: Path) -> None:
    async with a_server(socket) as server, a_table(server) as (ana, ben, room):
        said = await says(socket, "close", room=room[:5], why="bedtime")
        assert said == f"Table {room} (tic-tac-toe) is closed; 2 players had to leave."
        for wire in (ana, ben):
            assert await told(wire) == f"The host has closed table {room}: bedtime."
            while (message := await wire.hear())["type"] != "left":
                pass
            assert message["reason"] == "closed"
            assert (await wire.ask("join", room=room))["code"] == "unknownRoom"
        assert (await say(socket, "close", room=room))["reason"] == "noRoomCalledThat"


async def test_while_it_drains_everybody_is_told_and_what_is_on_goes_on(socket: Path) -> None:
    async with (
        a_server(socket) as server,
        a_table(server) as (ana, ben, room),
        a_wire(server) as cat,
        a_browser(server) as browser,
    ):
        assert await says(socket, "drain") == "New games are blocked; 1 game running."
        for wire in (ana, ben):
            assert (await told(wire)).startswith("The server is about to stop. Current games continue")
        await cat.hello("cat")
        assert (await told(cat)).startswith("The server is about to stop")
        assert await browser.get("/readyz") == (503, '{"ready": false, "why": "it drains", "games": 1}')
        assert (await cat.ask("createRoom", game="tic-tac-toe"))["code"] == "draining"
        turn = await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        assert turn["type"] == "nextPlayer"
        assert await says(socket, "undrain") == "New games can start again."
        assert await told(cat) == "New games can start again on this server."
        assert await browser.get("/readyz") == (200, '{"ready": true}')
        assert (await cat.ask("createRoom", game="tic-tac-toe"))["type"] == "joined"
        assert (await say(socket, "undrain"))["reason"] == "notDraining"


@asynccontextmanager
async def a_process(socket: Path, database: Path) -> AsyncIterator[tuple[Process, SimpleNamespace]]:
    """`tablero serve` as a host starts it, and where it listens."""
    settings = {"TABLERO_DATABASE": f"sqlite:///{database}", "TABLERO_ADMIN": str(socket)}
    settings |= {"TABLERO_FIRST_MOVE_SECONDS": "0"}
    async with tablero_serve("--port", "0", "--no-bots", **settings) as process:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        yield process, SimpleNamespace(port=int(line.removesuffix("/\n").rpartition(":")[2]))


async def test_it_stops_after_the_last_game_and_goes_on_with_those_of_days(
    socket: Path, tmp_path: Path
) -> None:
    def left(answer: Json) -> int:
        [line] = [line for line in answer["rooms"] if line["room"] == slow]
        return int(line["clocks"][0])

    async with (
        a_process(socket, tmp_path / "games.db") as (process, server),
        a_table(server, clock={"base": 60}) as (ana, ben, fast),
    ):
        token = ana.heard[0]["token"]
        slow = (await ana.ask("createRoom", game="tic-tac-toe", clock={"days": 3}))["room"]
        await ben.ask("join", room=slow)
        for ply, wire in enumerate((ana, ben)):
            await wire.ask("playTurn", room=slow, seat=ply, ply=ply, move=("a1", "b2")[ply])
        code, said = await says_by_hand(socket, "drain", "--then-stop")
        assert (code, said) == (
            0,
            "New games are blocked; 1 game running. The server stops after the last one.\n",
        )
        assert (await ana.ask("createRoom", game="tic-tac-toe"))["code"] == "draining"
        asked, before = time(), left(await ana.ask("listRooms"))
        for ply, move in enumerate(("a1", "b2", "a2", "b3", "a3")):
            answer = await (ana, ben)[ply % 2].ask("playTurn", room=fast, seat=ply % 2, ply=ply, move=move)
            assert answer["type"] == "nextPlayer"
        assert (await ana.closed(), await ben.closed()) == (4000, 4000)
        _, errors = await process.communicate()
        assert process.returncode == 0
        assert b"the last game is over" in errors
    async with a_process(socket, tmp_path / "games.db") as (_, server), a_wire(server) as ana:
        after = left(await ana.ask("hello", protocol=1, client="test", token=token))
        gone = round((time() - asked) * 1000) + CLOCKS_DIFFER_MS
        assert before - after <= gone, "days pass, and nothing else is taken"
        assert (await ana.ask("createRoom", id="again", game="tic-tac-toe"))["type"] == "joined"


async def test_the_list_is_a_table_by_hand_and_json_for_programs(socket: Path) -> None:
    async with a_server(socket, **SEEN) as server, a_wire_from(HERE, server) as ana:
        await ana.hello("ana")
        room = (await ana.ask("createRoom", game="tic-tac-toe"))["room"]
        code, text = await says_by_hand(socket, "list")
        lines = [line.split() for line in text.splitlines()]
        assert (code, lines[0], lines[2][0], lines[5][0]) == (0, ["Players", "here:", "1"], "ana", room)
        assert HERE not in text
        _, text = await says_by_hand(socket, "list", "--addresses")
        assert HERE in text
        code, text = await says_by_hand(socket, "list", "--json")
        shown = json.loads(text)
        assert (code, shown["ok"], shown["players"][0]["name"]) == (0, True, "ana")
        assert "addresses" not in shown["players"][0]


async def test_a_code_that_a_banned_player_has_asked_for_hands_over_nothing(socket: Path) -> None:
    async with a_server(socket, **SEEN) as server, a_wire_from(HERE, server) as ben:
        await ben.hello("ben")
        code = (await ben.ask("handOver"))["code"]
        await says(socket, "ban", player="ben")
        assert (await knocks(server, THERE, handOver=code))[0]["code"] == "banned"


async def test_what_could_not_be_saved_is_refused_and_whoever_was_to_go_comes_back(socket: Path) -> None:
    disk = FullDisk()
    async with a_server(socket, disk) as server, a_table(server) as (ana, ben, room):
        token = ben.heard[0]["token"]
        disk.full = True
        for command in ("kick", "ban", "mute"):
            assert (await say(socket, command, player="ben"))["code"] == "retryLater"
        assert (await say(socket, "close", room=room))["code"] == "retryLater"
        assert await ben.closed() == 4003
        assert not [message for message in ben.heard if message["type"] in ("bye", "announcement")]
        disk.full = False
        async with a_wire(server) as back:
            await back.ask("hello", protocol=1, client="test", token=token)
            assert (await back.ask("join", id="again", room=room, watch=True))["type"] == "joined"
            assert (await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2"))["type"] == "nextPlayer"
            turn = await back.ask("playTurn", id="turn", room=room, seat=1, ply=1, move="a1")
            assert turn["type"] == "ok", turn


async def test_a_bot_that_is_kicked_ends_with_the_sentence_and_does_not_hammer(
    socket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    brain = find_brain("tic-tac-toe:easy")
    async with (
        a_server(socket) as server,
        a_wire(server) as ana,
        counted_arrivals(server) as came,
    ):
        await ana.hello("ana")
        await ana.ask("watchLobby")
        came.clear()
        options = HostOptions(server=f"ws://127.0.0.1:{server.port}/ws", name="robo")
        playing = asyncio.create_task(host([brain], options))
        while "robo" not in [player["name"] for player in (await ana.hear()).get("players", ())]:
            pass
        await says(socket, "kick", player="robo", why="too loud")
        assert await playing == 1
        assert "The host has removed you: too loud. You can come back in 1 min." in caplog.messages
        with pytest.raises(Refused, match="has banned you from this server for 1 min: too loud"):
            await host([brain], options)
        assert len(came) == 2


async def test_the_host_is_told_of_every_game_of_a_day(folder: Path) -> None:
    async with (
        a_server(folder / "admin") as server,
        a_wire(server) as ana,
        a_wire(server, address="127.0.0.2") as ben,
    ):
        room, _, _ = await a_game(ana, ben, "tic-tac-toe", private=True)
        await to_the_end(ana, ben, room)
        again = (await ana.ask("createRoom", game="tic-tac-toe", **RATED))["room"]
        await ben.ask("join", room=again)
        await to_the_end(ana, ben, again)
        today = f"{_day(server.service.now())}"
        answer = await say(folder / "admin", "games", day=today)
        told = [json.loads(line) for line in answer["message"].splitlines()]
        assert [(game["room"], game["private"]) for game in told] == [(room, True), (again, False)]
        assert [seat["name"] for seat in told[0]["seats"]] == ["ana", "ben"]
        assert [round(seat["value"]) for seat in told[1]["seats"]] == [1662, 1338]
        assert "token" not in answer["message"]


@pytest.mark.parametrize("day", ["2001-02-03", "0001-01-01", "9999-12-31"])
async def test_a_day_without_games_is_told_as_one(folder: Path, day: str) -> None:
    async with a_server(folder / "admin"):
        answer = await say(folder / "admin", "games", day=day)
        assert answer == {"ok": True, "message": f"No games were played on {day}."}


async def test_the_games_go_on_while_a_long_day_is_told(folder: Path) -> None:
    async with a_server(folder / "admin") as server:
        games = tuple(came_out(f"r{number}", 0, games=None, at=0) for number in range(2_000))
        await server.journal.append([Effects(kept=games)])
        turns, answer = 0, asyncio.create_task(games_of_day(server.service, "1970-01-01"))
        while not answer.done():
            turns += 1
            await asyncio.sleep(0)
        assert len(answer.result().splitlines()) == 2_000
        assert turns > 20


@pytest.mark.parametrize("day", ["", "today", "2026-13-01", "2026-02-30", "19.11.2026"])
async def test_what_is_no_day_is_refused(folder: Path, day: str) -> None:
    async with a_server(folder / "admin"):
        answer = await say(folder / "admin", "games", day=day)
        assert (answer["ok"], answer["reason"]) == (False, "noDay")


def _day(milliseconds: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d}"


async def test_the_load_is_told_in_numbers_and_in_lines(socket: Path) -> None:
    async with a_server(socket, connections=77) as server, a_table(server) as (ana, _, room):
        await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
        answer = await say(socket, "load")
    load = answer["load"]
    assert (load["connections"], load["mostConnections"], load["turns"]) == (2, 77, 1)
    assert (load["rooms"]["playing"], load["canSave"], load["draining"]) == (1, True, False)
    lines = dict(line.split("  ", 1) for line in answer["message"].splitlines())
    assert lines["Connections"] == "2 of 77, 2 players"
    assert lines["Rooms"].strip().startswith("1 playing; ")
    assert lines["Saves"].strip() == "yes"


async def test_the_settings_in_force_are_told_without_secrets(socket: Path) -> None:
    async with a_server(socket, passphrase="sesame", watchers=7):
        answer = await say(socket, "settings")
    settings = {each["variable"]: each["value"] for each in answer["settings"]}
    assert (settings["TABLERO_WATCHERS"], settings["TABLERO_PASSPHRASE"]) == (7, "(hidden)")
    assert "sesame" not in str(answer)


async def test_what_changes_something_or_is_refused_is_kept_and_what_only_looks_is_not(
    socket: Path,
) -> None:
    async with a_server(socket) as server, a_wire(server) as ana:
        await ana.hello("ana")
        said: list[tuple[str, dict[str, Any]]] = [
            *(("list", {}), ("load", {}), ("announce", {"text": "Tea!"}), ("kick", {"player": "nobody"})),
            *(
                ("fly", {}),
                ("kick", {}),
                ("kick", {"player": 5}),
                ("kick", {"player": "ana", "service": "x"}),
            ),
        ]
        answers = [(await say(socket, name, **asked))["ok"] for name, asked in said]
        kept = (await say(socket, "audit"))["audit"]
    assert answers == [True, True, True, False, False, False, False, False]
    assert [(each["command"], each.get("refused")) for each in kept] == [
        ("announce", None),
        ("kick", "nobodyCalledThat"),
    ]


def test_short_times_are_milliseconds() -> None:
    assert (in_words_of(0.0025), in_words_of(2.0)) == ("2.5 ms", "2 s")


async def test_a_strike_is_kept_and_a_look_at_what_it_would_do_is_not(socket: Path) -> None:
    async with a_server(socket) as server, a_wire(server) as ana, a_wire(server, address="127.0.0.2") as ben:
        await ana.hello("ana")
        await ben.hello("ben")
        room = (await ana.ask("createRoom", game="tic-tac-toe", **RATED))["room"]
        await ben.ask("join", room=room)
        for ply, move in enumerate(("a1", "a2", "b1", "b2", "c1")):
            await (ana, ben)[ply % 2].ask("playTurn", room=room, seat=ply % 2, ply=ply, move=move)
        look, strike, again = [
            await say(socket, "strike", player="ana", **yes) for yes in ({}, {"yes": "yes"}, {})
        ]
        kept = (await say(socket, "audit"))["audit"]
    assert (look["games"], strike["ok"], again["reason"]) == (1, True, "nothingToStrike")
    assert [(each["command"], each.get("refused")) for each in kept] == [
        ("strike", None),
        ("strike", "nothingToStrike"),
    ]
