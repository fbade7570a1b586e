"""The commands about bots: what they list, and what they hand on to a host."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tablero.bots import host as bot_host
from tablero.brains import bundled
from tests.harness.command_line import tablero


def test_bots_lists_what_is_bundled() -> None:
    code, text = tablero("bots")
    assert code == 0
    assert "tic-tac-toe:hard" in text.split()
    assert "(document 002)" in text
    listed = json.loads(tablero("bots", "--json")[1])
    assert {game: list(levels) for game, levels in listed.items()} == {
        game: list(levels) for game, levels in bundled().items()
    }
    assert listed["tic-tac-toe"]["hard"]["document"] == "002"


def test_bot_and_bot_host_say_what_plays_where(monkeypatch: pytest.MonkeyPatch) -> None:
    hosted: list[tuple[list[str], Any]] = []

    def pretend(brains: Sequence[Any], options: Any) -> int:
        hosted.append(([brain.level for brain in brains], options))
        return 1

    monkeypatch.setattr(bot_host, "play_online", pretend)
    assert tablero("bot", "tic-tac-toe:hard", "--code", "ABCD-EFGH")[0] == 1
    assert tablero("bot-host", "--server", "localhost", "--capacity", "9")[0] == 1
    assert tablero("bot-host", "--only", "connect-four:random", "--only", "tic-tac-toe")[0] == 1
    levels, options = hosted[0]
    assert (levels, options.code, options.capacity, options.name) == (["hard"], "ABCD-EFGH", 1, "hard")
    levels, options = hosted[1]
    assert (options.server, options.capacity, options.name) == ("ws://localhost:8470/ws", 9, "brains")
    assert levels == [level for levels in bundled().values() for level in levels]
    assert hosted[2][0] == [*bundled()["tic-tac-toe"], "random"]


def test_the_hosts_own_bots_come_with_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stays: list[Any] = []

    def pretend(brains: Sequence[Any], stay: Any) -> int:
        stays.append(stay)
        return 0

    monkeypatch.setattr(bot_host, "play_online", pretend)
    (tmp_path / "key").write_text("the-key\n")
    tablero("bot-host", "--key", str(tmp_path / "key"))
    tablero("bot-host")
    assert [(stay.host_key, stay.name) for stay in stays] == [("the-key", "house"), (None, "brains")]


def test_bots_greet_unless_the_host_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    stays: list[Any] = []

    def pretend(brains: Sequence[Any], stay: Any) -> int:
        stays.append(stay)
        return 0

    monkeypatch.setattr(bot_host, "play_online", pretend)
    tablero("bot-host")
    tablero("bot", "tic-tac-toe:hard", "--no-greetings")
    monkeypatch.setenv("TABLERO_BOT_GREETINGS", "false")
    tablero("bot-host")
    assert [stay.greets for stay in stays] == [True, False, False]


def test_the_pace_of_bots_is_said_by_option_or_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    stays: list[Any] = []

    def pretend(brains: Sequence[Any], stay: Any) -> int:
        stays.append(stay)
        return 0

    monkeypatch.setattr(bot_host, "play_online", pretend)
    tablero("bot-host", "--pace", "2", "--pace", "hard=0.5")
    tablero("bot", "tic-tac-toe:hard", "--pace", "0")
    monkeypatch.setenv("TABLERO_BOT_PACE", "3 easy=1")
    tablero("bot-host")
    assert [stay.pace for stay in stays] == [{"": 2.0, "hard": 0.5}, {"": 0.0}, {"": 3.0, "easy": 1.0}]
