"""Random games of safe edges, and the edge that does best in them."""

from __future__ import annotations

from random import Random

from tablero.brains.dots_and_boxes.chains import board_of
from tablero.brains.dots_and_boxes.playouts import CANDIDATES, judge_by_playouts, playout
from tablero.brains.dots_and_boxes.search import BoxesSearch, Work
from tests.harness.games.dots_and_boxes import board, free, start

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
