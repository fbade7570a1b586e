"""What is typed, word by word: which lines are commands, which are moves, and how their words are read."""

from __future__ import annotations

import pytest

from tablero.playing import verbs
from tablero.playing.verbs import VERBS, Command, UsageError
from tablero_games import GAMES
from tablero_games.tic_tac_toe import TicTacToe


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("say  hello  you ", Command("say", ["hello", "you"], "hello  you")),
        (" JOIN ABCD-EFGH 1", Command("join", ["ABCD-EFGH", "1"], "ABCD-EFGH 1")),
        ("board", Command("board", [], "")),
        ("boards", None),
        ("exit", Command("quit", [], "")),
        ("?", Command("help", [], "")),
        ("b2", None),
        ("", None),
    ],
)
def test_the_first_word_is_the_verb(line: str, command: Command | None) -> None:
    assert verbs.read_line(line) == command


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
    assert verbs.read_line("swap 1 2", "tic-tac-toe") == Command("swap", ["1", "2"], "1 2")
    assert verbs.read_line("swap", "quoridor") == Command("swap", [], "")


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


@pytest.mark.parametrize(
    ("word", "field"), [("ABCD-EFGH", "code"), ("abcdefgh", "code"), ("km9ej1fnew49", "room")]
)
def test_a_table_is_named_by_its_code_or_its_id(word: str, field: str) -> None:
    assert verbs.where(word) == {field: word}


def test_a_code_names_the_same_table_however_it_is_written() -> None:
    assert verbs.is_same_table("abcdefgh", "r1", "ABCD-EFGH")
    assert verbs.is_same_table("r1", "r1", None)
    assert not verbs.is_same_table("ABCD-EFGX", "r1", "ABCD-EFGH")


@pytest.mark.parametrize(
    ("text", "value"), [("8", 8), ("-1", -1), ("yes", True), ("False", False), ("expert", "expert")]
)
def test_a_value_is_a_number_or_yes_or_no_or_a_word(text: str, value: object) -> None:
    assert verbs.read_value(text) == value


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("300+5", {"base": 300, "increment": 5}),
        ("60", {"base": 60}),
        ("30/move", {"per_move": 30}),
        ("3days", {"days": 3}),
        ("1day", {"days": 1}),
        ("3D", {"days": 3}),
    ],
)
def test_a_clock_is_one_of_three_kinds(text: str, clock: dict[str, int]) -> None:
    assert verbs.read_clock(text) == clock


@pytest.mark.parametrize("text", ["soon", "300+", "+5", "3/day", "-1", "3 0", "\u0663days"])
def test_another_clock_is_explained(text: str) -> None:
    with pytest.raises(verbs.UsageError, match="clock=30/move"):
        verbs.read_clock(text)


@pytest.mark.parametrize("word", ["game=chess", "private=no", "subscribe=chat"])
def test_what_is_no_option_of_a_table_is_not_passed_on_as_one(word: str) -> None:
    with pytest.raises(UsageError, match="There is no option"):
        verbs.read_create(["tic-tac-toe", word], list(GAMES))
