"""The document's bot: each function on boards drawn by hand, and what the document leaves open."""

from __future__ import annotations

import numpy as np
import pytest

from tablero.arena.local import play_match
from tablero.bot import Resign
from tablero.brains.minesweeper import pinv as ai
from tablero.brains.minesweeper.pinv import Pinv, PinvStrict
from tablero.brains.minesweeper.view import GameParam
from tablero.dice import dice
from tablero_games import GAMES
from tablero_games.minesweeper.grid import Cell
from tests.harness.games.minesweeper_views import chosen, param_of, played

BOARD = "##1 #21 1F#"  # with three mines


def bot(brain: type[Pinv] = Pinv) -> Pinv:
    made = brain()
    made.random = dice(1)
    return made


def names(picture: str, cells: list[Cell]) -> str:
    return " ".join(param_of(picture, 1).grid.names[cell] for cell in cells)


def test_any_cell_can_come_first_also_in_the_last_row_and_column() -> None:
    random = dice(1)
    assert {ai.get_cell_ai(2, 3, random) for _ in range(100)} == set(range(6))


def test_variables_are_neither_open_nor_flagged_the_highest_row_first() -> None:
    assert names(BOARD, ai.get_variables(param_of(BOARD, 3))) == "a3 b3 a2 c1"


def test_the_matrix_has_a_line_for_each_number_beside_a_variable_and_one_for_all_mines() -> None:
    game_param = param_of(BOARD, 3)
    matrices = ai.get_matrix_A_B(game_param, ai.get_variables(game_param))
    assert matrices.A.tolist() == [
        # a3 b3 a2 c1
        [0, 1, 0, 0],  # c3
        [1, 1, 1, 1],  # b2, which touches all of them
        [0, 1, 0, 1],  # c2
        [0, 0, 1, 0],  # a1
        [1, 1, 1, 1],  # all mines
    ]
    assert matrices.B.tolist() == [1, 1, 0, 0, 2]  # one less for each flag


def test_too_many_flags_around_a_number_leave_no_mines_rather_than_less() -> None:
    game_param = param_of("F1F# ####", 1)
    matrices = ai.get_matrix_A_B(game_param, ai.get_variables(game_param))
    assert matrices.B.tolist() == [0, 0]


def test_the_mines_of_the_field_stay_as_many_whatever_is_flagged() -> None:
    assert param_of("F1F#", 2).nb_bombs == param_of("#1##", 2).nb_bombs == 2


@pytest.mark.parametrize("picture", ["### ###", "000 000", "00F FFF"])
def test_without_a_number_beside_a_variable_there_is_no_line_at_all(picture: str) -> None:
    game_param = param_of(picture, 2)
    assert ai.get_matrix_A_B(game_param, ai.get_variables(game_param)).A.shape[0] == 0


def test_pinv_is_the_solution_of_least_norm() -> None:
    a = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
    b = np.array([1.0, 1.5])
    assert ai.pinv(a, b) == pytest.approx([0.5, 0.5, 0.25, 0.25])


def test_equal_columns_computed_as_one_change_nothing() -> None:
    random = np.random.default_rng(1)
    for _ in range(50):
        a = random.integers(0, 2, (5, 9)).astype(float)
        b = random.integers(0, 4, 5).astype(float)
        assert ai.pinv(a, b) == pytest.approx(np.linalg.pinv(a, rcond=1e-10) @ b)


@pytest.mark.parametrize(
    ("values", "actions"),
    [
        ([0.99, 0.0, 0.5, 0.5], [("flag", "a2"), ("dig", "b2")]),
        ([0.98, 1e-7, 0.5, -0.2], [("dig", "b2"), ("dig", "b1")]),
        ([0.5, 2e-6, 0.5, 1.3], [("flag", "b1")]),
        ([0.5, 0.5, 1.0, 0.5], []),
    ],
)
def test_nearly_one_is_flagged_and_nought_is_dug_beside_an_open_cell(
    values: list[float], actions: list[tuple[str, str]]
) -> None:
    board = param_of("##### 1####", 2)
    variables = [board.grid.cells[name] for name in ("a2", "b2", "e2", "b1")]
    found = ai.get_cells_actions(board, variables, np.array(values))
    assert [(action, board.grid.names[cell]) for action, cell in found] == actions


def test_the_last_variable_is_dug_whatever_its_value() -> None:
    board = param_of("F1#", 1)
    assert ai.get_cells_actions(board, [2], np.array([0.5])) == [("dig", 2)]


