"""The commands for records: fetched over real HTTP, verified, and shown as text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from tablero import connect
from tablero.catalogue.speech import speak
from tablero.client.identity import Identity
from tablero.playing import records
from tablero.playing.records import NoRecord, fetch, verify_file
from tablero.terminal.replaying import own_stage, replay_file
from tablero_games import GAMES
from tablero_games.record.file import Played, RecordedTurn, write
from tests.harness.client import real_server
from tests.harness.command_line import RUNNING, SEALED, WON, a_record, kept, tablero


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TABLERO_SERVER", raising=False)
    return tmp_path


# verify


@pytest.mark.parametrize(
    ("record", "code", "words"),
    [
        (WON, 0, "valid\n"),
        (RUNNING, 0, "valid so far\n"),
        (SEALED, 0, "valid so far, sealed\n"),
        (WON.replace("a1", "a9", 1), 1, "invalid at line 3: This is not the line that followed line 2"),
        (WON[:-1], 1, "invalid at line 7: The record breaks off."),
        (WON.replace("\n", "\r\n"), 1, "invalid at line"),
        (WON.replace("Ana", "Zoë"), 1, "invalid at line"),
        ("\x00\xff", 1, "invalid at line 1"),
    ],
)
def test_verify_says_whether_and_why_not(tmp_path: Path, record: str, code: int, words: str) -> None:
    got, text = tablero("verify", kept(tmp_path, record))
    assert got == code
    assert text.startswith(words)


def test_verify_draws_what_an_illegal_move_was_played_on(tmp_path: Path) -> None:
    moved = [RecordedTurn(seat=0, move="a1", at=1), RecordedTurn(seat=1, move="a1", at=2)]
    game = GAMES["tic-tac-toe"]
    played = Played(
        game=game, options=game.read_options({}), names=["Ana", "Ben"], seed=7, turns=moved, outcome=None
    )
    code, text = tablero("verify", kept(tmp_path, write(played)))
    assert code == 1
    assert text.splitlines() == [
        "invalid at line 3: Cell a1 is occupied.", "3 | . . . |", "2 | . . . |", "1 | X . . |", "    a b c",
    ]  # fmt: skip


def test_verify_in_json(tmp_path: Path) -> None:
    code, text = tablero("verify", kept(tmp_path, SEALED), "--json")
    assert (code, json.loads(text)) == (0, {"valid": True, "line": None, "reason": None, "sealed": True})
    code, text = tablero("verify", kept(tmp_path, RUNNING[:-1]), "--json")
    verdict = json.loads(text)
    assert (code, verdict["valid"], verdict["line"]) == (1, False, 4)


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_is_not_there_is_wrong_use(command: str, tmp_path: Path) -> None:
    assert tablero(command, tmp_path / "none")[0] == 2
    assert tablero(command, tmp_path)[0] == 2


# record


async def test_a_record_is_fetched_and_verified(tmp_path: Path) -> None:
    file = tmp_path / "out.record"
    async with real_server() as url, connect(url, name="Ana") as ana, connect(url, name="Ben") as ben:
        room = await ana.create_room("tic-tac-toe")
        await ben.join(room=room.id)
        to_file = ("record", room.id, "--server", url, "--out", file)
        assert await asyncio.to_thread(tablero, *to_file) == (0, "")
        code, text = await asyncio.to_thread(tablero, "record", room.id, "--server", url)
    assert (code, text) == (0, file.read_text())
    assert tablero("verify", file) == (0, "valid so far\n")


async def test_the_token_that_is_kept_opens_a_private_room() -> None:
    async with real_server() as url:
        with Identity(url, "Ana") as identity:
            async with connect(url, name="Ana") as ana, connect(url, name="Ben") as ben:
                identity.keep(ana.session.token)
                room = await ana.create_room("tic-tac-toe", private=True)
                await ben.join(code=room.code)
                assert b"Ben" in await asyncio.to_thread(fetch, url, room.id, "Ana")
                for stranger in ("Cleo", "Ben"):
                    with pytest.raises(NoRecord, match="never been such a room"):
                        await asyncio.to_thread(fetch, url, room.id, stranger)


async def test_what_the_server_refuses_is_told() -> None:
    async with real_server() as url:
        code, text = await asyncio.to_thread(tablero, "record", "no/../where", "--server", url)
        assert (code, text) == (1, "No: There has never been such a room.\n")
        code, text = await asyncio.to_thread(tablero, "record", "x", "--server", f"{url}/elsewhere")
        assert (code, "has no records (HTTP 404)" in text) == (1, True)


def test_no_server_and_no_place_to_write_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = tablero("record", "x", "--server", "ws://127.0.0.1:9")
    assert (code, text.startswith("No server answers at ws://127.0.0.1:9")) == (1, True)
    assert tablero("record", "x", "--server", "ftp://x")[0] == 2
    monkeypatch.setattr(records, "fetch", lambda *_: b"{}\n")
    assert tablero("record", "x", "--out", tmp_path / "no" / "folder")[0] == 2


class Listener:
    """Answers every request with a redirection, and remembers what it was asked."""

    def __init__(self) -> None:
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        asked: list[tuple[str, str | None]] = []

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append((self.path, self.headers["Authorization"]))
                moved = "record" in self.path
                self.send_response(302 if moved else 200)
                if moved:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.asked = asked
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        Thread(target=self.server.serve_forever, args=(0.01,)).start()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listening = Listener()
    yield listening
    listening.server.shutdown()
    listening.server.server_close()


def test_a_token_is_sent_to_its_own_server_alone(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"ws://127.0.0.1:{listener.server.server_port}/game/ws"
    with Identity(url, "Ana") as identity:
        identity.keep("s3cret")
    assert fetch(url, "r1", "Ana") == b""
    assert listener.asked == [("/game/api/rooms/r1/record", "Bearer s3cret"), ("/elsewhere", None)]
    monkeypatch.setattr(records, "is_public", lambda _: True)
    listener.asked.clear()
    fetch(url, "r1", "Ana")
    assert listener.asked[0][1] is None


@pytest.fixture
def flood() -> Iterator[str]:
    """A server that answers with as many bytes as the path asks for, and keeps the connection open."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    over = Event()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = int(self.path.split("/")[3])
            self.send_response(200 if wanted % 2 else 404)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(b"x" * wanted)
                self.wfile.flush()
                over.wait()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, args=(0.01,)).start()
    yield f"ws://127.0.0.1:{server.server_port}"
    over.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("length", [(2 << 20) + 1, (2 << 20) + 2], ids=["record", "refusal"])
