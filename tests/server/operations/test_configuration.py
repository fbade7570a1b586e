"""`tablero config`: every setting, where it comes from, and no secret."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tablero as tablero_clients
from tablero_server.operations.configuration import (
    WrongSettings,
    in_force,
    read_settings,
    show,
    unknown_variables,
)
from tablero_server.settings import FOR_OTHERS, Settings
from tests.harness.command_line import tablero


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"TABLERO_{name.upper()}", raising=False)


def shown_of(variable: str, **options: Any) -> tuple[object, str]:
    [(_, value, source)] = [
        each for each in in_force(read_settings(**options)) if each.variable == f"TABLERO_{variable}"
    ]
    return value, source


def test_each_setting_is_shown_with_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_WATCHERS", "7")
    monkeypatch.setenv("tablero_rooms", "9")
    shown = in_force(read_settings(port=9000))
    assert len(shown) == len(Settings.model_fields)
    changed = {each.variable: each[1:] for each in shown if each.source != "default"}
    assert changed == {
        "TABLERO_PORT": (9000, "option"),
        "TABLERO_WATCHERS": (7, "environment"),
        "TABLERO_ROOMS": (9, "environment"),
    }


def test_an_option_that_was_not_given_is_none() -> None:
    assert shown_of("HOST", host=None) == ("127.0.0.1", "default")


def test_a_passphrase_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_of("PASSPHRASE") == ("", "default")
    monkeypatch.setenv("TABLERO_PASSPHRASE", "open sesame")
    assert shown_of("PASSPHRASE") == ("(hidden)", "environment")
    assert "sesame" not in show(as_json=True, changed=False) + show(as_json=False, changed=True)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:pw@db/games", "postgresql://ann:(hidden)@db/games"),
        ("postgresql://ann:pw:@h:5432/n?search_path=x", "postgresql://ann:(hidden)@h:5432/n?search_path=x"),
        ("postgresql://ann@db/games?password=pw", "postgresql://ann@db/games?(hidden)"),
        ("postgresql://ann@db/games", "postgresql://ann@db/games"),
        ("sqlite:////data/games.db", "sqlite:////data/games.db"),
        ("postgresql://ann:pw@[x/games", "(hidden)"),
    ],
)
def test_the_password_of_a_database_is_hidden(url: str, shown: str) -> None:
    assert shown_of("DATABASE", database=url) == (shown, "option")


def test_only_what_was_changed_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    assert show(as_json=False, changed=True) == "Every setting has its default."
    monkeypatch.setenv("TABLERO_BOTS", "no")
    assert show(as_json=False, changed=True) == "TABLERO_BOTS  environment  false"
    assert json.loads(show(as_json=True, changed=True)) == {
        "TABLERO_BOTS": {"value": False, "from": "environment"}
    }


def test_a_wrong_setting_is_named_with_all_others_that_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_WATCHERS", "many")
    monkeypatch.setenv("TABLERO_PASSPHRASE_FILE", "/nowhere")
    with pytest.raises(WrongSettings) as wrong:
        read_settings()
    passphrase, watchers = str(wrong.value).splitlines()
    assert passphrase == "TABLERO_PASSPHRASE_FILE: Cannot read /nowhere: No such file or directory."
    assert watchers.startswith("TABLERO_WATCHERS: Input should be a valid integer")


def test_the_command_prints_it_and_a_misspelt_variable_ends_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert tablero("config", "--changed") == (0, "Every setting has its default.\n")
    code, text = tablero("config")
    assert (code, len(text.splitlines())) == (0, len(Settings.model_fields))
    monkeypatch.setenv("TABLERO_PROT", "9000")
    sentence = "TABLERO_PROT: there is no such setting. Did you mean TABLERO_PORT?\n"
    assert tablero("config") == (2, sentence)


def test_a_variable_that_is_no_setting_is_told_with_the_one_that_it_looks_like() -> None:
    known = [f"TABLERO_{name.upper()}" for name in (*Settings.model_fields, *FOR_OTHERS)]
    assert (
        unknown_variables([*known, "tablero_port", "TABLERO_TEST_POSTGRES", "PATH", "NOT_TABLERO_PORT"]) == []
    )
    assert unknown_variables(["TABLERO_PROT", "TABLERO_XYZZY"]) == [
        "TABLERO_PROT: there is no such setting. Did you mean TABLERO_PORT?",
        "TABLERO_XYZZY: there is no such setting. docs/hosting.md lists all settings.",
    ]


FOR_THE_BOT_HOST = ("BOT_PACE", "BOT_GREETINGS")
"""A server passes them on; a bot host that somebody else starts, as Compose does, reads them itself."""


def test_what_the_clients_read_is_known() -> None:
    read = set()
    for path in Path(tablero_clients.__file__).parent.rglob("*.py"):
        read |= set(re.findall(r'"TABLERO_([A-Z_]+)"', path.read_text()))
    assert read == {*FOR_OTHERS, *FOR_THE_BOT_HOST}
