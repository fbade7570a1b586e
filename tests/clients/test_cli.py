"""The command line: what it prints, what it refuses, and that it starts in a moment."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tablero.bots import host as bot_host
from tablero.bots.run_bot import run
from tablero.catalogue.speech import spoken
from tablero.cli import app, server_to_play
from tablero.client.addresses import DEFAULT
from tablero.client.dns_answers import FoundServer
from tablero.playing import nearby
from tablero.terminal import play as play_module
from tests.harness.bots import First
from tests.harness.command_line import tablero

HEAVY = (
    "pydantic",
    "websockets",
    "asyncio",
    "msgpack",
    "aiohttp",
    "tablero_games",
    "tablero_server",
    "numpy",
)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[FoundServer]:
    """The servers in the network; none unless a test adds one, and none on this machine."""
    there: list[FoundServer] = []
    monkeypatch.setattr(nearby, "find", lambda seconds: there)
    monkeypatch.setattr(nearby, "answers", lambda url: False)
    return there


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch, network: list[FoundServer]) -> list[tuple[Any, str]]:
    """What `tablero play` would have begun, and the language spoken then."""
    begun: list[tuple[Any, str]] = []

    def pretend(options: Any) -> int:
        begun.append((options, spoken()))
        return 0

    monkeypatch.setattr(play_module, "play", pretend)
    return begun


def test_help_lists_every_command() -> None:
    code, text = tablero("--help")
    assert code == 0
    for name in ("serve", "play", "bots", "bot", "bot-host", "record", "verify", "replay"):
        assert f"\n  {name} " in text


def test_the_version_is_the_one_that_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert tablero("--version") == (0, f"tablero {project['version']}\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bot", "tic-tac-toe:hrad"], "did you mean tic-tac-toe:hard?"),
        (["bot", "nowhere.py:Bot"], "There is no file nowhere.py."),
        (["bot", "tic-tac-toe:hard", "--room", "a", "--code", "b"], "not both"),
        (["bot", "tic-tac-toe:hard", "--server", "ftp://x"], "is not an address"),
        (["play", "ftp://x"], "is not an address"),
        (["play", "--style", "braille"], "'ascii', 'unicode', 'emoji'"),
        (["bot-host", "--capacity", "0"], "Invalid value"),
        (["bot-host", "--key", "/no/such/key"], "does not exist"),
        (["bot-host", "--pace", "fast"], "'fast' is no pace; write 1 for the usual one"),
        (["bot-host", "--only", "tic-tac-toe:hrad"], "did you mean tic-tac-toe:hard?"),
        (["serve", "--port", "70000"], "Invalid value"),
        (["fly"], "No such command"),
    ],
)
def test_wrong_use_is_explained_and_ends_with_2(arguments: list[str], sentence: str) -> None:
    code, text = tablero(*arguments)
    assert (code, sentence in text) == (2, True), text


@pytest.mark.parametrize(
    ("arguments", "server", "join"),
    [
        ([], "ws://127.0.0.1:8470/ws", None),
        (["ABCD-EFGH"], "ws://127.0.0.1:8470/ws", "ABCD-EFGH"),
        (["localhost:9000"], "ws://localhost:9000/ws", None),
        (["https://game.example.org/?join=ABCD-EFGH"], "wss://game.example.org/ws", "ABCD-EFGH"),
        (["ABCD-EFGH", "--server", "localhost"], "ws://localhost:8470/ws", "ABCD-EFGH"),
    ],
)
def test_play_takes_a_server_or_a_table(
    plays: list[tuple[Any, str]], arguments: list[str], server: str, join: str | None
) -> None:
    assert tablero("play", *arguments, "--name", "Ana")[0] == 0
    [(options, _)] = plays
    assert (options.server, options.join, options.name, options.as_json) == (server, join, "Ana", False)


@pytest.mark.parametrize(
    ("arguments", "style"), [([], None), (["--style", "ascii"], "ascii"), (["--style", "emoji"], "emoji")]
)
def test_play_draws_in_the_style_that_is_asked_for(
    plays: list[tuple[Any, str]], arguments: list[str], style: str | None
) -> None:
    assert tablero("play", *arguments)[0] == 0
    assert [options.style for options, _ in plays] == [style]


def test_serve_passes_on_only_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from tablero_server import app

    said: list[dict[str, Any]] = []

    def pretend(**options: Any) -> int:
        said.append(options)
        return 0

    monkeypatch.setattr(app, "serve", pretend)
    assert tablero("serve", "--port", "0", "--no-bots")[0] == 0
    [options] = said
    assert {name: value for name, value in options.items() if value is not None} == {"port": 0, "bots": False}


def test_serve_without_the_server_packages_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tablero_server.app", None)
    code, text = tablero("serve")
    assert (code, "pip install 'tablero[server]'" in text) == (2, True)


def python(*arguments: str) -> str:
    """The output of a fresh Python."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(
        [sys.executable, *arguments], env=env, capture_output=True, text=True, check=True
    ).stdout


def test_the_command_line_starts_without_what_it_does_not_need() -> None:
    code = f"import sys, tablero.cli; print(*sorted({set(HEAVY)} & set(sys.modules)))"
    assert python("-c", code).strip() == ""


def test_a_broken_game_of_another_package_ends_any_command_with_its_sentence(tmp_path: Path) -> None:
    info = tmp_path / "tablero_hex-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tablero-hex\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tablero.games]\nhex = tablero_hex:Hex\n")
    command = [sys.executable, "-m", "tablero", "bots"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Cannot load game 'hex' of package tablero-hex (tablero_hex:Hex): "
        "ModuleNotFoundError: No module named 'tablero_hex'.\n"
    )


