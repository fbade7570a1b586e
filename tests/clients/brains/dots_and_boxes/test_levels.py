"""The documented Dots and Boxes players: each check on the boxes it speaks of, and each level."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from tablero.arena.local import play_many, play_match
from tablero.bot import Bot
from tablero.brains.dots_and_boxes import levels as ai
from tablero.dice import dice
from tablero_games.dots_and_boxes import DotsAndBoxesPosition
from tests.harness.games.dots_and_boxes import GAME, at_random, position, start, turn
from tests.harness.tiers import FULL

LEVELS = [ai.TresFacile, ai.Facile, ai.Moyen, ai.Difficile, ai.Expert]


class Hasty(ai.Expert):
    """The expert with little patience, for whole games."""

    work = 2000


def test_a_cell_holds_its_top_and_its_left_edge() -> None:
    here = position("""
        +-+ +
        |   |
        + +-+
            |
        +-+ +
    """)
    drawn = [
        [("-" if cell.top else " ") + ("|" if cell.left else " ") for cell in row]
        for row in ai.grille_of(here.view(0))
    ]
    assert drawn == [["-|", "  ", " |"], ["  ", "- ", " |"], ["- ", "  ", "  "]]


def test_a_cell_knows_whether_its_box_is_complete() -> None:
    here = position("""
        + +-+
          | |
        + +-+

        + + +
    """)
    complete = [[cell.complete for cell in row] for row in ai.grille_of(here.view(0))]
    assert complete == [[False, True, False], [False, False, False], [False, False, False]]


BOTTOM = ai.arrete_en_bas_manquante
RIGHT = ai.arrete_a_droite_manquante
TOP = ai.arrete_en_haut_manquante
LEFT = ai.arrete_a_gauche_manquante
BOTH = list(product([False, True], repeat=2))
BOXES = [
    pytest.param("+-+/| |/+ +", BOTTOM, "a1h", id="bottom"),
    pytest.param("+-+/|  /+-+", RIGHT, "b1v", id="right"),
    pytest.param("+ +/| |/+-+", TOP, "a2h", id="top"),
    pytest.param("+-+/  |/+-+", LEFT, "a1v", id="left"),
    pytest.param("+ +/| |/+ +", None, None, id="only left and right"),
    pytest.param("+-+/   /+-+", None, None, id="only top and bottom"),
    pytest.param("+-+/|  /+ +", None, None, id="only left and top"),
    pytest.param("+-+/  |/+ +", None, None, id="only right and top"),
    pytest.param("+ +/|  /+-+", None, None, id="only left and bottom"),
    pytest.param("+ +/  |/+-+", None, None, id="only right and bottom"),
    pytest.param("+ +/   /+ +", None, None, id="nothing"),
]


@pytest.mark.parametrize(("box", "check", "edge"), BOXES)
def test_one_check_finds_the_missing_edge(box: str, check: object, edge: str | None) -> None:
    grille = ai.grille_of(position(box.replace("/", "\n")).view(0))
    assert {each: each(grille, 0, 0) for each in ai.CHECKS} == {
        each: edge if each is check else None for each in ai.CHECKS
    }


def test_the_checks_come_in_the_documents_order() -> None:
    assert ai.CHECKS == (BOTTOM, RIGHT, TOP, LEFT)


def test_the_edge_is_named_as_on_our_boards_which_count_from_the_bottom() -> None:
    here = position("""
        + + + +

        + +-+ +
          | |
        + + + +
    """)
    assert ai.arrete_en_bas_manquante(ai.grille_of(here.view(0)), 1, 1) == "b1h"


@pytest.mark.parametrize(("top", "left"), BOTH)
def test_the_last_row_and_column_are_no_boxes(top: bool, left: bool) -> None:
    grille = [[ai.Cell(top, left, False)] * 2] * 2
    found = [check(grille, row, column) for check in ai.CHECKS for row, column in [(0, 1), (1, 0), (1, 1)]]
    assert found == [None] * 12


def test_an_own_edge_is_missing_only_if_it_is_not_selected() -> None:
    grille = [[ai.Cell(True, True, False)] * 2] * 2
    assert [check(grille, 0, 0) for check in (TOP, LEFT)] == [None, None]


@pytest.mark.parametrize("check", ai.CHECKS)
@pytest.mark.parametrize(("top", "left"), BOTH)
def test_a_complete_box_misses_no_edge(check: ai.Check, top: bool, left: bool) -> None:
    beside = ai.Cell(True, True, False)
    assert check([[ai.Cell(top, left, True), beside], [beside, beside]], 0, 0) is None


def test_the_grid_is_scanned_row_by_row_from_the_top_left() -> None:
    here = position("""
        + + +-+
            | |
        + + + +
        | |
        +-+ + +
    """)
    assert ai.completer_un_carre(ai.grille_of(here.view(0))) == "c2h"


def test_the_first_box_found_is_completed_even_where_another_edge_brings_two() -> None:
    here = position("""
        + +-+-+
        | |   |
        +-+-+-+
    """)
    assert ai.completer_un_carre(ai.grille_of(here.view(0))) == "a2h"
    assert ai.Expert().choose(turn(here)) == "c1v"


def some_positions(seed: int, count: int) -> Iterator[DotsAndBoxesPosition]:
    random = Random(seed)
    for _ in range(count):
        rows, columns = random.randint(1, 4), random.randint(1, 4)
        yield at_random(rows, columns, random.randrange(2 * rows * columns + rows + columns), random)


def closing(here: DotsAndBoxesPosition) -> set[str]:
    """The moves that close a box, by the rules."""
    moves = here.legal_moves(here.turn)
    return {move for move in moves if sum(here.play(here.turn, move).scores) > sum(here.scores)}


def test_an_edge_is_found_exactly_where_one_closes_a_box() -> None:
    found = 0
    for here in some_positions(1, 200):
        edge = ai.completer_un_carre(ai.grille_of(here.view(0)))
        assert edge in closing(here) if edge else not closing(here)
        found += edge is not None
    assert 50 < found < 150


def test_a_safe_edge_is_one_after_which_nothing_can_be_closed() -> None:
    looked_at = 0
    for here in some_positions(2, 200):
        if not closing(here):
            looked_at += 1
            safe = {move for move in here.legal_moves(here.turn) if not closing(here.play(here.turn, move))}
            assert set(ai.safe_edges(here)) == safe
    assert looked_at > 50


# The levels


def chosen(level: type[ai.TresFacile], here: DotsAndBoxesPosition, rolls: int = 400) -> Counter[str]:
    bot = level()
    bot.random = dice(7)
    return Counter(bot.choose(turn(here)) for _ in range(rolls))


ONE_BOX = """
    +-+ +
    | |
    + + +
