"""What people type, and what is meant: of each game in its own test, and of a game that we do not know."""

from __future__ import annotations

import pytest

from tablero.table_view.notation import direction_last, read_move


def test_a_move_of_another_game_is_passed_on_as_it_was_typed() -> None:
    assert read_move("go", " Swap  D4 ") == "Swap  D4"


@pytest.mark.parametrize("typed", ["h e3", "h-e3", "e3 h", "e3h"])
def test_the_direction_may_come_first(typed: str) -> None:
    assert direction_last(typed) == "e3h"