def test_python_m_tablero_is_the_command_line() -> None:
    assert "bot-host" in python("-m", "tablero", "--help")


# run(MyBot)


def test_run_plays_a_hundred_games_here_and_sums_up(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(First, [])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("tic-tac-toe:first against random, 100 games: ")


class Broken(First):
    def choose(self, turn: Any) -> str:
        raise RuntimeError("broken")


def test_run_tells_of_failures_and_how_to_repeat_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(Broken, ["--games", "4", "--seed", "7", "--opponent", "tic-tac-toe:perfect"])
    assert ended.value.code == 1
    text = capsys.readouterr().out
    assert "4 lost" in text
    assert "broken failed in 4 games: 4 crashed. The first:" in text
    assert "perfect failed" not in text
    assert "seed 7, after no moves: RuntimeError: broken" in text
    assert Path(__file__).name in text


def test_run_tells_of_an_opponent_that_fails_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.py"
    path.write_text(
        "from tablero import Bot\nclass Other(Bot):\n  game = 'tic-tac-toe'\n"
        "  def choose(self, turn): return 'z9' if turn.ply > 2 else 1 / 0\n"
    )
    with pytest.raises(SystemExit) as ended:
        run(First, ["--games", "4", "--opponent", f"{path}:Other"])
    assert ended.value.code == 1
    text = capsys.readouterr().out
    assert "4 won" in text
    assert "other failed in 4 games: 4 crashed. The first:" in text


@pytest.mark.parametrize("opponent", ["quoridor:easy", "connect-four:random"])
def test_run_with_an_opponent_of_another_game_is_wrong_use(
    opponent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(First, ["--opponent", opponent])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"These play different games: tic-tac-toe, {opponent.split(':')[0]}.\n")


def test_run_with_a_server_plays_online(monkeypatch: pytest.MonkeyPatch) -> None:
    hosted: list[Any] = []

    def pretend(brains: Any, options: Any) -> int:
        hosted.append((brains, options))
        return 0

    monkeypatch.setattr(bot_host, "play_online", pretend)
    with pytest.raises(SystemExit) as ended:
        run(First, ["--server", "localhost", "--room", "r1"])
    assert ended.value.code == 0
    [(brains, options)] = hosted
    assert (brains, options.server, options.room, options.name) == ([First], "localhost", "r1", "first")


def test_run_with_an_unknown_opponent_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(First, ["--opponent", "nobody"])
    assert ended.value.code == 2
    assert "No brain is called 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "language"), [((), "fr"), (("--json",), "en")])
def test_what_programs_read_is_english(
    plays: list[tuple[Any, str]], more: tuple[str, ...], language: str
) -> None:
    assert tablero("play", "--lang", "fr", *more)[0] == 0
    assert [spoken for _, spoken in plays] == [language]


def test_a_wrong_address_is_told_in_the_language_asked_for() -> None:
    assert tablero("play", "ftp://x", "--lang", "fr") == (
        2,
        "'ftp://x' n'est pas une adresse : ws://HÔTE:PORT, http(s)://HÔTE ou HÔTE:PORT.\n",
    )


PARTY = FoundServer("Tablero on party", 8470, ("192.168.1.5",), "/", False)


def test_who_is_found_is_listed_with_what_to_type(network: list[FoundServer]) -> None:
    network.append(PARTY)
    said = CliRunner().invoke(app, ["find", "--lang", "en"])
    assert said.exit_code == 0
    assert said.stdout.splitlines() == [
        "1 server in your network:",
        "  1  192.168.1.5:8470  Tablero on party",
        "Play with: tablero play 192.168.1.5:8470",
    ]


def test_programs_get_json(network: list[FoundServer]) -> None:
    network.append(PARTY)
    said = CliRunner().invoke(app, ["find", "--json"])
    assert json.loads(said.stdout) == {"name": "Tablero on party", "address": "192.168.1.5:8470"}


def test_where_nobody_answers_it_says_why_that_may_be(network: list[FoundServer]) -> None:
    said = CliRunner().invoke(app, ["find", "--lang", "en"])
    assert (said.exit_code, said.stdout) == (1, "")
    assert "tablero serve --lan" in said.stderr


def test_a_server_that_is_named_is_taken_unseen(network: list[FoundServer]) -> None:
    network.append(PARTY)
    assert server_to_play("10.0.0.1") == "10.0.0.1"


def test_one_that_answers_here_goes_before_all_others(
    network: list[FoundServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    network.append(PARTY)
    monkeypatch.setattr(nearby, "answers", lambda url: url == DEFAULT)
    assert server_to_play(DEFAULT) == DEFAULT


def test_where_there_is_none_at_all_the_usual_one_is_tried(network: list[FoundServer]) -> None:
    assert server_to_play(DEFAULT) == DEFAULT


def test_without_a_terminal_nothing_is_guessed(
    network: list[FoundServer], capsys: pytest.CaptureFixture[str]
) -> None:
    network.append(PARTY)
    with pytest.raises(typer.Exit) as ended:
        server_to_play(DEFAULT)
    assert ended.value.exit_code == 1
    assert "tablero play 192.168.1.5:8470" in capsys.readouterr().err


class Terminal:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("said", "chosen"), [("1", "192.168.1.5:8470"), ("", None)])
def test_at_a_terminal_one_is_chosen(
    network: list[FoundServer], monkeypatch: pytest.MonkeyPatch, said: str, chosen: str | None
) -> None:
    network.append(PARTY)
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("builtins.input", lambda prompt: said)
    if chosen is None:
        with pytest.raises(typer.Exit):
            server_to_play(DEFAULT)
    else:
        assert server_to_play(DEFAULT) == chosen


def test_a_machine_without_multicast_finds_nobody() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        assert nearby.find(0.1, taken.getsockname()) == []
