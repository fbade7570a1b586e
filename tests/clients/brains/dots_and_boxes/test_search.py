"""Exact worths against those by all games, and a search that ends when its work is done."""

from __future__ import annotations

from random import Random

import pytest

from tablero.brains.dots_and_boxes.chains import BoxesBoard, board_of
from tablero.brains.dots_and_boxes.search import BoxesSearch, OutOfWork, Work
from tests.harness.games.boxes_value import by_all_games, by_bounds
from tests.harness.games.dots_and_boxes import at_random, board, free, start

ENOUGH = 1 << 40


def exact(here: BoxesBoard) -> BoxesSearch:
    return BoxesSearch(here, Work(here, ENOUGH))


SIZES = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (3, 2)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_empty_boards_are_worth_what_all_games_say(rows: int, columns: int) -> None:
    here = start(rows, columns)
    assert exact(board_of(here.grid)).worth(here.grid.all_edges) == by_bounds(here)


def test_random_positions_are_worth_what_all_games_say() -> None:
    random = Random(3)
    worths = set()
    for _ in range(120):
        rows, columns = random.choice([(3, 3), (2, 4), (3, 4), (2, 5), (1, 8)])
        edges = 2 * rows * columns + rows + columns
        here = at_random(rows, columns, edges - random.randrange(1, 13), random)
        worth = exact(board_of(here.grid)).worth(here.grid.all_edges & ~here.edges)
        assert worth == by_bounds(here), here.view(None)
        worths.add(worth)
    assert len(worths) > 10


def test_the_edge_judged_best_keeps_what_the_board_is_worth() -> None:
    random = Random(4)
    judged = 0
    while judged < 12:
        here = at_random(3, 3, random.randrange(11, 14), random)
        found = board_of(here.grid)
        edges = here.grid.all_edges & ~here.edges
        if found.harvest(edges).boxes:
            continue
        judged += 1
        judgement = BoxesSearch(found, Work(found, ENOUGH)).judge(edges, random)
        after = here.play(here.turn, here.grid.edges[judgement.edge.bit_length() - 1])
        assert judgement.worth == by_bounds(here) == -by_bounds(after)


TWO_CHAINS = """
    +-+-+-+-+

    +-+-+-+-+

    +-+-+-+-+
"""


def test_opening_one_of_two_chains_loses_the_other_as_well() -> None:
    assert exact(board(TWO_CHAINS)).worth(free(TWO_CHAINS)) == -4


def test_only_an_exact_search_gives_something_away_while_an_edge_is_safe() -> None:
    drawing = """
        + + +-+
            | |
        + + +-+
          | | |
        +-+ +-+

        +-+-+-+
    """
    here, edges = board(drawing), free(drawing)
    narrow = BoxesSearch(here, Work(here, ENOUGH), narrow=True).judge(edges, Random(1))
    judgement = exact(here).judge(edges, Random(1))
    assert narrow.edge in here.safe(edges)
    assert judgement.edge not in here.safe(edges)
    assert judgement.worth > narrow.worth


def test_a_search_says_when_its_work_is_done() -> None:
    here = start(5, 5)
    found = board_of(here.grid)
    work = Work(found, 250)
    with pytest.raises(OutOfWork):
        BoxesSearch(found, work).judge(here.grid.all_edges, Random(1))
    assert work.left == -25  # ten boards of 25 boxes, and the one too many


def test_enough_work_is_just_enough() -> None:
    assert by_all_games(start(2, 2)) == 2
    found = board_of(start(2, 2).grid)
    plenty = Work(found, ENOUGH)
    BoxesSearch(found, plenty).worth(start(2, 2).grid.all_edges)
    needed = ENOUGH - plenty.left
    assert BoxesSearch(found, Work(found, needed)).worth(start(2, 2).grid.all_edges) == 2
    with pytest.raises(OutOfWork):
        BoxesSearch(found, Work(found, needed - 1)).worth(start(2, 2).grid.all_edges)
