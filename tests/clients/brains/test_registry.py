"""Brains by name and from files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tablero.bots.host import chosen
from tablero.brains import LEVEL_WORDS, NotInstalled, UnknownBrain, bundled, find_brain
from tablero_games import GAMES
from tests.harness.games.examples import EXAMPLES


def test_every_game_has_a_random_brain() -> None:
    for game in GAMES:
        brain = find_brain(f"{game}:random")
        assert (brain.game, brain.level) == (game, "random")
        assert "random" in bundled()[game]


def test_every_bundled_brain_is_found_under_its_own_name() -> None:
    for game, levels in bundled().items():
        for level in levels:
            brain = find_brain(f"{game}:{level}")
            assert (brain.game, brain.level) == (game, level)


def test_a_level_plays_by_the_class_of_its_line_with_its_settings() -> None:
    for game, levels in bundled().items():
        for level, line in levels.items():
            brain = find_brain(f"{game}:{level}")
            assert brain is find_brain(f"{game}:{level}")
            assert {name: getattr(brain, name) for name in line.settings} == line.settings
            assert line.place.rpartition(":")[2] in {"random", *(each.__name__ for each in brain.__mro__)}


def test_a_game_without_a_table_has_the_random_brain_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in EXAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)
        assert list(bundled()[game.name]) == ["random"]
        with pytest.raises(UnknownBrain):
            find_brain(f"{game.name}:hard")


def test_a_game_with_brains_has_an_easy_a_normal_a_hard_and_an_expert_one_in_this_order() -> None:
    for levels in bundled().values():
        if list(levels) == ["random"]:
            continue  # welcome, and not asked for
        assert [level for level in levels if level in LEVEL_WORDS] == list(LEVEL_WORDS)


def test_every_level_says_in_one_short_line_what_it_does() -> None:
    for game, levels in bundled().items():
        lines = [level.about for level in levels.values()]
        assert all(0 < len(line) <= 60 for line in lines), game
        assert len(set(lines)) == len(lines), game


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("tic-tac-toe:hrad", "did you mean tic-tac-toe:hard?"),
        ("xyzzy", "Write GAME:LEVEL (see `tablero bots`), FILE.py:Class or cmd:COMMAND."),
        ("greedy.py", "Say which class of the file, too: greedy.py:Class."),
        ("chess:random", "No brain is called 'chess:random'"),
        ("nowhere.py:Bot", "There is no file nowhere.py."),
    ],
)
def test_an_unknown_name_is_explained(spec: str, sentence: str) -> None:
    with pytest.raises(UnknownBrain) as caught:
        find_brain(spec)
    assert sentence in str(caught.value)


def test_a_brain_whose_package_is_missing_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tablero.brains.minesweeper.pinv", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(NotInstalled) as caught:
        find_brain("minesweeper:pinv")
    assert str(caught.value) == "minesweeper:pinv needs numpy; pip install 'tablero[bots]' brings it."


def test_a_host_offers_the_brains_that_can_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delitem(sys.modules, "tablero.brains.minesweeper.pinv", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert [brain.level for brain in chosen(["minesweeper"])] == ["random", "exact", "hard", "expert"]
    assert "minesweeper:pinv needs numpy" in caplog.text
    with pytest.raises(NotInstalled):
        chosen(["minesweeper:pinv"])


SOURCE = """
from dataclasses import dataclass
from tablero import Bot

class Mine(Bot):
    game = "tic-tac-toe"
    def choose(self, turn):
        return turn.legal_moves[-1]

class Lost(Bot):
    pass

@dataclass
class Note:
    text: str
"""


def test_a_class_in_a_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    brain = find_brain(f"{path}:Mine")
    assert (brain.game, brain.level) == ("tic-tac-toe", "mine")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Other", "has no bot called 'Other'; its bots: Mine, Lost."),
        ("Note", "has no bot called 'Note'"),
        ("Lost", "does not say which `game` it plays"),
    ],
)
def test_a_class_that_is_no_bot_is_explained(tmp_path: Path, name: str, sentence: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    with pytest.raises(UnknownBrain) as caught:
        find_brain(f"{path}:{name}")
    assert sentence in str(caught.value)
