"""The starters in examples/: they follow the protocol, play whole games, and are short enough to copy."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tablero.arena.local import play_many
from tablero.brains import find_brain
from tablero.check.check import check
from tests.harness.tiers import FULL

EXAMPLES = Path(__file__).parents[1] / "examples"
NODE = shutil.which("node")
STARTERS = [
    pytest.param(shlex.join([sys.executable, "-S", "-I", str(EXAMPLES / "greedy.py")]), id="python"),
    pytest.param(
        shlex.join([NODE or "node", str(EXAMPLES / "greedy.mjs")]),
        id="javascript",
        marks=pytest.mark.skipif(
            NODE is None, reason="node is not installed: the JavaScript starter is not tried"
        ),
    ),
]
GAMES = ["tic-tac-toe", "connect-four", "dots-and-boxes", "quoridor", "minesweeper"]


@pytest.mark.parametrize("starter", STARTERS)
def test_a_starter_has_nothing_wrong(starter: str) -> None:
    for game in GAMES if FULL else ["connect-four"]:
        report = check(f"{game}:cmd:{starter}", seconds=60)
        assert report.verdict == 0, str(report)


@pytest.mark.parametrize("starter", STARTERS)
def test_a_starter_wins_twenty_games_of_connect_four_against_random(starter: str) -> None:
    brain = find_brain(f"connect-four:cmd:{starter}")
    score = play_many(brain, find_brain("connect-four:random"), 20, seed=1)
    assert score.failed == []
    assert (score.games, score.wins >= 16) == (20, True)


@pytest.mark.parametrize("file", sorted(filter(Path.is_file, EXAMPLES.iterdir())), ids=lambda path: path.name)
def test_a_starter_is_short(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= 60


def test_the_starters_need_no_package() -> None:
    assert "tablero" not in "".join(
        line for line in (EXAMPLES / "greedy.py").read_text().splitlines() if "import" in line
    )
