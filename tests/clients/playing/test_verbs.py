"""What is typed, word by word: which lines are commands, which are moves, and how their words are read."""

from __future__ import annotations

import pytest

from tablero.playing import verbs
from tablero.playing.lobby import NewSeek
from tablero.playing.orders import NewTable, TableChanges
from tablero.playing.verbs import VERBS, Typed
from tablero.playing.words import UsageError
from tablero_games import GAMES
from tablero_games.tic_tac_toe import TicTacToe


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("say  hello  you ", Typed(VERBS["say"], ["hello", "you"], "hello  you")),
        (" JOIN ABCD-EFGH 1", Typed(VERBS["join"], ["ABCD-EFGH", "1"], "ABCD-EFGH 1")),
        ("board", Typed(VERBS["board"], [], "")),
        ("boards", None),
        ("exit", Typed(VERBS["quit"], [], "")),
        ("?", Typed(VERBS["help"], [], "")),
        ("b2", None),
        ("", None),
    ],
)
def test_the_first_word_is_the_verb(line: str, typed: Typed | None) -> None:
    assert verbs.read_line(line) == typed


@pytest.mark.parametrize("game", GAMES)
def test_no_verb_looks_like_a_move(game: str) -> None:
    assert not any(verbs.looks_like_move(name, game) for name in VERBS)
    assert all(verbs.looks_like_move(move, game) for move in GAMES[game].example_moves)


def test_a_word_is_a_move_where_the_game_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not verbs.looks_like_move("swap", "tic-tac-toe")
    monkeypatch.setattr(TicTacToe, "word_moves", frozenset({"swap", "pass on"}))
    assert verbs.looks_like_move(" Swap", "tic-tac-toe")
    assert verbs.looks_like_move("pass  on", "tic-tac-toe")
    assert not verbs.looks_like_move("swap", "chess")
    assert verbs.read_line(" Swap", "tic-tac-toe") is None
    assert verbs.read_line("swap 1 2", "tic-tac-toe") == Typed(VERBS["swap"], ["1", "2"], "1 2")
    assert verbs.read_line("swap", "quoridor") == Typed(VERBS["swap"], [], "")


@pytest.mark.parametrize(
    ("line", "is_move_in_words"), [("dig c4", True), ("b2", True), ("12", False), ("c", False), ("", False)]
)
def test_a_number_alone_answers_a_question(line: str, is_move_in_words: bool) -> None:
    assert verbs.is_word_and_number(line) is is_move_in_words


@pytest.mark.parametrize(
    ("typed", "verb"), [("jion x", "join"), ("bord", "board"), ("xyzzy", None), ("hello", None), ("", None)]
)
def test_the_nearest_verb_is_suggested(typed: str, verb: str | None) -> None:
    nearest = verbs.nearest_verb(typed)
    assert (nearest and nearest.name) == verb


@pytest.mark.parametrize("word", ["game=chess", "private=no", "subscribe=chat"])
def test_what_is_no_option_of_a_table_is_not_passed_on_as_one(word: str) -> None:
    with pytest.raises(UsageError, match="There is no option"):
        verbs.read_create(["tic-tac-toe", word])


def test_the_words_of_a_table_are_a_value() -> None:
    words = "quor size=7 private rated watchers=no clock=60 seat=none seats=2 bot=hard"
    assert verbs.read_create(words.split()) == NewTable(
        game="quoridor",
        options={"size": 7},
        seats=2,
        private=True,
        watchers=False,
        rated=True,
        clock={"base": 60},
        seat=None,
        level="hard",
    )


def test_so_are_those_of_a_seek() -> None:
    assert verbs.read_seek(["rated"]) == NewSeek(rated=True)
    sought = verbs.read_seek(["quor", "size=7", "clock=3days", "bots=no"])
    assert sought == NewSeek(game="quoridor", options={"size": 7}, clock={"days": 3}, bots=False)
    for word in ("private", "watchers=no", "seat=1", "seats=2", "bot=hard"):
        with pytest.raises(UsageError, match="seek takes a clock"):
            verbs.read_seek(["quoridor", word])


def test_so_are_those_that_change_a_table() -> None:
    changes = verbs.read_options(["clock=none", "watchers=yes", "columns=8"])
    assert changes == TableChanges(options={"columns": 8}, clock="none", watchers=True)
    with pytest.raises(UsageError, match="OPTION=VALUE"):
        verbs.read_options(["columns"])
