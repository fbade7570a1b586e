"""Dots and Boxes as a board."""

from __future__ import annotations

import pytest

from tablero.games import client_game
from tablero.table_view.board import Marks, board_of
from tablero_games import GAMES


def start(*moves: str, **options: int) -> dict[str, object]:
    position = GAMES["dots-and-boxes"].start(**options)
    for move in moves:
        position = position.play(min(position.to_move), move)
    return position.view(0)


def test_boxes_have_their_owner_and_edges_their_marks() -> None:
    view = start("a1h", "a1v", "b1v", "a2h", rows=1, columns=2)
    board = board_of("dots-and-boxes", view, (500, 200), glyphs="ascii", smaller=2)
    drawn = board.draw(Marks(cursor="b2h", last="a2h", legal=["b1h", "c1v"])).text()
    assert drawn == "2 +(-)+[ ]+\n  | O |   +\n1 +---+ + +\n  a   b   c"
    assert [board.facts(seat) for seat in (0, 1)] == ["0", "1"]
    assert board.draw(Marks(last="b1v")).text().split("\n")[1] == "  | O(|)"


@pytest.mark.parametrize("edge", ["a1h", "b1v", "a2h", "c1v"])
@pytest.mark.parametrize("scale", [0, 1, 2, 3])
def test_every_mark_is_seen_without_colours(scale: int, edge: str) -> None:
    board = board_of("dots-and-boxes", start("a1h", "b1v"), (500, 200), glyphs="ascii", smaller=scale)
    marks = [Marks(), Marks(last=edge), Marks(cursor=edge), Marks(premove=edge)]
    assert len({board.draw(each).text() for each in marks}) == len(marks)


@pytest.mark.parametrize("scale", [0, 1, 2, 3])
def test_every_edge_is_found_where_it_is_drawn(scale: int) -> None:
    board = board_of("dots-and-boxes", start(), (500, 200), smaller=scale)
    for edge in GAMES["dots-and-boxes"].start().legal_moves(0):
        left, top, width, height = board.area(edge)
        assert board.target_at(left + width // 2, top + height // 2) == edge


def test_the_middle_of_a_large_box_is_no_edge() -> None:
    board = board_of("dots-and-boxes", start(), (500, 200), smaller=0)
    left, top, width, _ = board.area("a2h")
    assert board.target_at(left + width // 2, top + 2) is None
    assert board.target_at(left + width // 2, top + 1) == "a2h"
    assert board.target_at(0, 0) is None


def test_the_cursor_walks_from_edge_to_edge() -> None:
    board = board_of("dots-and-boxes", start())
    assert board.walk("a1h", 1, 0) == "b1h"
    assert board.walk("a1v", 1, 0) == "b1v"
    assert board.walk("a1h", 0, 1) == "b1v"
    assert board.walk("b1v", 0, 1) == "a2h"
    assert board.walk("a1h", 0, -1) == "a1h"
    assert board.walk("e1h", 1, 0) == "e1h"
    assert board.walk("a1v", 0, -1) == "a1h"
    assert board.rotated("e6h") == "e5v"
    assert board.rotated("f5v") == "e5h"


def test_every_edge_can_be_reached() -> None:
    board = board_of("dots-and-boxes", start())
    reached, new = {"a1h"}, ["a1h"]
    while new:
        edge = new.pop()
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if (other := board.walk(edge, *step)) not in reached:
                reached.add(other)
                new.append(other)
    assert reached == set(GAMES["dots-and-boxes"].start().legal_moves(0))


def test_the_cursor_begins_on_an_open_edge() -> None:
    first = board_of("dots-and-boxes", start()).first_target(())
    assert first == "b3h"
    assert board_of("dots-and-boxes", start("b3h")).first_target(["a1h"]) == "a1h"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("a1b1", "a1h"), ("a2-a1", "a1v"), ("a1 b1", "a1h"), ("a1 h", "a1h"), ("a1c1", "a1c1"), ("a1v", "a1v")],
)
def test_a_move_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert client_game("dots-and-boxes").read_move(typed, None) == meant
