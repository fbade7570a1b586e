"""The expert on drawn boards: what it takes, hands out and gives away, and how much it looks at."""

from __future__ import annotations

from random import Random

import pytest

from tablero.brains.dots_and_boxes.chains import BoxesBoard, Edges, board_of
from tablero.brains.dots_and_boxes.expert import CANDIDATES, best_edge, judge, judge_by_playouts, playout
from tablero.brains.dots_and_boxes.levels import Expert
from tablero.brains.dots_and_boxes.search import BoxesSearch, Work
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


ENOUGH = 1 << 40
ONE_SAFE_EDGE = """
    +-+-+-+ +-+-+-+

    +-+-+-+-+-+-+-+
"""


def narrow(drawing: str) -> BoxesSearch:
    return BoxesSearch(board(drawing), Work(board(drawing), ENOUGH), narrow=True)


def test_a_playout_without_a_safe_edge_is_what_the_chains_are_worth() -> None:
    drawing = "+-+-+-+\n\n+-+-+-+"
    assert playout(board(drawing), free(drawing), Random(1), narrow(drawing)) == -3


def test_a_playout_turns_the_worth_around_with_each_edge_that_it_draws() -> None:
    here, edges = board(ONE_SAFE_EDGE), free(ONE_SAFE_EDGE)
    assert len(here.safe(edges)) == 1
    after = narrow(ONE_SAFE_EDGE).worth(edges ^ here.safe(edges)[0])
    assert playout(here, edges, Random(1), narrow(ONE_SAFE_EDGE)) == -after == 7


def test_a_playout_draws_every_edge_that_stays_safe() -> None:
    drawing = "+-+-+-+ +-+-+-+\n\n+-+-+-+ +-+-+-+"
    assert playout(board(drawing), free(drawing), Random(1), narrow(drawing)) == -7


def test_the_edge_that_leaves_the_better_number_of_edges_is_found() -> None:
    drawing = """
        +-+-+-+
        |
        + + + +

        +-+-+-+
    """
    here, edges = board(drawing), free(drawing)
    exact = BoxesSearch(here, Work(here, ENOUGH))
    worths = {edge: -exact.worth(edges ^ edge) for edge in here.safe(edges)}
    assert len(set(worths.values())) > 1
    judgement = judge_by_playouts(here, edges, Random(1), Work(here, 100_000))
    assert worths[judgement.edge] == max(worths.values())


def test_with_no_work_at_all_it_is_any_safe_edge() -> None:
    grid = start(12, 12).grid
    judgement = judge_by_playouts(board_of(grid), grid.all_edges, Random(1), Work(board_of(grid), 0))
    assert judgement.edge in board_of(grid).safe(grid.all_edges)
    assert judgement.worth == 0


def test_equal_dice_give_equal_judgements() -> None:
    grid = start(5, 5).grid
    here = board_of(grid)
    assert len(here.safe(grid.all_edges)) > CANDIDATES
    first, again, other = (
        judge_by_playouts(here, grid.all_edges, Random(seed), Work(here, 5000)) for seed in (1, 1, 2)
    )
    assert first == again != other
