"""Connect Four as a board."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.games import client_game
from tablero.table_view.board import Marks, board_of


def view(*stacks: str) -> dict[str, Any]:
    return {"columns": len(stacks), "rows": 4, "connect": 4, "stacks": list(stacks)}


def test_the_cursor_shows_where_the_disc_would_land() -> None:
    board = board_of("connect-four", view("01", "", "0", ""), (500, 200), glyphs="ascii", smaller=4)
    drawn = board.draw(Marks(cursor="3", legal=["1", "2", "3", "4"], last="1")).text()
    assert drawn == "4  .  .  .  .\n3  .  .  .  .\n2 (O) . [.] .\n1  X  .  X  .\n   1  2 [3] 4"


def test_every_line_is_marked() -> None:
    board = board_of("connect-four", view("0", "01", "01", "01"), (500, 200), glyphs="ascii", smaller=4)
    assert board.draw(Marks()).text().split("\n")[3] == "1 *X**X**X**X*"


def test_a_disc_falls() -> None:
    board = board_of("connect-four", view("0", "", "", ""), (500, 200), glyphs="ascii", smaller=4)
    assert board.draw(Marks(last="1", drop=2)).text().split("\n")[1] == "3  X  .  .  ."
    assert board.draw(Marks(last="1", drop=2)).text().split("\n")[3] == "1  .  .  .  ."
    assert board.draw(Marks(last="1", drop=9)).text().split("\n")[0] == "4  X  .  .  ."


def test_any_cell_means_its_column() -> None:
    board = board_of("connect-four", view("0000", "", "", ""), (500, 200), glyphs="ascii", smaller=4)
    assert [board.target_at(x, 0) for x in (1, 2, 6, 13)] == [None, "1", "2", "4"]
    assert board.target_at(6, 4) == "2"  # below the board is the name of the column
    left, top, _, _ = board.area("1")
    assert (left, top) == (2, 0)  # a full column is pointed at on its top
    assert (board.walk("1", -1, 0), board.walk("1", 1, 0), board.walk("4", 1, 1)) == ("1", "2", "4")
    assert board.first_target(()) == "3"


@pytest.mark.parametrize(("typed", "meant"), [("column 4", "4"), ("4", "4")])
def test_a_move_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert client_game("connect-four").read_move(typed, None) == meant