def test_no_more_is_read_than_a_record_can_be_long(flood: str, length: int) -> None:
    with pytest.raises(NoRecord, match="larger than any record"):
        fetch(flood, str(length), "Ana")


def test_a_record_is_waited_for_only_so_long_in_all(flood: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_SECONDS", 0.02)
    with pytest.raises(NoRecord, match="no answer in time"):
        fetch(flood, "1", "Ana")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"message": 5}', b"[" * 60_000])
def test_a_refusal_that_cannot_be_read_is_told_by_its_status(body: bytes) -> None:
    assert "has no records (HTTP 500)" in records._sentence(body, 500)


def test_a_record_is_told_in_the_language_of_the_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "a.record"
    place.write_text(a_record("tic-tac-toe", "a1", "resign"))
    speak("fr")
    assert replay_file(place, "ascii", own_stage()) == 0
    told = capsys.readouterr().out
    assert told.startswith("Morpion : Ana, Ben\n")
    assert "1. Ana joue a1." in told
    assert "2. Ben abandonne." in told
    assert told.endswith("Ana gagne (abandon).\n")
    assert verify_file(place, as_json=False) == 0
    assert capsys.readouterr().out == "valide\n"
    place.write_text(WON.replace("a1", "a9", 1))
    assert verify_file(place, as_json=False) == 1
    assert "invalide à la ligne 3 : Ce n'est pas la ligne" in capsys.readouterr().out
    assert verify_file(place, as_json=True) == 1
    assert "This is not the line that followed line 2" in capsys.readouterr().out
