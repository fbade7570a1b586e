"""Every shell command in docs/bots.md is run, and must print the output that the page shows."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.harness.wire import a_server

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/bots.md").read_text("utf-8")
VARYING = re.compile(r"\d+\.\d s\b")

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def shown() -> list[tuple[str, str]]:
    """Each command of a block without a language, with the output below it, if any."""
    found = []
    for language, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", PAGE):
        if language:
            continue
        if block.startswith("$ "):
            command, _, output = block[2:].partition("\n")
            found.append((command, output))
        else:
            found += [(line.partition("  #")[0].strip(), "") for line in block.splitlines()]
    return found


def folder_as_its_reader_has_it(folder: Path) -> None:
    """Writes the bot of the page into its file, and the examples beside it."""
    source = re.search(r"```python\n(from tablero import Bot, run\n.*?)```", PAGE, re.DOTALL)
    assert source is not None
    (folder / "greedy.py").write_text(source[1], "utf-8")
    (folder / "examples").symlink_to(ROOT / "examples")


async def typed(command: str, folder: Path, url: str) -> tuple[int | None, str]:
    """Runs a command in the folder. A command that waits for invitations is interrupted once it has
    connected.
    """
    words = shlex.split(command)
    python = [sys.executable, "-m", "tablero"] if words[0] == "tablero" else [sys.executable]
    waits = words[1] == "bot"
    process = await asyncio.create_subprocess_exec(
        *python, *words[1:], cwd=folder,
        stdout=asyncio.subprocess.DEVNULL if waits else asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if waits else None,
        env={**os.environ, "TABLERO_SERVER": url, "TABLERO_HOME": str(folder)},
    )  # fmt: skip
    if not waits:
        printed, _ = await process.communicate()
        return process.returncode, printed.decode()
    assert process.stderr is not None
    said = (await process.stderr.readline()).decode()
    assert " is at " in said, said
    process.terminate()
    return await process.wait(), ""


def test_there_is_something_to_type() -> None:
    commands = [command for command, _ in shown()]
    assert any(command.startswith("python greedy.py") for command in commands)
    for word in ("arena", "bot", "bot-check"):
        assert any(command.startswith(f"tablero {word} ") for command in commands), word


@pytest.mark.parametrize(("command", "output"), shown(), ids=[command for command, _ in shown()])
async def test_what_the_page_says_to_type_works(command: str, output: str, tmp_path: Path) -> None:
    folder_as_its_reader_has_it(tmp_path)
    if "--code" in command:  # there is no table with that code, so the bot reports that
        command = command.replace("--code ABCD-EFGH", "")
    if command.startswith("tablero bot "):
        async with a_server() as server:
            code, printed = await typed(command, tmp_path, f"ws://127.0.0.1:{server.port}/ws")
    else:
        code, printed = await typed(command, tmp_path, "ws://127.0.0.1:9/ws")
    assert code in (0, -15, 130, 143), printed
    if output:
        assert VARYING.sub("x s", printed) == VARYING.sub("x s", output)


def measured() -> list[tuple[str, list[str]]]:
    """Each command of a table of figures, with the texts that it must print."""
    found = []
    table = re.compile(r"[Bb]y `(tablero arena [^`]+)`[^|]*((?:^\|.*\n)+)", re.MULTILINE)
    for command, text in table.findall(PAGE):
        head, _, *rows = [[cell.strip("` ") for cell in line.split("|")[1:-1]] for line in text.splitlines()]
        for row in rows:
            cells = dict(zip(head, row, strict=True))
            told = command
            for name in ("who", "against", "games", "level", "fields"):
                told = told.replace(name.upper(), cells.pop(name, name.upper()))
            if len(cells) == 1:
                [(share, low, high)] = re.findall(r"([\d.]+) % \(([\d.]+) to ([\d.]+)\)", *cells.values())
                found.append((told, [f"({share} %, {low} % to {high} %)"]))
            else:
                found.append((told, [f":{name} {cell.split()[0]}" for name, cell in cells.items()]))
    return found


def test_every_table_of_figures_names_its_command() -> None:
    assert len(measured()) == 10
    assert not re.search(r"\b[A-Z]{3,}\b", " ".join(command for command, _ in measured()))


@pytest.mark.hours
@pytest.mark.parametrize(("command", "figures"), measured(), ids=[command for command, _ in measured()])
async def test_every_figure_is_what_its_command_prints(
    command: str, figures: list[str], tmp_path: Path
) -> None:
    code, printed = await typed(command, tmp_path, "ws://127.0.0.1:9/ws")
    assert code == 0, printed
    assert all(figure in printed for figure in figures), printed
