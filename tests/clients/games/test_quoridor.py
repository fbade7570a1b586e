"""Quoridor as a board."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.games import client_game
from tablero.table_view.board import Marks, board_of
from tablero_games import GAMES


def after(*moves: str, **options: int) -> Any:
    position = GAMES["quoridor"].start(**options)
    for move in moves:
        position = position.play(min(position.to_move), move)
    return position


SMALL = after("b1h", size=4).view(0)


def test_walls_pawns_steps_and_the_wall_under_the_cursor_are_seen() -> None:
    board = board_of("quoridor", SMALL, (500, 200), glyphs="ascii", smaller=1)
    legal = GAMES["quoridor"].legal_moves(SMALL, 1)
    drawn = board.draw(Marks(cursor="a3v", legal=legal, last="b1h")).text().split("\n")
    assert drawn == [
        "4  . : +   O   +",
        "     :",
        "3  . : .   +   .",
        "",
        "2  .   .   .   .",
        "      (=====)",
        "1  .   .   X   .",
        "   a   b   c   d",
    ]


def test_a_wall_that_may_not_stand_is_seen_to_be_wrong() -> None:
    board = board_of("quoridor", SMALL, (500, 200), glyphs="ascii", smaller=1)
    legal = GAMES["quoridor"].legal_moves(SMALL, 1)
    assert "c1h" not in legal
    assert "xxxxxxx" in board.draw(Marks(cursor="c1h", legal=legal)).text()
    assert "~~~~~~~" in board.draw(Marks(premove="a3h")).text()


def test_it_is_seen_from_the_own_side() -> None:
    ahead, turned = (
        board_of("quoridor", SMALL, (500, 200), glyphs="ascii", smaller=1, turned=turned)
        for turned in (False, True)
    )
    assert turned.draw(Marks()).text().split("\n")[-1].split() == ["d", "c", "b", "a"]
    assert ahead.walk("b2", 1, 1) == "c3"
    assert turned.walk("b2", 1, 1) == "a1"
    assert ahead.first_target(["b2", "c1", "a1h"]) == "b2"
    assert turned.first_target(["b2", "c1", "a1h"]) == "c1"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("scale", [0, 1, 2])
def test_every_cell_and_wall_is_found_where_it_is_drawn(scale: int, turned: bool) -> None:
    position = after()
    board = board_of("quoridor", position.view(0), (500, 200), smaller=scale, turned=turned)
    walls = [move for move in position.legal_moves(0) if move[-1] in "hv"]
    for wall in walls:
        left, top, width, height = board.area(wall)
        first = (
            (left + (width - 1) * turned, top)
            if wall[-1] == "h"
            else (left, top + (height - 1) * (not turned))
        )
        assert board.target_at(*first) == wall
        middle = left + width // 2, top + height // 2
        assert board.target_at(*middle, wall) == wall
    for cell in ("a1", "e5", "i9", "c7"):
        left, top, width, height = board.area(cell)
        assert {board.target_at(left + x, top + y) for x in range(width) for y in range(height)} == {cell}


def test_a_cursor_changes_between_cells_and_walls() -> None:
    board = board_of("quoridor", after().view(0))
    assert board.switched("e2") == "e2h"
    assert board.switched("e2h") == "e2"
    assert board.switched("i9") == "h8h"
    assert board.rotated("e2h") == "e2v"
    assert board.rotated("e2v") == "e2h"
    assert board.rotated("e2") == "e2h"
    assert board.walk("h8h", 1, 1) == "h8h"
    assert board.walk("a1v", 1, 0) == "b1v"
    assert board.facts(0).endswith("10")


def test_the_goal_is_marked_when_it_is_reached() -> None:
    position = after(size=3, walls=0)
    for move in ("b2", "a3", "b3"):
        position = position.play(min(position.to_move), move)
    board = board_of("quoridor", position.view(0), (500, 200), glyphs="ascii", smaller=1)
    assert "*X*" in board.draw(Marks(last="b3")).text()


@pytest.mark.parametrize("scale", [0, 1, 2])
@pytest.mark.parametrize("last", ["e3h", "c5v", "e8"])
def test_the_last_move_is_seen_without_colours(scale: int, last: str) -> None:
    board = board_of("quoridor", after("e3h", "e8", "c5v").view(0), (500, 200), glyphs="ascii", smaller=scale)
    drawn = board.draw(Marks(last=last)).text()
    assert drawn.count("(") == drawn.count(")") == 1
    assert "(" not in board.draw(Marks()).text()


@pytest.mark.parametrize(("typed", "meant"), [("E3 H", "e3h"), ("h e3", "e3h"), ("e2", "e2")])
def test_a_move_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert client_game("quoridor").read_move(typed, None) == meant
