"""The docs describe everything that exists, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
import typer.main

from tablero import cli
from tablero_games import GAMES
from tablero_protocol.codes import Close, Code
from tablero_protocol.messages import ClientMessage, ServerMessage
from tablero_server.settings import FOR_OTHERS, Settings

ROOT = Path(__file__).parents[1]
NOT_OURS = {
    ".git",
    ".venv",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    "dist",
    "node_modules",
}
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
COMMANDS = typer.main.get_group(cli.app).commands
ON_PAPER = "<!-- not run"
"""A comment `<!-- not run: why -->` on the line before a Python block: the block is only compiled."""


def page(name: str) -> str:
    return (ROOT / name).read_text()


def without_code(markdown: str) -> str:
    return re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", markdown)


# Nothing is missing


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_section(name: str) -> None:
    headings = re.findall(r"(?m)^## (.*)$", page("docs/games.md"))
    assert [heading for heading in headings if GAMES[name].title in heading and f"`{name}`" in heading]


@pytest.mark.parametrize("message", [*get_args(ClientMessage), *get_args(ServerMessage)])
def test_every_message_is_described(message: type[ClientMessage | ServerMessage]) -> None:
    assert f"`{message.model_fields['type'].default}`" in page("docs/protocol-reference.md")


@pytest.mark.parametrize("code", [*Code, *(str(close.value) for close in Close)])
def test_every_code_has_a_row(code: str) -> None:
    assert re.search(rf"(?m)^\| `?{code}`? \|", page("docs/protocol-reference.md"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described(name: str) -> None:
    assert any(f"tablero {name}" in path.read_text() for path in PAGES)


def row(name: str) -> str:
    """The row for a setting that docs/hosting.md must have, made from the setting."""
    field = Settings.model_fields[name]
    options = {parameter.name: parameter.opts[0] for parameter in COMMANDS["serve"].params}
    option = f"`{options[name]}`" if name in options else ""
    default = "" if field.default == "" else f"`{json.dumps(field.default).strip(chr(34))}`"
    return f"| `TABLERO_{name.upper()}` | {option} | {default} | {field.description} |"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_has_its_row(name: str) -> None:
    assert row(name) in page("docs/hosting.md").splitlines()


# Nothing is invented


def test_every_setting_that_is_described_exists() -> None:
    known = {name.upper() for name in Settings.model_fields} | set(FOR_OTHERS)
    described = set(re.findall(r"\bTABLERO_([A-Z_]+)", page("docs/hosting.md") + page("README.md")))
    assert described - known == set()


def test_every_make_target_that_is_mentioned_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):.*## ", page("Makefile")))
    for path in PAGES:
        code = "\n".join(re.findall(r"(?ms)^```.*?^```$|`[^`\n]*`", path.read_text()))
        assert set(re.findall(r"\bmake ([a-z][a-z-]+)", code)) <= targets, path.name


def test_every_make_target_is_explained() -> None:
    [phony] = re.findall(r"(?m)^\.PHONY: (.*)$", page("Makefile"))
    assert set(phony.split()) == set(re.findall(r"(?m)^([a-z-]+):.*## \w", page("Makefile")))


def python_blocks() -> list[tuple[str, str, bool]]:
    """Each Python block of the docs: its place, its source, and whether it is run."""
    found = []
    for path in PAGES:
        text = path.read_text() if path.exists() else ""
        for block in re.finditer(r"(?ms)^([^\n]*)\n+```python\n(.*?)^```$", text):
            line = text[: block.start(2)].count("\n") + 1
            found.append((f"{path.name}:{line}", block[2], not block[1].startswith(ON_PAPER)))
    return found


@pytest.mark.parametrize(
    ("where", "source", "runs"), [pytest.param(*block, id=block[0]) for block in python_blocks()]
)
def test_every_python_example_works(where: str, source: str, runs: bool) -> None:
    code = compile(source, where, "exec")
    if runs:
        exec(code, {"__name__": "an_example"})


def anchors(path: Path) -> list[str]:
    headings = re.findall(r"(?m)^#+ (.+)$", re.sub(r"(?ms)^```.*?^```$", "", path.read_text()))
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_relative_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text())):
        place, _, anchor = target.partition("#")
        linked = path.parent / place if place else path
        if "://" not in target:
            assert linked.exists(), f"{path.name} links to {target}"
            assert not anchor or anchors(linked).count(anchor) == 1, f"{path.name} links to {target}"


def test_each_reader_is_led_to_two_pages_at_most() -> None:
    rows = [line for line in page("docs/README.md").splitlines() if line.startswith("| ") and "](" in line]
    assert len(rows) >= 7
    assert all(1 <= row.count("](") <= 2 for row in rows)
    assert "](docs/README.md)" in page("README.md")


def test_every_page_is_listed() -> None:
    for path in (ROOT / "docs").glob("*.md"):
        assert path.name == "README.md" or f"]({path.name})" in page("docs/README.md"), path.name


# The whole tree

KNOWN_HOSTS = re.compile(r"([\w-]+\.)*(example(\.(org|com|net))?|local|localhost)|[\w-]+|[\d.]+")
"""Allowed hosts: names reserved for examples, names without a dot, and numbers."""
SPECIFICATIONS = {"json-schema.org", "www.w3.org", "www.asyncapi.com", "semver.org", "peps.python.org"}


def our_files() -> list[Path]:
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not NOT_OURS & set(path.relative_to(ROOT).parts)
    ]


def test_no_file_names_somebody_elses_machine() -> None:
    for path in our_files():
        text = path.read_bytes().decode("utf-8", "ignore")
        for host in re.findall(r"(?:https?|wss?)://(\w[\w.-]*)", text):
            assert KNOWN_HOSTS.fullmatch(host) or host in SPECIFICATIONS, f"{path} names {host}"
