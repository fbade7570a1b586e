"""What people type, and what is meant."""

from __future__ import annotations

import pytest

from tablero.table_view.notation import read_move


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        ("tic-tac-toe", "5", "b2"),
        ("tic-tac-toe", "7", "a3"),
        ("tic-tac-toe", "2b", "b2"),
        ("tic-tac-toe", " B2 ", "b2"),
        ("tic-tac-toe", "10", "10"),
        ("connect-four", "column 4", "4"),
        ("connect-four", "4", "4"),
        ("dots-and-boxes", "a1b1", "a1h"),
        ("dots-and-boxes", "a2-a1", "a1v"),
        ("dots-and-boxes", "a1 b1", "a1h"),
        ("dots-and-boxes", "a1 h", "a1h"),
        ("dots-and-boxes", "a1c1", "a1c1"),
        ("dots-and-boxes", "a1v", "a1v"),
        ("quoridor", "E3 H", "e3h"),
        ("quoridor", "h e3", "e3h"),
        ("quoridor", "e2", "e2"),
        ("minesweeper", "c4", "dig c4"),
        ("minesweeper", "b1", "chord b1"),
        ("minesweeper", "aa1", "dig aa1"),
        ("minesweeper", "f c4", "flag c4"),
        ("minesweeper", "d  C4", "dig c4"),
        ("minesweeper", "c4 f", "flag c4"),
        ("minesweeper", "c4 flag", "flag c4"),
        ("minesweeper", "dig c4", "dig c4"),
        ("minesweeper", "nonsense", "nonsense"),
        ("go", " swap ", "swap"),
    ],
)
def test_a_move_is_read_as_it_is_meant(game: str, typed: str, meant: str) -> None:
    assert read_move(game, typed, {"cells": ["01F#", "01##"]}) == meant


def test_without_a_position_a_cell_is_dug() -> None:
    assert read_move("minesweeper", "b1") == "dig b1"
