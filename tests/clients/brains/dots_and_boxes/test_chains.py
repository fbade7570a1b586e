"""Chains, loops and runs on drawn boards."""

from __future__ import annotations

from random import Random

import pytest

from tablero.brains.dots_and_boxes.chains import board_of
from tests.harness.games.dots_and_boxes import at_random, bits, board, free, position

RUN = """
    +-+-+-+-+
    |
    +-+-+-+-+
"""
PAIR = """
    +-+-+
    |   |
    +-+-+
"""
CLOSED_OF_FIVE = """
    +-+-+-+-+-+
    |         |
    +-+-+-+-+-+
"""
CLOSED_AND_OPEN = """
    +-+-+-+-+
    |       |
    +-+-+-+-+
    |
    +-+-+-+-+
"""
INTO_A_JUNCTION = """
    +-+-+-+ +
    |
    +-+-+-+ +
"""


@pytest.mark.parametrize(
    ("drawing", "first", "last", "boxes", "handout"),
    [
        pytest.param("+ +\n\n+-+", "", "", 0, 0, id="nothing to take"),
        pytest.param("+-+\n|\n+-+", "b1v", "", 1, 0, id="one box"),
        pytest.param("+-+-+\n|\n+-+-+", "", "b1v c1v", 2, 2, id="two boxes may be handed out"),
        pytest.param(PAIR, "b1v", "", 2, 0, id="an edge that closes two boxes"),
        pytest.param(RUN, "b1v c1v", "d1v e1v", 4, 2, id="all but the last two of a run"),
        pytest.param(CLOSED_OF_FIVE, "b1v", "c1v d1v e1v", 5, 4, id="all but four of a closed run"),
        pytest.param("+-+-+-+\n|     |\n+-+-+-+", "b1v c1v", "", 3, 0, id="a closed run too short to divide"),
        pytest.param(
            CLOSED_AND_OPEN, "b2v c2v d2v b1v c1v", "d1v e1v", 8, 2, id="the cheaper of two handouts"
        ),
        pytest.param(INTO_A_JUNCTION, "b1v", "c1v d1v", 3, 2, id="a run that ends at a junction"),
    ],
)
def test_what_can_be_taken_and_what_may_be_handed_out(
    drawing: str, first: str, last: str, boxes: int, handout: int
) -> None:
    harvest = board(drawing).harvest(free(drawing))
    assert (harvest.first, harvest.last) == (bits(drawing, first), bits(drawing, last))
    assert (harvest.boxes, harvest.handout) == (boxes, handout)
    assert harvest.after == free(drawing) & ~sum(bits(drawing, f"{first} {last}"))


def test_a_box_between_two_runs_lengthens_the_one_that_is_taken_last() -> None:
    drawing = """
        +-+-+-+
        |     |
        +-+ +-+
          | |
        + + + +
    """
    harvest = board(drawing).harvest(free(drawing))
    assert (harvest.first, harvest.last) == (bits(drawing, "c2v b2v"), bits(drawing, "b2h b1h"))
    assert (harvest.boxes, harvest.handout) == (4, 2)


@pytest.mark.parametrize(
    ("drawing", "double_deal"), [(RUN, "e1v"), (CLOSED_OF_FIVE, "d1v"), (CLOSED_AND_OPEN, "e1v")]
)
def test_a_double_deal_leaves_pairs_that_one_edge_each_closes(drawing: str, double_deal: str) -> None:
    harvest = board(drawing).harvest(free(drawing))
    assert (harvest.double_deal,) == bits(drawing, double_deal)
    left = board(drawing).harvest(free(drawing) & ~sum(harvest.first) & ~harvest.double_deal)
    assert (left.boxes, left.handout, left.after) == (harvest.handout, 0, harvest.after)


def test_harvests_take_by_the_rules_what_they_say() -> None:
    random = Random(1)
    taken = 0
    for _ in range(200):
        here = at_random(3, 4, random.randrange(20, 31), random)
        harvest = board_of(here.grid).harvest(here.grid.all_edges & ~here.edges)
        seat, before = here.turn, sum(here.scores)
        for edge in harvest.first + harvest.last:
            assert here.turn == seat
            here = here.play(seat, here.grid.edges[edge.bit_length() - 1])
        assert sum(here.scores) - before == harvest.boxes
        assert here.turn == seat
        assert here.grid.all_edges & ~here.edges == harvest.after
        assert not board_of(here.grid).harvest(harvest.after).boxes
        taken += harvest.boxes
    assert taken > 500


@pytest.mark.parametrize(
    ("drawing", "chains"),
    [
        pytest.param("+ + +\n\n+ + +", [], id="no chain"),
        pytest.param("+-+ +\n\n+-+ +", [("b1v", 1, 0)], id="one box beside a junction"),
        pytest.param("+-+-+\n\n+-+-+", [("b1v", 2, 2)], id="two boxes are opened between them"),
        pytest.param("+-+-+-+\n\n+-+-+-+", [("d1v", 3, 3)], id="three boxes from rim to rim"),
        pytest.param("+-+-+\n|   |\n+ + +\n|   |\n+-+-+", [("a2h", 4, -4)], id="a loop"),
        pytest.param("+-+-+-+ +\n\n+-+-+-+ +", [("d1v", 3, 0)], id="three boxes and a junction"),
        pytest.param(
            "+-+-+-+\n\n+-+-+-+\n\n+ +-+-+",
            [("c1v", 2, 0), ("d2v", 3, 3)],
            id="the shortest first",
        ),
    ],
)
def test_chains_and_loops(drawing: str, chains: list[tuple[str, int, int]]) -> None:
    names = position(drawing).grid.edges
    found = board(drawing).chains(free(drawing))
    assert [(names[chain.opening.bit_length() - 1], chain.boxes, chain.kind) for chain in found] == chains
    assert [chain.loop for chain in found] == [kind < 0 for _, _, kind in chains]


def test_whatever_edge_opens_a_chain_all_of_it_is_given_away() -> None:
    drawing = "+-+-+-+-+-+\n\n+-+-+-+-+-+"
    harvests = [board(drawing).harvest(free(drawing) ^ edge) for edge in bits(drawing, "a1v b1v c1v d1v")]
    assert {(harvest.boxes, harvest.handout, harvest.after) for harvest in harvests} == {(5, 2, 0)}


def test_safe_edges_are_given_once_for_a_corner() -> None:
    drawing = "+ + +\n\n+-+ +"
    assert board(drawing).safe(free(drawing)) == list(bits(drawing, "b1h a2h b1v"))
    assert board(drawing).all_safe(free(drawing)) == list(bits(drawing, "b1h a2h b2h a1v b1v c1v"))


def test_boards_that_differ_only_at_the_rim_of_a_corner_are_one() -> None:
    one, other, third = "+ +-+\n\n+ + +", "+ + +\n    |\n+ + +", "+ + +\n  |\n+ + +"
    standard = {board(drawing).standard(free(drawing)) for drawing in (one, other)}
    assert len(standard) == 1
    assert board(third).standard(free(third)) not in standard
