"""`tablero find`, and where `tablero play` goes when nobody says where."""

from __future__ import annotations

import json
import socket

import pytest
import typer
from typer.testing import CliRunner

from tablero import cli_find
from tablero.cli import app
from tablero.client.addresses import DEFAULT
from tablero.client.dns_answers import FoundServer
from tablero.terminal import nearby

PARTY = FoundServer("Tablero on party", 8470, ("192.168.1.5",), "/", False)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[FoundServer]:
    """Whoever a test says is there; nobody on this machine."""
    there: list[FoundServer] = []
    monkeypatch.setattr(nearby, "find", lambda seconds: there)
    monkeypatch.setattr(nearby, "answers", lambda url: False)
    return there


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
    assert cli_find.server_to_play("10.0.0.1") == "10.0.0.1"


def test_one_that_answers_here_goes_before_all_others(
    network: list[FoundServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    network.append(PARTY)
    monkeypatch.setattr(nearby, "answers", lambda url: url == DEFAULT)
    assert cli_find.server_to_play(DEFAULT) == DEFAULT


def test_where_there_is_none_at_all_the_usual_one_is_tried(network: list[FoundServer]) -> None:
    assert cli_find.server_to_play(DEFAULT) == DEFAULT


def test_without_a_terminal_nothing_is_guessed(
    network: list[FoundServer], capsys: pytest.CaptureFixture[str]
) -> None:
    network.append(PARTY)
    with pytest.raises(typer.Exit) as ended:
        cli_find.server_to_play(DEFAULT)
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
            cli_find.server_to_play(DEFAULT)
    else:
        assert cli_find.server_to_play(DEFAULT) == chosen


def test_a_machine_without_multicast_finds_nobody() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        assert nearby.find(0.1, taken.getsockname()) == []
