"""Tic-tac-toe as a board."""

from __future__ import annotations

import pytest

from tablero.games import client_game
from tablero.table_view.board import Marks, board_of


def test_it_shows_what_may_be_played_what_was_played_and_the_cursor() -> None:
    board = board_of("tic-tac-toe", {"cells": "0...1...."}, (500, 200), glyphs="ascii", smaller=2)
    drawn = board.draw(Marks(cursor="c3", legal=["c3", "a2"], last="b2")).text()
    assert drawn == "3    |   |[+]\n  ---+---+---\n2  + |(O)|\n  ---+---+---\n1  X |   |\n   a   b   c"


def test_a_line_is_marked() -> None:
    board = board_of("tic-tac-toe", {"cells": "00011...."}, (500, 200), glyphs="ascii", smaller=2)
    assert board.draw(Marks()).text().split("\n")[4] == "1 *X*|*X*|*X*"


def test_the_cursor_stays_on_the_board() -> None:
    board = board_of("tic-tac-toe", {"cells": "." * 9})
    assert board.first_target(()) == "b2"
    assert board.walk("b2", 1, 0) == "c2"
    assert board.walk("c2", 1, 0) == "c2"
    assert board.walk("b2", 0, 1) == "b3"
    assert board.walk("b1", 0, -1) == "b1"
    assert board.move("b2") == "b2"


@pytest.mark.parametrize(
    ("typed", "meant"), [("5", "b2"), ("7", "a3"), ("2b", "b2"), (" B2 ", "b2"), ("10", "10")]
)
def test_a_move_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert client_game("tic-tac-toe").read_move(typed, None) == meant
