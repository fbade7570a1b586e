"""What people type in Minesweeper, and what is meant."""

from __future__ import annotations

import pytest

from tablero.games import client_game


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("c4", "dig c4"),
        ("b1", "chord b1"),
        ("aa1", "dig aa1"),
        ("f c4", "flag c4"),
        ("d  C4", "dig c4"),
        ("c4 f", "flag c4"),
        ("c4 flag", "flag c4"),
        ("dig c4", "dig c4"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_move_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert client_game("minesweeper").read_move(typed, {"cells": ["01F#", "01##"]}) == meant


def test_without_a_position_a_cell_is_dug() -> None:
    assert client_game("minesweeper").read_move("b1", None) == "dig b1"
