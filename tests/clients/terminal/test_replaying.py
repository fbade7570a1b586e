"""A record shown as text: all at once, by hand, and by itself."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tablero.terminal.replaying import Stage, replay_file
from tablero_games import GAMES
from tablero_games.position import Position
from tests.harness.command_line import RUNNING, SEALED, WON, a_record, kept, tablero
from tests.harness.paper import Paper


def test_replay_shows_each_position_and_who_played_what(tmp_path: Path) -> None:
    code, text = tablero("replay", kept(tmp_path, WON), "--style", "ascii")
    assert code == 0
    assert text.startswith("Tic-tac-toe: Ana, Ben\n")
    assert "2. Ben plays b1.\n" in text
    assert text.count("a   b   c") == 6
    assert "(O)" in text
    assert text.count("X Ana, O Ben") == 6
    assert text.endswith("Ana wins (line).\n")


def test_replay_draws_the_board_only_where_it_has_changed(tmp_path: Path) -> None:
    record = a_record("tic-tac-toe", "a1", "b1", "pause", "continue", "add")
    code, text = tablero("replay", kept(tmp_path, record), "--style", "ascii")
    assert code == 0
    assert text.count("a   b   c") == 3
    told = ["3. All agree to a pause, for 15:00 at most.", "4. The game continues."]
    assert "\n".join([*told, "5. Ben gives the opponents 0:15 more.\n"]) in text


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (RUNNING, "The game is not over."),
        (SEALED, "1. Ana plays dig a1.\nThe game is not over: its hidden information is sealed"),
        (a_record("tic-tac-toe", "resign"), "1. Ana resigns."),
        (
            a_record("tic-tac-toe", "a1", "a2", "b2", "c3", "a3", "c1", "c2", "b1", "b3"),
            "The game is a draw (full).",
        ),
        (a_record("minesweeper", "resign", names=("Ana",)), "Nobody wins (resign)."),
        (a_record("tic-tac-toe", names=("A\x1b[2J", "B")), "Tic-tac-toe: A [2J, B"),
    ],
)
def test_replay_says_what_happened(tmp_path: Path, record: str, words: str) -> None:
    code, text = tablero("replay", kept(tmp_path, record))
    assert code == 0
    assert words in text
    assert "\x1b" not in text


def test_replay_of_a_race_shows_the_board_of_who_moved(tmp_path: Path) -> None:
    options: dict[str, Any] = {"mode": "race", "width": 4, "height": 3, "mines": 2, "firstDig": "cell"}
    position: Position = GAMES["minesweeper"].start(2, 5, **options)
    move = next(each for each in position.legal_moves(0) if each.startswith("flag"))
    _, text = tablero("replay", kept(tmp_path, a_record("minesweeper", move, "resign", "resign", **options)))
    assert f"1. Ana plays {move}." in text
    assert "2. Ben resigns." in text


def test_replay_stops_where_a_record_is_wrong(tmp_path: Path) -> None:
    code, text = tablero("replay", kept(tmp_path, WON[:-1]))
    assert code == 1
    assert "invalid at line 7: The record breaks off." in text


class Hall:
    """A stage whose visitor types these lines, and interrupts what plays by itself when told to."""

    def __init__(self, typed: Iterable[str], *, stays: int = 99, columns: int = 80, **more: Any) -> None:
        self.paper = Paper(columns)
        self.asked: list[str] = []
        self.waited: list[float] = []
        self._typed = iter(typed)
        self._stays = stays
        self.stage = Stage(self.paper.write, self._ask, self._wait, (columns, 24), **more)

    def _ask(self, question: str) -> str | None:
        self.asked.append(question)
        self.paper.write(question)
        typed = next(self._typed, None)
        self.paper.write("" if typed is None else f"{typed}\n")
        return typed

    def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        if len(self.waited) > self._stays:
            raise KeyboardInterrupt

    def show(self, file: Path, **how: Any) -> int:
        return replay_file(file, "ascii", self.stage, **how)

    @property
    def places(self) -> list[int]:
        """The moves that were looked at when a question was asked."""
        return [int(question.split()[1]) for question in self.asked]


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        (["", "", "b", "b", "b", "q"], [0, 1, 2, 1, 0, 0]),
        (["4", "", "", "never asked"], [0, 4, 5]),
        (["99", "0", "what", "q"], [0, 5, 0, 0]),
        (["Q"], [0]),
    ],
)
def test_step_by_step_it_goes_forth_and_back_and_to_a_number(
    typed: list[str], places: list[int], tmp_path: Path
) -> None:
    hall = Hall(typed)
    assert hall.show(kept(tmp_path, WON), step=True) == 0
    assert hall.places == places
    assert hall.asked[0].startswith("Move 0 of 5. Enter: next, b: back, number: go to, p: autoplay, q: quit")


def test_where_nothing_more_is_typed_the_rest_is_shown_at_once(tmp_path: Path) -> None:
    code, text = tablero("replay", kept(tmp_path, WON), "--step", typed="\n\n")
    assert code == 0
    assert text.count("a   b   c") == 6
    assert text.endswith("Ana wins (line).\n")


def test_at_a_terminal_each_position_is_drawn_over_the_one_before(tmp_path: Path) -> None:
    hall = Hall(["", "b", "q"], in_place=True)
    hall.show(kept(tmp_path, WON), step=True)
    assert [line for line in hall.paper.all if "b   c" in line] == ["   a   b   c"]
    assert hall.paper.all[:3] == ["Tic-tac-toe: Ana, Ben", "At the start", "3    |   |"]
    piped = Hall(["", "b", "q"])
    piped.show(kept(tmp_path, WON), step=True)
    assert sum("b   c" in line for line in piped.paper.all) == 4 - 1


def test_in_a_narrow_terminal_the_question_is_folded_and_still_drawn_over(tmp_path: Path) -> None:
    hall = Hall(["", "b", "", "q"], in_place=True, columns=44)
    hall.show(kept(tmp_path, WON), step=True)
    assert hall.paper.all[:2] == ["Tic-tac-toe: Ana, Ben", "1. Ana plays a1."]
    assert hall.paper.all[9:] == [
        "Move 1 of 5. Enter: next, b: back,",
        "number: go to, p: autoplay, q: quit > q",
        "",
    ]


def test_it_plays_by_itself_until_it_is_stopped(tmp_path: Path) -> None:
    hall = Hall([], in_place=True)
    assert hall.show(kept(tmp_path, WON), pace=0.25) == 0
    assert hall.waited == [0.25] * 5
    assert hall.paper.all[-3:] == ["X Ana, O Ben", "Ana wins (line).", ""]
    stopped = Hall(["p", "", "q"], stays=2)
    stopped.show(kept(tmp_path, WON), step=True)
    assert stopped.places == [0, 2, 3]


def test_sides_have_colours_only_where_they_are_allowed(tmp_path: Path) -> None:
    written: list[str] = []
    for colours in (True, False):
        stage = Stage(written.append, lambda _: None, colours=colours)
        replay_file(kept(tmp_path, WON), "ascii", stage)
        assert any("\x1b[1;33m" in text for text in written) is colours
        written.clear()