# run_ai


class Counting(Pinv):
    """Says how often it computed."""

    rounds = 0

    def run_ai(self, game_param: GameParam) -> list[ai.Action]:
        self.rounds += 1
        return super().run_ai(game_param)


def plays(brain: Pinv, mines: int, *boards: str) -> list[str | None]:
    """What a brain plays on one board after another."""
    brain.random = dice(1)
    return [chosen(brain, board, mines) for board in boards]


def test_a_round_flags_and_digs_all_that_it_found_before_it_computes_again() -> None:
    brain = Counting()
    assert plays(brain, 1, "1#1#", "1F1#") == ["flag b1", "dig d1"]
    assert (brain.rounds, brain.guess) == (1, False)


@pytest.mark.parametrize(
    ("board", "move", "rounds"),
    [
        pytest.param("#0##", "dig a1", 1, id="the move did not come through"),
        pytest.param("00##", "dig c1", 1, id="a number opened"),
        pytest.param("000#", "dig d1", 2, id="a flood opened what was to come"),
        pytest.param("00F#", "dig d1", 2, id="somebody else put a flag there"),
    ],
)
def test_what_cannot_be_done_any_more_is_skipped(board: str, move: str, rounds: int) -> None:
    brain = Counting()
    assert plays(brain, 0, "#0##", board) == ["dig a1", move]
    assert brain.rounds == rounds


def test_where_nothing_is_certain_it_digs_the_smallest_value_and_says_that_it_guessed() -> None:
    brain = Pinv()
    assert plays(brain, 2, "##2#### #######") == ["dig b1"]
    assert brain.guess


def test_of_equal_values_the_lowest_row_is_dug_and_there_the_leftmost() -> None:
    assert plays(Pinv(), 3, "### #3# ###") == ["dig a1"]
    assert plays(Pinv(), 1, "#1#") == ["dig a1"]


def test_where_no_variable_touches_an_open_cell_it_digs_any() -> None:
    brains = [Pinv() for _ in range(40)]
    for seed, brain in enumerate(brains):
        brain.random = dice(seed)
    assert {chosen(brain, "1F###", 2) for brain in brains} == {"dig c1", "dig d1", "dig e1"}
    assert all(brain.guess for brain in brains)


def test_the_first_dig_is_no_guess_and_passes_over_flags() -> None:
    brain = Pinv()
    assert plays(brain, 1, "FFF FF# FFF") == ["dig c2"]
    assert not brain.guess


def test_when_all_is_flagged_it_takes_all_flags_off_and_starts_again_without_them() -> None:
    brain = Counting()
    assert plays(brain, 1, "1FF1", "1#F1", "1##1") == ["unflag b1", "unflag c1", "dig b1"]
    assert brain.rounds == 2


def test_what_lost_its_flag_is_not_flagged_again() -> None:
    brain = Pinv()
    assert plays(brain, 1, "1F#", "1##") == ["dig c1", "dig c1"]
    assert plays(Pinv(), 1, "1##") == ["flag b1"]


@pytest.mark.parametrize("seed", range(5))
def test_wrong_flags_do_not_keep_a_game_from_its_end(seed: int) -> None:
    position = GAMES["minesweeper"].start(1, seed).play(0, "dig e5")
    for move in position.legal_moves(0):
        if move.startswith("flag"):
            position = position.play(0, move)
    moves: list[str] = []
    end = played(Pinv(), position, lambda _, move: moves.append(move))
    assert moves[0].startswith("unflag")
    assert not any(move.startswith("flag") for move in moves)
    assert end.outcome is not None


def test_strict_plays_as_pinv_does_and_resigns_where_that_guesses() -> None:
    strict, free = PinvStrict(), Pinv()
    assert plays(strict, 1, "1#1#", "1F1#") == plays(free, 1, "1#1#", "1F1#")
    for board in ("#1#", "1F###"):
        brain = PinvStrict()
        brain.random = dice(1)
        with pytest.raises(Resign):
            chosen(brain, board, 2)


def test_strict_resigns_games_and_nothing_failed() -> None:
    matches = [play_match("minesweeper", [PinvStrict], seed, level="intermediate") for seed in range(8)]
    assert {match.outcome.reason for match in matches} >= {"resign", "cleared"}
    assert all(match.failures == {} for match in matches)
