"""`tablero identity`: who this device is, as a list and as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tablero import cli
from tablero.client.identity import Identity

SERVER = "ws://127.0.0.1:8470/ws"
PLAYER = {"server": SERVER, "name": "Ana", "kind": "person", "token": "other", "called": "Ana"}


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    live_at(tmp_path / "desk", monkeypatch)
    return tmp_path


def live_at(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(home))


def be(token: str, name: str = "Ana", *, bot: bool = False) -> None:
    with Identity(SERVER, name, bot=bot) as identity:
        identity.keep(token)


def who(name: str = "Ana", *, bot: bool = False) -> str | None:
    with Identity(SERVER, name, bot=bot) as identity:
        return identity.token


def run(*arguments: str, typed: str | None = None) -> Any:
    return CliRunner().invoke(cli.app, ["identity", *arguments], input=typed)


def test_people_and_bots_are_listed_and_no_token() -> None:
    assert run("list").output == ""
    be("secret")
    be("hidden", "corners", bot=True)
    with Identity(SERVER, "Ana") as first:
        assert first.token == "secret"
        be("another")  # a second program of that name
    told = run("list").output
    assert told.splitlines() == [
        "corners  bot  127.0.0.1:8470",
        "Ana  person  127.0.0.1:8470",
        "Ana  person  127.0.0.1:8470",
    ]
    assert "secret" not in told


def test_another_device_is_the_same_by_a_file(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be("secret")
    be("hidden", "corners", bot=True)
    file = own_home / "players.json"
    assert run("export", str(file)).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    live_at(own_home / "phone", monkeypatch)
    done = run("import", str(file))
    assert (done.exit_code, len(done.output.splitlines())) == (0, 2)
    assert (who(), who("corners", bot=True)) == ("secret", "hidden")
    [kept, _] = (own_home / "phone" / "players").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "already" in run("import", str(file)).output, "twice is once"


def test_nothing_in_a_file_of_another_reaches_the_terminal_as_it_is() -> None:
    marks = "\x1b[2J\x1b]52;c;eA==\x07\x9b2J\u202e"
    hostile = {**PLAYER, "called": f"A{marks}", "server": f"ws://h/{marks}/ws"}
    file = json.dumps({"tablero": "identities", "players": [hostile, {**hostile, "token": "another"}]})
    taken, again, listed = run("import", "-", typed=file), run("import", "-", typed=file), run("list")
    told = taken.output + again.output + listed.output
    assert [part for part in ("device, too", "already", "--replace", "person") if part not in told] == []
    assert set(told) - {"\n"} == set(filter(str.isprintable, told))


def test_it_goes_through_a_pipe(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be("secret")
    text = run("export", "-").output
    live_at(own_home / "phone", monkeypatch)
    assert run("import", "-", typed=text).exit_code == 0
    assert who() == "secret"


def test_no_file_is_written_over(own_home: Path) -> None:
    file = own_home / "letter.txt"
    file.write_text("Dear Ben")
    refused = run("export", str(file))
    assert (refused.exit_code, file.read_text()) == (2, "Dear Ben")
    assert "Choose another name" in refused.output
    assert run("export", str(own_home / "nowhere" / "file")).exit_code == 2


def test_who_one_is_already_is_lost_only_by_who_says_so(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be("secret")
    text = run("export", "-").output
    live_at(own_home / "phone", monkeypatch)
    be("own")
    refused = run("import", "-", typed=text)
    assert (refused.exit_code, who()) == (1, "own")
    assert "--replace deletes that player" in refused.output
    with Identity(SERVER, "Ana"):
        busy = run("import", "-", "--replace", typed=text)
        assert (busy.exit_code, "Close that program first" in busy.output) == (1, True)
    assert run("import", "-", "--replace", typed=text).exit_code == 0
    assert who() == "secret"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 60_000,
        '{"tablero": "identities", "players": [{"server": "x"}]}',
        json.dumps({"tablero": "identities", "players": [{**PLAYER, "server": "ftp://x"}]}),
        json.dumps({"tablero": "identities", "players": [{**PLAYER, "kind": "cat"}]}),
        json.dumps({"tablero": "identities", "players": [{**PLAYER, "token": 7}]}),
        json.dumps({"tablero": "something else", "players": [PLAYER]}),
    ],
)
def test_what_is_no_such_file_changes_nothing(text: str) -> None:
    be("secret")
    refused = run("import", "-", typed=text)
    assert refused.exit_code == 2
    assert "not an identity file" in refused.output
    assert who() == "secret"


def test_a_file_that_is_not_there_is_told(own_home: Path) -> None:
    refused = run("import", str(own_home / "nothing"))
    assert (refused.exit_code, "Can't read" in refused.output) == (2, True)


def test_what_is_none_of_ours_is_left_alone(own_home: Path) -> None:
    be("secret")
    players = own_home / "desk" / "players"
    (players / "notes.json").write_text("my notes")
    (players / "moved.json").write_text(json.dumps({"server": SERVER, "name": "Ana", "token": "t"}))
    assert run("list").output == "Ana  person  127.0.0.1:8470\n"


def test_a_player_is_told_by_the_name_that_it_has_there(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who came by a code is found under the name of this device's user."""
    with Identity(SERVER, "guest") as identity:
        identity.keep("secret", "Ana")
        identity.keep("secret")
        assert identity.called == "Ana"
    assert run("list").output == "Ana  person  127.0.0.1:8470\n"
    text = run("export", "-").output
    live_at(own_home / "phone", monkeypatch)
    assert "You are now Ana at" in run("import", "-", typed=text).output
    with Identity(SERVER, "guest") as identity:
        assert (identity.token, identity.called) == ("secret", "Ana")
