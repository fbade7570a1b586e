"""tablero.games: what a client knows of each game, and that it needs to know nothing of one."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from tablero.games import MOST_LESSONS, NOTHING_KNOWN, Hand, Lesson, client_game, own_module
from tablero_games import GAMES
from tablero_games.refusals import IllegalMove
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


LESSONS = [(game, lesson) for game in GAMES for lesson in client_game(game).lessons]


@pytest.mark.parametrize(("game", "lesson"), LESSONS, ids=[lesson.asked for _, lesson in LESSONS])
def test_a_lesson_asks_the_first_seat_for_a_move_that_the_rules_allow(game: str, lesson: Lesson) -> None:
    play = lesson.begin(game)
    assert 0 in play.to_move
    legal = GAMES[game].legal_moves(play.position.view(0), 0)
    right = [move for move in legal if lesson.is_right(move)]
    assert right
    for move in right:
        assert play.turn(0, move).position != play.position


def test_a_game_with_lessons_ends_them_with_how_to_enter_moves_in_each_way() -> None:
    for name in GAMES:
        lessons = client_game(name).lessons
        assert len(lessons) <= MOST_LESSONS
        assert all(lesson.by.keys() in (set(), {*get_args(Hand)}) for lesson in lessons)
        assert not lessons or lessons[-1].by


def test_the_wall_of_which_a_lesson_says_that_it_is_not_allowed_is_refused() -> None:
    (lesson,) = [lesson for lesson in client_game("quoridor").lessons if lesson.right == "d3v"]
    with pytest.raises(IllegalMove, match="close the last way"):
        lesson.begin("quoridor").turn(0, "d4v")
