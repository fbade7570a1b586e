"""tablero.games: what a client knows of each game, and that it needs to know nothing of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.games import NOTHING_KNOWN, client_game, own_module
from tablero_games import GAMES
from tests.harness.games.examples import EXAMPLES


@pytest.mark.parametrize("name", ["go", "board", "", "os.path", *(game.name for game in EXAMPLES)])
def test_nothing_is_known_of_another_game(name: str) -> None:
    assert client_game(name) is NOTHING_KNOWN


@pytest.mark.parametrize("name", [name for name in GAMES if own_module("tablero.games", name)])
def test_a_module_says_something_of_its_game(name: str) -> None:
    assert client_game(name) != NOTHING_KNOWN


def test_five_games_have_a_board_of_their_own() -> None:
    assert len([name for name in GAMES if client_game(name).board]) == 5


def test_a_module_that_cannot_be_imported_is_no_missing_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "has_hex").mkdir()
    (tmp_path / "has_hex" / "gomoku.py").write_text("import tablero_nowhere")
    monkeypatch.syspath_prepend(tmp_path)
    for game in EXAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)
    assert own_module("has_hex", "battleship") is None
    with pytest.raises(ModuleNotFoundError, match="tablero_nowhere"):
        own_module("has_hex", "gomoku")


def test_a_move_of_another_game_is_passed_on_as_it_was_typed() -> None:
    assert client_game("go").read_move(" Swap  D4 ", None) == "Swap  D4"
