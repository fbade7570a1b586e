"""What a host says without a running server, as it is typed."""

from __future__ import annotations

import sys

import pytest

from tests.harness.command_line import tablero

MODULES = {
    "config": "tablero_server.operations.configuration",
    "doctor": "tablero_server.operations.doctor",
    "backup": "tablero_server.operations.copies",
    "restore": "tablero_server.operations.copies",
}
COMMANDS = tuple(MODULES)
ARGUMENTS = {"backup": ["file"], "restore": ["file"]}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_says_what_it_does(name: str) -> None:
    code, text = tablero(name, "--help")
    assert (code, "Usage: tablero" in text) == (0, True)
    assert f"\n  {name} " in tablero("--help")[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_without_the_packages_of_a_host_it_says_which(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, MODULES[name], None)
    missing = f"Hosting needs more packages ({MODULES[name]}): pip install 'tablero[server]'\n"
    assert tablero(name, *ARGUMENTS.get(name, ())) == (2, missing)
