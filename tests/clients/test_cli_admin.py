"""The commands of a host: `tablero admin` has each of the server's, and others need no server."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

from tablero import cli_admin
from tablero_server.host import admin
from tablero_server.host.commands import COMMANDS, OF_THE_PROCESS
from tests.harness.command_line import tablero

GROUP = typer.main.get_group(cli_admin.app)


def test_each_command_of_the_server_can_be_said() -> None:
    assert set(GROUP.commands) == {*COMMANDS, *OF_THE_PROCESS, "token"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_what_the_server_takes(name: str) -> None:
    here = {parameter.name for parameter in GROUP.commands[name].params} - {"as_json"}
    assert here == set(inspect.signature(COMMANDS[name]).parameters) - {"service"}


@pytest.mark.parametrize("name", GROUP.commands)
def test_a_host_can_read_what_a_command_does(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
    assert any(line.startswith(f"| `tablero admin {name}") for line in page.splitlines())


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """What the server hears; it knows one player to strike."""
    heard: list[dict[str, str]] = []

    def run(command: str, as_json: bool, **arguments: str) -> tuple[int, str]:
        heard.append({"command": command, **arguments})
        return (0, "29 rated games.") if arguments["player"] == "gus" else (1, "Nobody.")

    monkeypatch.setattr(admin, "run", run)
    return heard


LOOK = {"command": "strike", "player": "gus"}
STRIKE = {**LOOK, "yes": "yes"}


@pytest.mark.parametrize(
    ("words", "typed", "heard", "code"),
    [
        (["gus"], "y\n", [LOOK, STRIKE], 0),
        (["gus"], "n\n", [LOOK], 1),
        (["gus"], "", [LOOK], 1),
        (["gus", "--yes"], "", [STRIKE], 0),
        (["gus", "--json"], "", [LOOK], 0),
        (["tom"], "y\n", [{"command": "strike", "player": "tom"}], 1),
    ],
)
def test_a_strike_shows_what_it_does_and_asks(
    said: list[dict[str, str]], words: list[str], typed: str, heard: list[dict[str, str]], code: int
) -> None:
    result = CliRunner().invoke(cli_admin.app, ["strike", *words], input=typed)
    assert (said, result.exit_code) == (heard, code)
    assert ("Strike them?" in result.output) is (words == ["gus"])


def test_without_a_command_all_of_them_are_listed() -> None:
    _, text = tablero("admin")
    assert all(f"\n  {name} " in text for name in GROUP.commands)


MODULES = {
    "config": "tablero_server.operations.configuration",
    "doctor": "tablero_server.operations.doctor",
    "backup": "tablero_server.operations.copies",
    "restore": "tablero_server.operations.copies",
}
ARGUMENTS = {"backup": ["file"], "restore": ["file"]}


@pytest.mark.parametrize("name", MODULES)
def test_each_says_what_it_does(name: str) -> None:
    code, text = tablero(name, "--help")
    assert (code, "Usage: tablero" in text) == (0, True)
    assert f"\n  {name} " in tablero("--help")[1]


@pytest.mark.parametrize("name", MODULES)
def test_without_the_packages_of_a_host_it_says_which(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, MODULES[name], None)
    missing = f"Hosting needs more packages ({MODULES[name]}): pip install 'tablero[server]'\n"
    assert tablero(name, *ARGUMENTS.get(name, ())) == (2, missing)
