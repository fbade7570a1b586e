"""The documented tic-tac-toe player: each step on the boards it speaks of, and every line of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from tablero.bot import Bot
from tablero.brains import find_brain
from tablero.brains import tic_tac_toe as ai
from tablero.dice import dice
from tablero_games import GAMES, Seat
from tablero_games.tic_tac_toe import CELLS, EMPTY, LINES, TicTacToePosition
from tests.harness.games.tic_tac_toe import reachable, successors, winning

X = 0  # the player is always X, as in the document's pictures
GROUPS = ai.get_groups()


def board(drawing: str) -> ai.Board:
    """ "x.. .o. ..." from the top row to the bottom row."""
    top, middle, bottom = drawing.split()
    cells = (bottom + middle + top).replace("x", "0").replace("o", "1")
    return ai.board_of(cells)


def index(drawing: str) -> ai.Index:
    """The choice index from numbers, top row first; "#" is -10."""
    top, middle, bottom = drawing.replace("#", "-10").split(" | ")
    return dict(zip(CELLS, map(int, f"{bottom} {middle} {top}".split()), strict=True))


def after(step: Callable[..., None], drawing: str, player: Seat = X) -> ai.Index:
    """What one step alone makes of an index of zeros."""
    result = dict.fromkeys(CELLS, 0)
    step(result, board(drawing), player)
    return result


STEPS: list[Any] = [
    # 1. an empty board: corners and center
    (ai.step_1_empty_board, "... ... ...", "1 0 1 | 0 1 0 | 1 0 1"),
    (ai.step_1_empty_board, "... .o. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    # 2. occupied cells
    (ai.step_2_occupied_cells, "x.. .o. ..x", "# 0 0 | 0 # 0 | 0 0 #"),
    # 3. the rival lacks one cell: in a row, a column, a diagonal, in the middle of a line, in two lines
    (ai.step_3_block, "oo. .x. ...", "0 0 15 | 0 0 0 | 0 0 0"),
    (ai.step_3_block, "o.. o.. .x.", "0 0 0 | 0 0 0 | 15 0 0"),
    (ai.step_3_block, "o.. .o. ...", "0 0 0 | 0 0 0 | 0 0 15"),
    (ai.step_3_block, "o.o .x. ...", "0 15 0 | 0 0 0 | 0 0 0"),
    (ai.step_3_block, "oo. ..o .xx", "0 0 15 | 0 0 0 | 0 0 0"),
    (ai.step_3_block, "o.. ... o.o", "0 0 0 | 15 15 0 | 0 15 0"),
    (ai.step_3_block, "oox .x. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    # 4. the player lacks one cell
    (ai.step_4_win, "xx. .o. ...", "0 0 20 | 0 0 0 | 0 0 0"),
    (ai.step_4_win, "x.. ... x..", "0 0 0 | 20 0 0 | 0 0 0"),
    (ai.step_4_win, "x.. .x. ...", "0 0 0 | 0 0 0 | 0 0 20"),
    (ai.step_4_win, "xxo oox xo.", "0 0 0 | 0 0 0 | 0 0 0"),
    # 5. an empty center with a rival beside it, straight or across
    (ai.step_5_center_near_rival, "o.. ... ...", "0 0 0 | 0 3 0 | 0 0 0"),
    (ai.step_5_center_near_rival, ".o. ... ...", "0 0 0 | 0 3 0 | 0 0 0"),
    (ai.step_5_center_near_rival, "x.. ... ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_5_center_near_rival, "o.. .x. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    # 6. the rival in the center, the player on one corner: the opposite corner
    (ai.step_6_opposite_corner, "x.. .o. ...", "0 0 0 | 0 0 0 | 0 0 3"),
    (ai.step_6_opposite_corner, "..x .o. ...", "0 0 0 | 0 0 0 | 3 0 0"),
    (ai.step_6_opposite_corner, "... .o. ..x", "3 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_6_opposite_corner, "x.x .o. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_6_opposite_corner, "x.. .o. ..o", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_6_opposite_corner, "x.. ... .o.", "0 0 0 | 0 0 0 | 0 0 0"),
    # 7. a corner with no rival in its row and column, once there is a rival at all
    (ai.step_7_corner_far_from_rival, "x.. ... ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_7_corner_far_from_rival, "... .o. ...", "1 0 1 | 0 0 0 | 1 0 1"),
    (ai.step_7_corner_far_from_rival, "o.. ... ...", "0 0 0 | 0 0 0 | 0 0 1"),
    (ai.step_7_corner_far_from_rival, ".o. ... ...", "0 0 0 | 0 0 0 | 1 0 1"),
    # 8. a corner, an empty edge in an empty column, an own corner
    (ai.step_8_row_to_own_corner, "x.. ... ...", "0 0 3 | 0 0 0 | 0 0 0"),
    (ai.step_8_row_to_own_corner, "x.. .o. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_8_row_to_own_corner, "x.. ... .o.", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_8_row_to_own_corner, "xo. ... ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_8_row_to_own_corner, "x.. ... ..x", "0 0 3 | 0 0 0 | 3 0 0"),
    (ai.step_8_row_to_own_corner, "o.. ... ...", "0 0 0 | 0 0 0 | 0 0 0"),
    # 9. the same along the columns
    (ai.step_9_column_to_own_corner, "x.. ... ...", "0 0 0 | 0 0 0 | 3 0 0"),
    (ai.step_9_column_to_own_corner, "x.. .o. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_9_column_to_own_corner, "x.. ..o ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_9_column_to_own_corner, "x.. o.. ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_9_column_to_own_corner, "x.. ... ..x", "0 0 3 | 0 0 0 | 3 0 0"),
    # 10. a corner from which two winner moves would remain
    (ai.step_10_two_winner_moves, "x.. .o. ..x", "0 0 10 | 0 0 0 | 10 0 0"),
    (ai.step_10_two_winner_moves, "x.. .o. o.x", "0 0 10 | 0 0 0 | 0 0 0"),
    (ai.step_10_two_winner_moves, "x.. ... ...", "0 0 0 | 0 0 0 | 0 0 0"),
    (ai.step_10_two_winner_moves, ".x. x.. ...", "10 0 0 | 0 0 0 | 0 0 0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "drawing", "expected"), STEPS, ids=[f"{step.__name__}-{drawing}" for step, drawing, _ in STEPS]
)
def test_each_step_does_what_the_document_says(
    step: Callable[..., None], drawing: str, expected: str
) -> None:
    assert after(step, drawing) == index(expected)


def test_the_steps_are_all_there_in_the_documents_order() -> None:
    assert [step.__name__.split("_")[1] for step in ai.STEPS] == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        pytest.param("... ... ...", "1 0 1 | 0 1 0 | 1 0 1", id="the empty board"),
        pytest.param("... .o. ...", "1 0 1 | 0 # 0 | 1 0 1", id="after the center"),
        pytest.param("x.. .o. ...", "# 0 1 | 0 # 0 | 1 0 4", id="6 raises, then 7 adds"),
        pytest.param("x.. o.. ...", "# 0 4 | # 3 0 | 0 0 1", id="8 adds to 7"),
        pytest.param("xx. oo. ...", "# # 21 | # # 15 | 0 0 4", id="a win is worth more than a block"),
        pytest.param("x.. .oo x..", "# 0 10 | 20 # # | # 0 10", id="one cell can win and block"),
    ],
)
def test_the_choice_index_adds_the_steps_up(drawing: str, expected: str) -> None:
    assert ai.choice_index(board(drawing), X) == index(expected)


def test_groups_are_the_documents() -> None:
    assert set(GROUPS.lines) == {tuple(CELLS[cell] for cell in line) for line in LINES}
    assert GROUPS.rows[0] == ("a1", "b1", "c1")
    assert GROUPS.columns[0] == ("a1", "a2", "a3")
    assert GROUPS.diagonals == (("a1", "b2", "c3"), ("c1", "b2", "a3"))
    assert {*GROUPS.corners, *GROUPS.edges, GROUPS.center} == set(CELLS)


# Chance


class Fixed(Random):
    """Dice that always show the same."""

    def __init__(self, point: float) -> None:
        super().__init__(0)
        self.point = point

    def random(self) -> float:
        return self.point


@pytest.mark.parametrize(("point", "item"), [(0.0, "ideal"), (0.69, "ideal"), (0.7, "any"), (0.999, "any")])
def test_an_item_is_got_by_its_probability(point: float, item: str) -> None:
    items = [("ideal", 0.7), ("any", 0.3)]
    assert ai.get_random_item_by_probability(items, Fixed(point)) == item


@pytest.mark.parametrize(("probabilities", "item"), [((0.0, 1.0), "any"), ((1.0, 0.0), "ideal")])
@pytest.mark.parametrize("point", [0.0, 0.5, 1 - 1e-16])
def test_zero_is_impossible_and_one_inevitable(
    probabilities: tuple[float, float], item: str, point: float
) -> None:
    items = list(zip(("ideal", "any"), probabilities, strict=True))
    assert ai.get_random_item_by_probability(items, Fixed(point)) == item


def test_a_random_empty_cell_is_any_empty_cell() -> None:
    random = dice(1)
    got = {ai.get_random_empty_cell(board("xo. .x. ..o"), random) for _ in range(100)}
    assert got == {"c3", "a2", "c2", "a1", "b1"}


def test_ties_are_broken_at_random() -> None:
    random = dice(1)
    got = {ai.get_ideal_cell(board("... ... ..."), X, random) for _ in range(100)}
    assert got == {*GROUPS.corners, GROUPS.center}


def chosen(level: type[Bot], drawing: str, rolls: int) -> Counter[str]:
    """How often a level chooses each cell, X to move."""
    from tests.harness.bots import a_turn

    bot = level()
    bot.random = dice(1)
    cells = "".join("." if holder is None else str(holder) for holder in board(drawing).values())
    return Counter(str(bot.choose(a_turn(cells))) for _ in range(rolls))


@pytest.mark.parametrize(("level", "chance"), [("easy", 0.0), ("normal", 0.7), ("hard", 1.0)])
def test_each_level_takes_the_ideal_cell_with_its_chance(level: str, chance: float) -> None:
    rolls = 2000
    counts = chosen(find_brain(f"tic-tac-toe:{level}"), "xx. .oo ...", rolls)
    expected = chance + (1 - chance) / 5  # any empty cell may also be the ideal one
    assert counts["c3"] / rolls == pytest.approx(expected, abs=0.04)
    assert len(counts) == (1 if chance == 1 else 5)


# Every line of play


@cache
def hard_moves(position: TicTacToePosition) -> tuple[str, ...]:
    """All cells that `hard` may choose: one for each way to break a tie."""
    (seat,) = position.to_move
    return tuple(ai.ideal_cells(ai.board_of(position.cells), seat))


def perfect_moves(position: TicTacToePosition) -> list[str]:
    (seat,) = position.to_move
    return ai.perfect_moves(position, seat)


def lines_of(own: Callable[[TicTacToePosition], Any], seat: Seat) -> Iterator[TicTacToePosition]:
    """How games end in which `seat` plays by `own` and the rival plays everything."""

    def may_play(position: TicTacToePosition) -> list[str]:
        return list(own(position)) if seat in position.to_move else list(successors(position))

    for position in reachable(TicTacToePosition(), may_play):
        if position.outcome is not None:
            yield position


def lost(own: Callable[[TicTacToePosition], Any], seat: Seat) -> set[str]:
    return {end.cells for end in lines_of(own, seat) if end.outcome and 1 - seat in end.outcome.winners}


def test_all_5478_positions_are_looked_at() -> None:
    assert len(reachable(TicTacToePosition(), lambda position: list(successors(position)))) == 5478


def test_hard_never_loses_as_first_player() -> None:
    assert lost(hard_moves, 0) == set()


def test_hard_can_be_beaten_as_second_player_as_documented() -> None:
    assert lost(hard_moves, 1) != set()


def test_hard_never_misses_a_win_or_a_block_in_any_position_on_either_seat() -> None:
    wins = blocks = 0
    for position in reachable(TicTacToePosition(), lambda position: list(successors(position))):
        if position.outcome is not None:
            continue
        (seat,) = position.to_move
        if own := winning(position, seat):
            wins += 1
            assert set(hard_moves(position)) <= own, position
        elif rival := winning(position, 1 - seat):
            blocks += 1
            assert set(hard_moves(position)) <= rival, position
    assert (wins, blocks) > (1000, 500)


@pytest.mark.parametrize("seat", [0, 1])
def test_perfect_never_loses(seat: Seat) -> None:
    assert lost(perfect_moves, seat) == set()


def test_perfect_wins_as_soon_as_it_can() -> None:
    for position in reachable(TicTacToePosition(), lambda position: list(successors(position))):
        if position.outcome is None:
            (seat,) = position.to_move
            if own := winning(position, seat):
                assert set(perfect_moves(position)) == own


def test_the_empty_board_is_the_start() -> None:
    assert GAMES["tic-tac-toe"].start().view(None) == {"cells": EMPTY}
