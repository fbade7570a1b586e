"""The criteria of the document's evaluation on drawn boards, each as what it adds to an even game."""

from __future__ import annotations

import pytest

from tablero.brains.quoridor import evaluation as quoridor_evaluation
from tablero.brains.quoridor.evaluation import GREATEST_LEAD, WIN, evaluate_state
from tablero.brains.quoridor.state import State, apply_move, get_all_possible_moves, state_of
from tests.harness.games.quoridor import drawn, random_positions, start


def state(rows: str, walls_left: tuple[int, int] = (0, 0)) -> State:
    """Rows of cells from the top, seat 0 to move; "=": a wall is below the cell before it and the next."""
    lines = []
    for row in rows.split("/"):
        cells = row.replace("=", "")
        lines.append(f"| {'   '.join(cells)} |")
        below = " " * (4 * row.index("=") - 4) + "=" * 7 if "=" in row else ""
        lines.append(f"|{below:{4 * len(cells) - 1}}|")
    return state_of(drawn("\n".join(lines[:-1]), walls_left=walls_left))


EVEN = "......./...O.../......./......./......./...X.../......."
"""Both are five steps away, straight on, and free to go in four directions."""


def test_the_start_and_an_even_game_count_nothing() -> None:
    assert evaluate_state(state_of(start()), 0) == 0
    assert evaluate_state(state(EVEN), 0) == 0


@pytest.mark.parametrize(
    ("rows", "walls_left", "score"),
    [
        pytest.param(
            "......./...O.../......./......./...X.../......./.......",
            (0, 0),
            20,
            id="distance: one step ahead",
        ),
        pytest.param(
            "......./......./......./...O.../......./...X.../.......", (0, 0), -40, id="distance: two behind"
        ),
        pytest.param(
            "......./.....O./..=...../......./..X..../......./.......",
            (0, 0),
            2,
            id="robustness: up, or left",
        ),
        pytest.param(EVEN, (3, 1), 10 * 2, id="walls: two more"),
        pytest.param(EVEN, (1, 3), -10 * 2, id="walls: two less"),
        pytest.param(
            "......./......./...O.../......./......./...X.../.......",
            (3, 1),
            -20 + 10 * 2 + 4 * 3,
            id="walls: own ones count more when the rival is four steps away",
        ),
        pytest.param(
            "......./...O.../......./......./...X.../......./.......",
            (3, 1),
            20 + 10 * 2 - 4 * 1,
            id="walls: the rival's count more when the player is four steps away",
        ),
        pytest.param(
            "......./...O.../......./......./......./X....../.......", (0, 0), -1, id="mobility: at the edge"
        ),
    ],
)
def test_a_criterion_counts(rows: str, walls_left: tuple[int, int], score: int) -> None:
    assert evaluate_state(state(rows, walls_left), 0) == score


def test_jumps_are_mobility_too() -> None:
    """Beside O, X can jump to both of its sides, for the edge is behind it; O jumps straight over X."""
    beside = state("...../...../OX.../...../.....")
    apart = state("...../...../O.X../...../.....")
    assert evaluate_state(apart, 0) == 4 - 3
    assert evaluate_state(beside, 0) == 5 - 3


@pytest.mark.parametrize("size", [3, 5, 9])
def test_what_is_good_for_one_is_bad_for_the_other(size: int) -> None:
    for position in random_positions(size, 2, size=size):
        found = state_of(position)
        assert evaluate_state(found, 0) == -evaluate_state(found, 1)


@pytest.mark.parametrize("depth", [0, 3])
def test_a_win_counts_1000_and_the_depth_that_was_left(depth: int) -> None:
    before = state("...../...X./...../..O../.....")
    won = apply_move(before, get_all_possible_moves(before)[0])
    assert evaluate_state(won, 0, depth) == 1000 + depth
    assert evaluate_state(won, 1, depth) == -1000 - depth


def test_no_lead_counts_as_much_as_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quoridor_evaluation, "DISTANCE", 2000)
    ahead = state("......./...O.../......./......./...X.../......./.......")
    assert evaluate_state(ahead, 0) == GREATEST_LEAD < WIN
    assert evaluate_state(ahead, 1) == -GREATEST_LEAD