"""


def test_very_easy_draws_any_free_edge() -> None:
    assert set(chosen(ai.TresFacile, position(ONE_BOX))) == {"a1h", "b1h", "b2h", "c1v"}


def test_easy_takes_the_box_every_other_time_and_else_any_edge() -> None:
    counts = chosen(ai.Facile, position(ONE_BOX), 2000)
    assert counts["a1h"] / 2000 == pytest.approx(1 / 2 + 1 / 2 / 4, abs=0.04)
    assert len(counts) == 4


def test_medium_always_takes_the_box() -> None:
    assert set(chosen(ai.Moyen, position(ONE_BOX))) == {"a1h"}


def test_medium_draws_at_random_only_after_the_whole_grid_was_scanned() -> None:
    here = position("""
        + + +

        + +-+
          | |
        + + +
    """)
    assert set(chosen(ai.Moyen, here)) == {"b1h"}


NO_BOX = """
    +-+ +
    |
    + + +
"""


def test_medium_draws_any_edge_where_there_is_no_box_even_one_that_offers_a_box() -> None:
    assert set(chosen(ai.Moyen, position(NO_BOX))) == {"a1h", "b1v", "b1h", "b2h", "c1v"}


def test_hard_takes_the_box() -> None:
    assert set(chosen(ai.Difficile, position(ONE_BOX))) == {"a1h"}


def test_hard_offers_no_box_if_it_can() -> None:
    assert set(chosen(ai.Difficile, position(NO_BOX))) == {"b1h", "b2h", "c1v"}


def test_hard_draws_any_edge_where_each_offers_a_box() -> None:
    assert set(chosen(ai.Difficile, position("+-+-+\n\n+-+-+"))) == {"a1v", "b1v", "c1v"}


@pytest.mark.parametrize("level", [*LEVELS[:4], Hasty])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 12), (12, 1), (3, 2), (2, 5)])
def test_every_level_plays_legal_moves_on_boards_of_any_size(
    level: type[Bot], rows: int, columns: int
) -> None:
    match = play_match(GAME, [level, ai.Difficile], rows=rows, columns=columns)
    assert not match.failures


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_opens_on_the_largest_board(level: type[Bot]) -> None:
    here = start(12, 12)
    assert level().choose(turn(here)) in here.legal_moves(0)


@pytest.mark.parametrize("level", [*LEVELS[:4], Hasty])
def test_equal_seeds_give_equal_games(level: type[Bot]) -> None:
    first, again, other = (play_match(GAME, [level, level], seed, rows=4, columns=4) for seed in (1, 1, 2))
    assert first.moves == again.moves != other.moves


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_can_be_sent_elsewhere_between_turns(level: type[Bot]) -> None:
    bot = level()
    bot.random = dice(3)
    twin = pickle.loads(pickle.dumps(bot))
    here = turn(position(NO_BOX))
    assert [bot.choose(here) for _ in range(8)] == [twin.choose(here) for _ in range(8)]


LADDER = [
    (ai.Moyen, ai.TresFacile, 0.99),
    (ai.Facile, ai.TresFacile, 0.8),
    (ai.Moyen, ai.Facile, 0.9),
    (ai.Difficile, ai.Moyen, 0.85),
]


@pytest.mark.parametrize(("stronger", "weaker", "share"), LADDER)
def test_each_level_beats_the_one_below(stronger: type[Bot], weaker: type[Bot], share: float) -> None:
    games = 400 if FULL else 40
    assert play_many(stronger, weaker, games).wins >= share * games - 4 * (games < 400)


def test_the_expert_beats_hard_even_in_haste() -> None:
    assert play_many(Hasty, ai.Difficile, 8).wins >= 7


@pytest.mark.full
def test_the_expert_beats_hard() -> None:
    assert play_many(ai.Expert, ai.Difficile, 100).wins >= 80
