"""Minesweeper as a board."""

from __future__ import annotations

from tablero.games.minesweeper.board import MinesweeperBoard
from tablero.table_view.board import Marks
from tablero.table_view.boards import board_of

VIEW = {
    "mode": "solo",
    "width": 4,
    "height": 2,
    "mines": 2,
    "cells": ["01F#", "01##"],
    "players": [{"opened": 4, "out": None}],
}


def board(**more: object) -> MinesweeperBoard:
    made = board_of("minesweeper", {**VIEW, **more}, glyphs="ascii")
    assert isinstance(made, MinesweeperBoard)
    return made


def test_cells_are_drawn_from_the_lowest_row_up() -> None:
    assert board().draw(Marks(cursor="d1", last="dig a1")).text() == "2    1 # #\n1 ( )1 F[#]\n   a b c d"


def test_a_dug_mine_is_seen_at_the_end() -> None:
    over = board(cells=["01F*", "01##"], field=["011*", "01*1"], outcome={})
    assert over.draw(Marks()).text() == "2    1 * 1\n1    1 1 X\n   a b c d"


def test_what_a_key_does_depends_on_the_cell() -> None:
    assert board().move("d1") == "dig d1"
    assert board().move("b1") == "chord b1"
    assert board().move("d1", "flag") == "flag d1"
    assert board().move("c1", "flag") == "unflag c1"
    assert board().move("a1", "chord") == "chord a1"


def test_the_next_unknown_cell_is_covered_and_beside_an_open_one() -> None:
    assert board().next_unknown("a1") == "c2"
    assert board().next_unknown("c2") == "c2"
    covered = board(cells=["####", "####"])
    assert covered.next_unknown("d2") == "a1"


def test_progress_and_mines_left() -> None:
    assert (board().mines_left, board().facts(0)) == (1, "66 %")
    assert board(mines=8, cells=["FFFF", "####"]).facts(0) == "100 %"


def test_a_race_that_is_only_watched_has_no_cells() -> None:
    hidden = board(mode="race", cells=None)
    assert hidden.draw(Marks()).text().split("\n")[0] == "2"
    assert hidden.mines_left == 2


def test_the_cursor_stays_on_the_board() -> None:
    assert board().first_target(()) == "c2"
    assert board().walk("d2", 1, 1) == "d2"
    assert board().walk("a1", 1, 0) == "b1"
    assert [*board().legal_targets(["dig a1"])] == []
    assert board().target_at(*board().area("d1")[:2]) == "d1"
