"""`tablero engine SPEC`: a Python bot as a program between two pipes."""

from __future__ import annotations

import json
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
TABLE = (
    '{"room":"r","epoch":"e","game":"tic-tac-toe","version":1,"options":{},"state":"playing",'
    '"private":true,"seats":[null,null],"members":[]}'
)
TURN = (
    f'{{"type":"joined","room":"r","seq":1,"player":{{"id":"p","name":"zoo"}},"seat":0,"table":{TABLE}}}\n'
    '{"type":"nextPlayer","room":"r","seq":2,"ply":0,"seats":[0],"seat":0,"view":{"cells":"........."}}\n'
)


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
        process.stdin.write(TURN)
        assert json.loads(process.stdout.readline())["type"] == "hello"
        assert json.loads(process.stdout.readline())["move"] == "a1"
        rest, elsewhere = process.communicate(timeout=50)
    assert (rest, process.returncode) == ("", 0)
    assert "thinking about {'cells': '.........'}" in elsewhere


def test_an_unknown_bot_is_wrong_use() -> None:
    result = CliRunner().invoke(cli.app, ["engine", "nobody"])
    assert (result.exit_code, "No brain is called 'nobody'" in result.output) == (2, True)


@pytest.mark.parametrize("told", [f'{{"type":"bye","code":1000,"message":"x"}}\n{TURN}', ""])
def test_after_bye_or_the_end_nothing_is_said(told: str) -> None:
    ended = engine("tic-tac-toe:random", told)
    assert (ended.returncode, ended.stdout.count("\n")) == (0, 1)  # its hello
