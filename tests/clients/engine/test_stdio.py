"""`tablero engine SPEC`: a Python bot as a program between two pipes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tablero import cli

CHATTY = """
from tablero import Bot

class Chatty(Bot):
    game = "tic-tac-toe"

    def choose(self, turn):
        print("thinking about", turn.view)
        return turn.legal_moves[0]
"""
POSITION = 'newgame tic-tac-toe players 2 seat 0\nposition view {"cells":"........."}\n'


def engine(spec: str, told: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablero", "engine", spec],
        input=told,
        capture_output=True,
        text=True,
        timeout=50,
    )


def test_what_the_bot_prints_goes_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "chatty.py"
    path.write_text(CHATTY)
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tablero", "engine", f"{path}:Chatty"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{POSITION}go\n")
        assert process.stdout.readline() == "bestmove a1\n"
        rest, elsewhere = process.communicate(timeout=50)
    assert (rest, process.returncode) == ("", 0)
    assert "thinking about {'cells': '.........'}" in elsewhere


def test_an_unknown_bot_is_wrong_use() -> None:
    result = CliRunner().invoke(cli.app, ["engine", "nobody"])
    assert (result.exit_code, "No brain is called 'nobody'" in result.output) == (2, True)


@pytest.mark.parametrize("told", ["quit\nisready\n", ""])
def test_after_quit_or_the_end_nothing_is_said(told: str) -> None:
    ended = engine("tic-tac-toe:random", told)
    assert (ended.returncode, ended.stdout) == (0, "")
