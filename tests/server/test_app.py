"""The server as a process: its pages, its guard against half connections, its start and its end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from contextlib import AsyncExitStack
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablero_server.app import steady_milliseconds
from tablero_server.reach.own_addresses import leading_to, own_addresses, url_host
from tests.harness.journals import FullDisk, WaitingJournal
from tests.harness.pages import a_browser
from tests.harness.processes import PROGRAM, tablero_serve
from tests.harness.wire import PATIENCE, a_server, a_table, a_wire

# Pages


async def test_the_front_page_says_how_to_play_here() -> None:
    async with a_server() as server, a_browser(server) as browser:
        status, page = await browser.get("/", Host=f"127.0.0.1:{server.port}")
        assert status == 200
        assert f"tablero play 127.0.0.1:{server.port}\n" in page


async def test_behind_tls_the_front_page_says_so_and_a_stranger_cannot() -> None:
    said = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "games.example.org"}
    name, proxy = "games.example.org", "127.0.0.1"
    async with a_server(names=name, trusted_proxies=proxy) as server, a_browser(server) as browser:
        assert "tablero play https://games.example.org\n" in (await browser.get("/", **said))[1]
    async with a_server(names="games.example.org") as server, a_browser(server) as browser:
        assert "tablero play 127.0.0.1\n" in (await browser.get("/", **said))[1]


@pytest.mark.parametrize("path", ["/", "/healthz", "/protocol", "/nowhere", "/ws", "/api/rooms/x/record"])
async def test_no_browser_guesses_what_an_answer_is(path: str) -> None:
    async with a_server() as server, a_browser(server) as browser:
        await browser.ask(path)
        _, headers, _ = await browser.answer()
    assert headers["x-content-type-options"] == "nosniff"


async def test_it_says_that_it_is_alive_and_ready() -> None:
    async with a_server() as server, a_browser(server) as browser:
        assert await browser.get("/healthz") == (200, '{"alive": true}')
        assert await browser.get("/readyz") == (200, '{"ready": true}')


async def test_while_it_stops_it_is_alive_but_not_ready_and_lets_nobody_in() -> None:
    journal = WaitingJournal()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(a_server(journal))
        ana = await stack.enter_async_context(a_wire(server))
        browsers = [await stack.enter_async_context(a_browser(server)) for _ in range(4)]
        await ana.hello()
        assert (await browsers[0].get("/readyz"))[0] == 200
        await ana.tell("createRoom", game="tic-tac-toe")
        await journal.asked.get()
        stopping = asyncio.create_task(server.stop())
        await asyncio.sleep(0)
        assert await browsers[1].get("/readyz") == (503, '{"ready": false, "why": "it stops"}')
        assert (await browsers[2].get("/healthz"))[0] == 200
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
        assert (await browsers[3].get("/ws", **upgrade))[0] == 503
        journal.go_on()
        await stopping


async def test_it_is_not_ready_while_it_cannot_save_and_is_again_without_being_asked_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tablero_server.journal.committer._CHECK_SECONDS", 0.01)
    journal = FullDisk()
    async with a_server(journal) as server, a_wire(server) as ana, a_browser(server) as browser:
        await ana.hello()
        journal.full = True
        assert (await ana.ask("createRoom", game="tic-tac-toe"))["code"] == "retryLater"
        assert await browser.get("/readyz") == (503, '{"ready": false, "why": "it cannot save"}')
        assert (await browser.get("/healthz"))[0] == 200
        journal.full = False
        async with asyncio.timeout(PATIENCE):
            while (await browser.get("/readyz"))[0] != 200:
                pass


async def test_the_protocol_is_shown_as_it_is_shipped() -> None:
    shipped = resources.files("tablero_protocol").joinpath("asyncapi.json").read_text("utf-8")
    async with a_server() as server, a_browser(server) as browser:
        status, text = await browser.get("/protocol")
    assert (status, json.loads(text)) == (200, json.loads(shipped))


@pytest.mark.parametrize(("path", "status"), [("/ws", 426), ("/nowhere", 404), ("/../etc/passwd", 404)])
async def test_other_requests_are_refused(path: str, status: int) -> None:
    async with a_server() as server, a_browser(server) as browser:
        assert (await browser.get(path))[0] == status


async def test_headers_that_are_too_long_are_refused() -> None:
    async with a_server() as server, a_browser(server) as browser:
        assert (await browser.get("/healthz", X_Long="x" * 8_000))[0] == 200
        assert (await browser.get("/healthz", X_Long="x" * 9_000))[0] == 400


# Half connections

HALVES = {
    "silence": "",
    "half a line": "GET /he",
    "half the headers": "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES.keys())
async def test_a_connection_whose_headers_do_not_come_is_dropped(half: str) -> None:
    async with a_server(hello_seconds=0.05) as server, a_browser(server) as browser:
        await browser.send(half)
        await browser.dropped()


# Time


def test_time_is_the_time_of_day_and_does_not_jump_when_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_000.0)
    monkeypatch.setattr(time, "monotonic", lambda: 50.0)
    now = steady_milliseconds()
    assert now() == 1_000_000_000
    monkeypatch.setattr(time, "time", lambda: 5.0)
    monkeypatch.setattr(time, "monotonic", lambda: 50.25)
    assert now() == 1_000_000_250


# The whole process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_serve_ends_well_when_it_is_told_to_while_it_starts(number: signal.Signals) -> None:
    asked = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    database = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = database.sockets[0].getsockname()[1]
    url = f"postgresql://ann@127.0.0.1:{port}/games?sslmode=disable"
    async with tablero_serve("--port", "0", "--no-bots", "--database", url) as process:
        await asked.wait()
        process.send_signal(number)
        out, err = await process.communicate()
        assert (process.returncode, out, b"Traceback" in err) == (0, b"", False)
    database.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_serve_says_in_four_lines_what_to_do_and_ends_well_when_told_to(
    number: signal.Signals,
) -> None:
    async with tablero_serve("--port", "0", "--no-bots", program=PROGRAM) as process:
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode() for _ in range(4)]
        address = lines[0].split("http://")[1].removesuffix("/\n")
        page = lines.pop(2)
        assert page.startswith("Manage it on the host's page:  http://127.0.0.1:84")
        assert lines == [
            f"Tablero is at http://{address}/\n",
            f"Play from a second terminal:  {sys.executable} -m tablero play {address}\n",
            "Stop with Ctrl-C.\n",
        ]
        process.send_signal(number)
        out, errors = await process.communicate()
        assert (process.returncode, out) == (0, b"")
        assert b"Traceback" not in errors


async def test_two_servers_with_a_folder_each_run_side_by_side(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    kept = [{"TABLERO_HOME": str(folder), "TABLERO_DATABASE": ""} for folder in folders]
    async with tablero_serve("--no-bots", **kept[0]) as one, tablero_serve("--no-bots", **kept[1]) as two:
        ports = []
        for process in (one, two):
            assert process.stdout is not None
            told = [(await process.stdout.readline()).decode() for _ in range(3)]
            ports += [line.rstrip("/\n").rpartition(":")[2] for line in (told[0], told[2])]
        assert len({*ports}) == 4, ports
        for process in (one, two):
            process.send_signal(signal.SIGTERM)
            assert b"warning" not in (await process.communicate())[1]
    files = {"tablero.db", "tablero.db.lock"}
    assert {*os.listdir(tmp_path)} == {"one", "two"}
    assert [{*os.listdir(folder)} for folder in folders] == [files, files]


async def test_serve_says_what_others_open_where_they_can_reach_it() -> None:
    own = next(iter(leading_to(["0.0.0.0"], own_addresses())), None)
    async with tablero_serve("--port", "0", "--no-bots", "--host", "0.0.0.0") as process:
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode() for _ in range(2)]
        port = int(lines[0].rstrip("/\n").rpartition(":")[2])
        told = lines[1] == f"Others in your network open:  http://{own}:{port}/\n"
        assert told == (own is not None), lines
        if own is not None:
            _, writer = await asyncio.open_connection(str(own), port)
            writer.close()


async def test_a_server_for_the_network_prints_a_link_for_each_of_its_addresses_and_a_picture() -> None:
    known = leading_to(["0.0.0.0"], own_addresses())
    environment = {"PYTHONIOENCODING": "utf-8"}
    async with tablero_serve("--port", "0", "--no-bots", "--lan", **environment) as process:
        assert process.stdout is not None
        told: list[str] = []
        while not told or told[-1] != "Stop with Ctrl-C.\n":
            told.append((await process.stdout.readline()).decode())
            assert told[-1], told
        port = told[0].rstrip("/\n").rpartition(":")[2]
        links = [f"http://{url_host(each)}:{port}/\n" for each in known]
        assert [line.rpartition(" ")[2] for line in told[1 : 1 + len(links)]] == links
        assert any("▄" in line for line in told) == bool(links)
        process.send_signal(signal.SIGTERM)
        await process.communicate()
        assert process.returncode == 0


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs SIGSTOP")
async def test_a_process_that_was_stopped_for_longer_than_the_clock_goes_on_with_the_game() -> None:
    async with tablero_serve("--port", "0", "--no-bots", program=PROGRAM) as process:
        assert process.stdout is not None
        port = int((await process.stdout.readline()).decode().removesuffix("/\n").rpartition(":")[2])
        async with a_table(SimpleNamespace(port=port), clock={"base": 1}) as (ana, _, room):
            process.send_signal(signal.SIGSTOP)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1.2):
                    await ana.hear()
            process.send_signal(signal.SIGCONT)
            turn = await ana.ask("playTurn", room=room, seat=0, ply=0, move="b2")
            assert turn["type"] == "nextPlayer", turn
            assert turn["clocks"][0] > 500


async def test_no_bots_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    kept = {"TABLERO_HOME": str(tmp_path), "TABLERO_BOT_KEY": str(tmp_path / "key")}
    async with tablero_serve("--port", "0", program=PROGRAM, **kept) as process:
        assert process.stderr is not None
        while b"house" not in (line := await process.stderr.readline()):
            assert line, "no bot host came"
        process.kill()
        await process.communicate()  # the bot host holds the same pipes, so they end when both have
    assert process.returncode == -signal.SIGKILL
