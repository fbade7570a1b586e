"""The numbered menus: what they ask, what they take for an answer, and a whole game by number."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import pytest

from tablero.catalogue.speech import speak
from tablero.games import Ask
from tablero.games.minesweeper.menu import (
    MENU,
    View,
    get_cell,
    get_choice,
    get_level,
    get_move,
    keys_to_string,
    run,
)
from tablero_games import GAMES, IllegalMove
from tablero_games.minesweeper.options import LEVELS

T = TypeVar("T")
CHOICES = "1.Dig 2.Flag 3.Unflag 4.Chord: "


def answered(question: Callable[[Ask], Coroutine[Any, Any, T]], *lines: str) -> tuple[T, list[str]]:
    """The answer after these lines, and what was asked for each."""
    asked: list[str] = []

    async def ask(prompt: str) -> str:
        asked.append(prompt)
        return lines[len(asked) - 1]

    with pytest.raises(StopIteration) as answer:
        question(ask).send(None)  # nothing in it waits
    assert len(asked) == len(lines)
    return answer.value.value, asked


def test_every_key_is_listed_with_its_number() -> None:
    assert keys_to_string(MENU) == "1.Dig 2.Flag 3.Unflag 4.Chord"
    assert keys_to_string({}) == ""


def test_a_choice_is_counted_from_0() -> None:
    assert answered(partial(get_choice, MENU), " 2 ") == (1, [CHOICES])


@pytest.mark.parametrize("line", ["", "0", "5", "-1", "two", "1.5", "²", "9" * 5000])
def test_whatever_is_no_choice_is_asked_again(line: str) -> None:
    assert answered(partial(get_choice, MENU), line, "4") == (3, [CHOICES, CHOICES])


@pytest.mark.parametrize(("line", "choice"), [("d", 0), ("Flag", 1), (" UN ", 2), ("c", 3)])
def test_a_choice_may_be_made_by_its_first_letters(line: str, choice: int) -> None:
    assert answered(partial(get_choice, MENU), line)[0] == choice


def test_letters_are_those_of_the_readers_language_or_of_english() -> None:
    speak("es")
    word = keys_to_string(MENU).split()[0].removeprefix("1.")
    for line in (word, word[:4].lower(), "dig"):
        assert answered(partial(get_choice, MENU), line)[0] == 0


def test_a_column_may_be_named_by_its_letters() -> None:
    cell, _ = answered(partial(get_cell, 16, 30), "AD", "7")
    assert cell == {"x": 29, "y": 6}
    cell, asked = answered(partial(get_cell, 9, 9), "j", "c", "c", "3")
    assert (cell, len(asked)) == ({"x": 2, "y": 2}, 4)


def test_a_level_is_a_copy_that_nobody_else_sees_changed() -> None:
    level, asked = answered(partial(get_level, LEVELS), "3")
    assert asked == ["1.Beginner 2.Intermediate 3.Expert: "]
    assert level == LEVELS["Expert"]
    level["mines"] = 0
    assert LEVELS["Expert"]["mines"] == 99


def test_columns_are_bounded_by_the_width_and_rows_by_the_height() -> None:
    cell, asked = answered(partial(get_cell, 16, 30), "31", "30", "17", "16")
    assert cell == {"x": 29, "y": 15}
    assert asked == ["Axis x between 1 and 30 (a to ad): "] * 2 + ["Axis y between 1 and 16: "] * 2


def test_a_move_is_an_action_and_a_cell() -> None:
    view = GAMES["minesweeper"].start(level="expert").view(0)
    assert answered(partial(get_move, view), "4", "28", "7")[0] == "chord ab7"


def test_a_whole_game_is_played_by_number() -> None:
    game = GAMES["minesweeper"]
    position = game.start(width=2, height=2, mines=3, firstDig="cell")
    shown: list[str] = []
    said: list[str] = []

    async def play(move: str) -> View:
        nonlocal position
        try:
            position = position.play(0, move)
        except IllegalMove as illegal:
            said.append(illegal.sentence)
        return position.view(0)

    def game_over(ask: Ask) -> Coroutine[Any, Any, View]:
        return run(position.view(0), ask, play, lambda view: shown.append(game.draw(view, "ascii")))

    flag_dig_unflag_dig = ["2", "1", "2", "1", "1", "2", "3", "1", "2", "1", "1", "2"]
    view, asked = answered(game_over, *flag_dig_unflag_dig)
    assert view["outcome"]["kind"] == "win"
    assert said == ["There is a flag on a2; take it off first."]
    assert asked == [CHOICES, "Axis x between 1 and 2 (a to b): ", "Axis y between 1 and 2: "] * 4
    assert [drawing.splitlines()[0] for drawing in shown] == [
        "2 | # # |",
        "2 | F # |",
        "2 | F # |",
        "2 | # # |",
        "2 | 3 * |",
    ]
