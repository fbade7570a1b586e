"""The expert on drawn boards: what it takes, hands out and gives away, and how much it looks at."""

from __future__ import annotations

from random import Random

import pytest

from tablero.brains.dots_and_boxes.chains import BoxesBoard, Edges
from tablero.brains.dots_and_boxes.expert import best_edge, judge
from tablero.brains.dots_and_boxes.levels import Expert
from tests.harness.games.dots_and_boxes import board, free, position, start

WORK = 2_000_000


def best(drawing: str, work: int = WORK) -> str:
    edge = best_edge(board(drawing), free(drawing), Random(1), work)
    return position(drawing).grid.edges[edge.bit_length() - 1]


@pytest.mark.parametrize(
    ("drawing", "edge"),
    [
        pytest.param(
            "+-+ +-+ +-+-+\n| | | | |   |\n+ + + + +-+-+", "f1v", id="the edge that brings two points"
        ),
        pytest.param("+-+-+-+-+\n|\n+-+-+-+-+\n\n+-+-+-+-+", "b2v", id="all but two of the run"),
        pytest.param(
            "+-+-+-+-+\n| | |\n+-+-+-+-+\n\n+-+-+-+-+", "e2v", id="the last two are handed out for four"
        ),
        pytest.param("+-+-+-+-+\n| | |\n+-+-+-+-+\n| | | | |\n+-+-+-+-+", "d2v", id="not at the very end"),
        pytest.param("+-+-+-+-+\n| | |\n+-+-+-+-+\n| |   | |\n+-+-+-+-+", "c1v", id="a pair before that"),
        pytest.param("+-+-+-+-+\n| | |\n+-+-+-+-+\n| | | |\n+-+-+-+ +", "d2v", id="not for a single box"),
    ],
)
def test_boxes_are_taken_or_handed_out(drawing: str, edge: str) -> None:
    assert best(drawing) == edge


OPENED_LOOP = """
    +-+-+-+-+-+
    |   |     |
    +-+ + +-+ +
    |   |     |
    +-+-+-+-+-+
"""
SHORT_LOOP = """
    +-+-+
    |   |
    +-+ +
    |   |
    +-+-+
"""


def test_four_boxes_of_a_loop_are_handed_out_for_six() -> None:
    assert best(OPENED_LOOP) == "b2h"


def test_a_loop_is_taken_where_nothing_is_left_to_gain() -> None:
    assert best(SHORT_LOOP) in {"b1v", "b2v"}


def test_of_chains_that_cost_the_same_in_the_end_the_shortest_goes_first() -> None:
    drawing = """
        +-+-+-+-+-+

        +-+-+-+-+-+
              | | |
        +-+-+ +-+-+
    """
    assert best(drawing) in {"a1v", "c1h"}


def test_two_boxes_are_given_away_by_the_edge_between_them_so_that_none_comes_back() -> None:
    drawing = """
        +-+-+-+-+

        +-+-+-+-+
            | | |
        +-+ +-+-+
    """
    assert best(drawing) == "b1v"


def test_without_work_for_a_search_it_samples_and_gives_nothing_away() -> None:
    drawing = """
        +-+-+-+-+
        |
        + + + + +

        + + + + +
    """
    here = board(drawing)
    assert best_edge(here, free(drawing), Random(1), 100) in here.safe(free(drawing))


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (12, 12), (1, 12)])
def test_what_a_turn_looks_at_is_bounded(rows: int, columns: int) -> None:
    class Counting(BoxesBoard):
        looked_at = 0

        def _safe(self, free: Edges) -> Edges:
            Counting.looked_at += len(self.boxes)
            return super()._safe(free)

    grid = start(rows, columns).grid
    judge(Counting(grid), grid.all_edges, Random(1), Expert.work)
    assert 0 < Counting.looked_at <= 3 * Expert.work + 5 * len(grid.boxes)
