"""What is told of Minesweeper in lines of text."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.catalogue.speech import speak
from tablero.games.minesweeper.lines import emoji_columns, progress, side, unseen
from tablero_games import GAMES


@pytest.fixture(autouse=True)
def english() -> None:
    speak("en")


def view_of(mode: str, **player: Any) -> dict[str, Any]:
    view = GAMES["minesweeper"].start(1 if mode == "solo" else 2, mode=mode).view(0)
    view["players"][-1] |= player
    return view


@pytest.mark.parametrize(
    ("player", "told"), [({"opened": 5}, "5"), ({"opened": 5, "out": "resign"}, "5 (resign)")]
)
def test_a_side_has_opened_cells_and_may_be_out(player: dict[str, Any], told: str) -> None:
    assert side(view_of("race", **player), 1) == told


def test_alone_there_are_no_sides() -> None:
    assert side(view_of("solo"), 0) is None


def test_how_far_a_rival_is_is_told_instead_of_its_moves() -> None:
    assert unseen(view_of("race", opened=5), 1, "Ben", str.upper) == "Ben has opened 5 of 71 cells."
    out = unseen(view_of("race", opened=5, out="mine"), 1, "Ben", str.upper)
    assert out == "Ben is out (MINE) with 5 of 71 cells open."


def test_a_cell_in_emoji_takes_two_columns() -> None:
    assert emoji_columns(view_of("solo")) == 2 * 9 + 6


def test_the_progress_is_that_of_the_rules() -> None:
    assert "10" in progress(view_of("solo"))
