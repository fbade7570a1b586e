"""Lessons on the full screen: each asks for one move, and answers it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero import connect
from tablero.full_screen.dialogs import Choose
from tablero.full_screen.keys import bindings
from tablero.full_screen.lessons import KEYS, LessonScreen, LessonView
from tablero.full_screen.table_screen import TableScreen
from tablero.games import client_game
from tablero.playing.options import ScreenOptions, load
from tablero.playing.orders import NewTable
from tablero_games import GAMES
from tests.harness.client import real_server
from tests.harness.screens import a_screen, a_table

WITH_LESSONS = [game for game in GAMES if client_game(game).lessons]


@pytest.mark.parametrize("game", WITH_LESSONS)
def test_every_lesson_is_played(game: str) -> None:
    shown = LessonView(game)
    for at, lesson in enumerate(shown.lessons):
        shown.go(at)
        board = shown.board(80, 24, "safe")
        assert shown.cursor is not None
        assert board.target_at(*board.area(shown.cursor)[:2]) is not None
        right = next(move for move in shown.legal if lesson.is_right(move))
        shown.play(right)
        assert (shown.is_done, shown.answer, shown.last_move) == (True, lesson.praised, right)
        assert shown.legal == []
        shown.play("nonsense")
        assert shown.answer == lesson.praised
    assert shown.is_last


def test_another_move_changes_nothing() -> None:
    shown = LessonView("quoridor")
    before = shown.view
    shown.play("b1")
    assert (shown.view, shown.answer, shown.is_done) == (before, shown.lesson.otherwise, False)
    shown.play("c5")
    assert (shown.view, shown.answer) == (before, "That isn't possible here. Try again.")
    shown.point_at("c2")
    shown.choose("play")
    assert shown.is_done


def test_an_action_has_one_key_in_a_lesson() -> None:
    keys = [binding.key for binding in bindings(KEYS)]
    assert len(keys) == len(set(keys))


async def test_the_rules_of_a_table_are_played_by_keys(tmp_path: Path) -> None:
    async with real_server() as url, a_table(url, tmp_path, "quoridor") as (ana, ben):
        ben.plays = False
        await ana.press("H")
        await ana.opens(LessonScreen)
        await ana.shows("How to play Quoridor - Lesson 1 of 6")
        await ana.press("left", "enter")
        await ana.shows("That isn't possible here.")
        await ana.press("right", "enter")
        await ana.shows("Three more steps, and you reach the top row. Enter: next lesson.")
        await ana.press("enter")
        await ana.shows("Lesson 2 of 6")
        await ana.press("w", "enter")
        await ana.shows("Walls stay to the end.")
        await ana.press("left_square_bracket")
        await ana.shows("Lesson 1 of 6")
        await ana.press("escape")
        await ana.opens(TableScreen)
        assert ana.ply == 0, "nothing was played at the table"


async def test_the_lobby_asks_of_which_game(tmp_path: Path) -> None:
    async with real_server() as url, a_screen(url, tmp_path) as ana:
        await ana.press("H")
        await ana.opens(Choose)
        await ana.press("down", "enter")
        await ana.opens(LessonScreen)
        await ana.press("4")
        await ana.shows("Your disc lies at the bottom.")
        for number in range(2, 6):
            await ana.press("tab")
            await ana.shows(f"Lesson {number} of 5")
        await ana.press("1")
        await ana.shows("Have fun! Enter: back to the game.")
        await ana.press("enter")
        await ana.until(lambda: not isinstance(ana.app.screen, LessonScreen))


async def test_the_first_game_of_a_kind_begins_with_its_lessons_and_no_other_does(tmp_path: Path) -> None:
    """Alone at the table; what was shown is known at the next start."""
    options = {"mode": "solo", "level": "beginner"}
    for time in range(2):
        async with real_server() as url:
            kept = load(tmp_path / "screen.toml")
            async with a_screen(url, tmp_path, options=kept) as ana:
                assert ana.app.queue is not None
                orders = ana.app.queue.orders
                ana.app.queue.give(orders.create, NewTable(game="minesweeper", options=options, seats=1))
                await ana.until(lambda: ana.ply >= 0)
                if time == 0:
                    await ana.opens(LessonScreen)
                    await ana.shows("How to play Minesweeper - Lesson 1")
                    await ana.press("escape")
                await ana.opens(TableScreen)
                await ana.pilot.pause()
                assert isinstance(ana.app.screen, TableScreen)
        assert load(tmp_path / "screen.toml").lessons == ("minesweeper",)


async def test_a_first_game_against_a_person_only_hints_at_its_lessons(tmp_path: Path) -> None:
    async with (
        real_server() as url,
        connect(url, name="Ben") as ben,
        a_screen(
            url, tmp_path, options=ScreenOptions(), join=(await ben.create_room("quoridor", seat=1)).id
        ) as ana,
    ):
        await ana.opens(TableScreen)
        await ana.shows("New to Quoridor? H: see how it's played.")
        await ana.press("left")
        await ana.shows("Your turn.")
        assert load(tmp_path / "screen.toml").lessons == ("quoridor",)
