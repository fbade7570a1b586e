"""Colours on a board: the two sides, and nothing that is told by them alone."""

from __future__ import annotations

import re

from tablero.playing.board_lines import position_lines, text_of
from tablero.table_view.canvas import Stretch
from tablero.terminal.colours import coloured, may_colour, rows_of
from tablero_games import GAMES
from tablero_games.play import Play


def test_the_two_sides_have_colours_and_the_text_stays_as_it_is() -> None:
    view = Play.begin(GAMES["tic-tac-toe"]).turn(0, "a1").turn(1, "b2").position.view(0)
    lines = position_lines("tic-tac-toe", view, ["Ana", "Ben"], "ascii", last="b2")
    shown = coloured(lines)
    assert "\x1b[1;33mX Ana\x1b[m, \x1b[1;36mO Ben\x1b[m" in shown
    assert "\x1b[1;36;4mO\x1b[m" in shown
    assert re.sub(r"\x1b\[[\d;]*m", "", shown).replace(" \n", "\n") == text_of(lines)


def test_nothing_in_the_text_is_obeyed() -> None:
    shown = coloured([[Stretch("a\x1b[2Jb", "seat0", "win")]])
    assert shown == "\x1b[1;33;7ma [2Jb\x1b[m"


def test_rows_are_counted_by_what_is_seen() -> None:
    assert rows_of(["", "x" * 10, "x" * 11, "\x1b[1;33mxxxxx\x1b[mxxxxx"], 10) == 1 + 1 + 2 + 1


def test_whoever_wants_no_colours_gets_none() -> None:
    assert may_colour({})
    assert may_colour({"NO_COLOR": ""})
    assert not may_colour({"NO_COLOR": "1"})
