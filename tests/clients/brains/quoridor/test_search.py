"""The search against plain minimax, and each box of the document's two diagrams."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tablero.brains.quoridor import search
from tablero.brains.quoridor import search as quoridor_search
from tablero.brains.quoridor.search import (
    GREATEST_LEAD,
    INFINITY,
    WIN,
    Bound,
    QuoridorSearch,
    Statistics,
    Stored,
    evaluate_state,
)
from tablero.brains.quoridor.state import Move, State, apply_move, get_all_possible_moves, move_name, state_of
from tablero.dice import dice
from tablero_games.quoridor.rules import QuoridorPosition
from tests.harness.games.quoridor import drawn, random_positions, start


def never(nodes: int) -> bool:
    return False


def search_of(
    position: QuoridorPosition, seed: int = 1, stop: Callable[[int], bool] = never
) -> QuoridorSearch:
    return QuoridorSearch(state_of(position), dice(seed), stop)


def told(position: QuoridorPosition, move: Move) -> str:
    return move_name(position.maze.board, move)


def plain_minimax(state: State, depth: int, player: int) -> int:
    """Neither pruned nor stored."""
    if depth == 0 or state.is_over:
        return evaluate_state(state, player, depth)
    scores = [
        plain_minimax(apply_move(state, move), depth - 1, player) for move in get_all_possible_moves(state)
    ]
    return max(scores) if state.seat == player else min(scores)


def plain_best_moves(position: QuoridorPosition, depth: int) -> tuple[int, set[Move]]:
    root = state_of(position)
    scores = {
        move: plain_minimax(apply_move(root, move), depth - 1, root.seat)
        for move in get_all_possible_moves(root)
    }
    best = max(scores.values())
    return best, {move for move, score in scores.items() if score == best}


def every(some: int, size: int, walls: int) -> list[QuoridorPosition]:
    return [
        position
        for position in random_positions(size, 3, size=size, walls=walls)
        if position.ply % some == 3 % some
    ]


@pytest.mark.parametrize(
    ("depth", "size", "walls", "some"),
    [(1, 9, 10, 9), (2, 5, 3, 3), (2, 9, 10, 40), (3, 3, 1, 5), (3, 4, 2, 40), (4, 3, 1, 60)],
)
def test_pruning_and_storing_change_neither_the_score_nor_the_best_moves(
    depth: int, size: int, walls: int, some: int
) -> None:
    positions = every(some, size, walls)
    assert len(positions) >= 3
    for position in positions:
        search = search_of(position)
        moves = get_all_possible_moves(search.root)
        for shallower in range(1, depth + 1):  # as when deepening, all with one table
            score, best_moves = search.best_moves(moves, shallower)
        expected_score, expected_moves = plain_best_moves(position, depth)
        assert score == expected_score
        assert set(best_moves) == expected_moves


@pytest.mark.parametrize("depth", [1, 2])
def test_a_score_inside_the_window_is_exact_and_outside_a_bound_whatever_is_stored(depth: int) -> None:
    for position in every(6, 4, 2):
        search = search_of(position)
        exact = plain_minimax(search.root, depth, search.player)
        for alpha, beta in [(0, 1), (40, 60), (-60, -40), (-30, 30), (-INFINITY, INFINITY)]:
            score = search.minimax(search.root, depth, alpha, beta, is_max=True)
            if score <= alpha:
                assert exact <= score
            elif score >= beta:
                assert exact >= score
            else:
                assert exact == score


# Ties


def test_all_equal_best_moves_are_found_and_one_of_them_is_rolled() -> None:
    position = start(size=3, walls=0)
    search = search_of(position)
    _, best_moves = search.best_moves(get_all_possible_moves(search.root), 2)
    assert {told(position, move) for move in best_moves} == {"a1", "c1"}
    rolled = {told(position, search_of(position, seed).find_best_move(2)[0]) for seed in range(20)}
    assert rolled == {"a1", "c1"}


# The boxes of "find_best_move"


def test_every_search_begins_with_empty_caches_and_counters() -> None:
    search = search_of(start(size=5))
    _, first = search.find_best_move(2)
    again = search_of(start(size=5))
    assert (again.nodes_explored, again.cache_hits) == (0, 0)
    assert again.find_best_move(2)[1] == first


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_win_is_taken_at_once(depth: int) -> None:
    position = drawn(
        """
        | .   .   .   .   . |
        |                   |
        | .   X   .   .   . |
        |                   |
        | .   .   .   .   . |
        |                   |
        | .   .   .   O   . |
        |                   |
        | .   .   .   .   . |
        """
    )
    move, statistics = search_of(position).find_best_move(depth)
    assert told(position, move) == "b5"
    assert (statistics.depth, statistics.score) == (1, WIN)


def test_a_goal_that_is_one_step_away_is_walled_off() -> None:
    position = drawn(
        """
        | .   .   .   .   . |
        |                   |
        | .   .   .   .   . |
        |                   |
        | X   .   .   .   . |
        |                   |
        | .   .   .   O   . |
        |                   |
        | .   .   .   .   . |
        """,
        walls_left=(1, 0),
    )
    move, _ = search_of(position).find_best_move(2)
    assert told(position, move) in ("c1h", "d1h")


# The boxes of "minimax"


def test_every_call_counts_a_node() -> None:
    search = search_of(start(size=3, walls=0))
    search.minimax(search.root, 0, -INFINITY, INFINITY, is_max=True)
    assert search.nodes_explored == 1
    other = search_of(start(size=3, walls=0))
    other.minimax(other.root, 1, -INFINITY, INFINITY, is_max=True)
    assert other.nodes_explored == 1 + len(get_all_possible_moves(other.root))


def nodes_without_pruning(state: State, depth: int) -> int:
    if depth == 0 or state.is_over:
        return 1
    return 1 + sum(
        nodes_without_pruning(apply_move(state, move), depth - 1) for move in get_all_possible_moves(state)
    )


def test_with_pruning_a_search_visits_a_fraction_of_all_b_to_the_d_nodes() -> None:
    position = start(size=5, walls=1)
    for depth in (2, 3):
        search = search_of(position)
        search.minimax(search.root, depth, -INFINITY, INFINITY, is_max=True)
        branches = len(get_all_possible_moves(search.root))
        everything = nodes_without_pruning(search.root, depth)
        assert branches ** (depth / 2) < search.nodes_explored < everything / 2 < branches**depth


def test_a_state_that_was_searched_as_deep_is_answered_from_the_table() -> None:
    search = search_of(start(size=5))
    score = search.minimax(search.root, 2, -INFINITY, INFINITY, is_max=True)
    nodes, hits = search.nodes_explored, search.cache_hits
    for depth in (2, 1, 0):
        assert search.minimax(search.root, depth, -INFINITY, INFINITY, is_max=True) == score
    assert (search.nodes_explored, search.cache_hits) == (nodes + 3, hits + 3)


def test_a_state_that_was_searched_less_deep_is_searched_again() -> None:
    search = search_of(start(size=5))
    search.minimax(search.root, 1, -INFINITY, INFINITY, is_max=True)
    nodes = search.nodes_explored
    search.minimax(search.root, 2, -INFINITY, INFINITY, is_max=True)
    assert search.nodes_explored > nodes + 10


def test_a_state_is_stored_apart_for_who_maximises() -> None:
    """Whoever is to move in it, a maximising and a minimising search of one state find different scores."""
    search = search_of(start(size=5, walls=1))
    highest = search.minimax(search.root, 1, -INFINITY, INFINITY, is_max=True)
    lowest = search.minimax(search.root, 1, -INFINITY, INFINITY, is_max=False)
    assert highest > lowest


@pytest.mark.parametrize(
    ("bound", "score", "decides"),
    [
        (Bound.EXACT, 5, True),
        (Bound.LOWER, 20, True),
        (Bound.LOWER, 19, False),
        (Bound.UPPER, 10, True),
        (Bound.UPPER, 11, False),
    ],
)
def test_a_bound_is_used_only_outside_the_window(bound: Bound, score: int, decides: bool) -> None:
    assert Stored(3, bound, score, None).decides(3, alpha=10, beta=20) is decides
    assert Stored(3, bound, score, None).decides(2, alpha=10, beta=20) is decides
    assert Stored(3, bound, score, None).decides(4, alpha=10, beta=20) is False


@pytest.mark.parametrize(("is_max", "alpha", "beta"), [(True, -INFINITY, -500), (False, 500, INFINITY)])
def test_a_branch_is_cut_as_soon_as_beta_is_not_above_alpha(is_max: bool, alpha: int, beta: int) -> None:
    search = search_of(start())
    search.minimax(search.root, 1, alpha, beta, is_max)
    assert search.nodes_explored == 2


def test_an_end_is_a_leaf_however_deep_the_search() -> None:
    position = drawn(
        """
        | .   .   . |
        |           |
        | .   X   O |
        |           |
        | .   .   . |
        """,
        walls_left=(0, 0),
    )
    search = search_of(position)
    (move,) = [move for move in get_all_possible_moves(search.root) if told(position, move) == "b3"]
    assert search.minimax(apply_move(search.root, move), 3, -INFINITY, INFINITY, is_max=False) == WIN + 3
    assert search.nodes_explored == 1


def test_going_back_to_an_earlier_state_counts_as_a_draw() -> None:
    """Whoever leads does something else, whoever is behind goes back."""
    root = state_of(start(size=3, walls=0))
    moves = get_all_possible_moves(root)
    ahead = QuoridorSearch(root, dice(1), never).best_moves(moves, 1)
    assert (ahead[0] > 0, [told(start(size=3), move) for move in ahead[1]]) == (True, ["b2"])
    seen = {apply_move(root, moves[0])}
    score, others = QuoridorSearch(root, dice(1), never, seen).best_moves(moves, 1)
    assert score == 0
    assert moves[0] in others


# Deepening


def test_the_deepest_search_that_was_finished_plays() -> None:
    position = start(size=5)
    _, whole = search_of(position).find_best_move(3)
    _, shallow = search_of(position).find_best_move(2)
    _, stopped = search_of(position, stop=lambda nodes: nodes > shallow.nodes_explored + 64).find_best_move(3)
    assert (whole.depth, stopped.depth) == (3, 2)
    assert stopped.score == shallow.score
    assert shallow.nodes_explored < stopped.nodes_explored < whole.nodes_explored


def test_a_search_to_depth_1_is_always_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quoridor_search, "NODES_BETWEEN_CHECKS", 1)
    position = start(size=15, walls=20)
    move, statistics = search_of(position, stop=lambda nodes: True).find_best_move(5)
    assert told(position, move) in position.legal_moves(0)
    assert statistics.depth == 1


def test_it_asks_often_whether_to_stop() -> None:
    asked: list[int] = []

    def note(nodes: int) -> bool:
        asked.append(nodes)
        return False

    _, statistics = search_of(start(size=5), stop=note).find_best_move(3)
    assert isinstance(statistics, Statistics)
    assert len(asked) >= statistics.nodes_explored // 64 - 1


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
    monkeypatch.setattr(search, "DISTANCE", 2000)
    ahead = state("......./...O.../......./......./...X.../......./.......")
    assert evaluate_state(ahead, 0) == GREATEST_LEAD < WIN
    assert evaluate_state(ahead, 1) == -GREATEST_LEAD
