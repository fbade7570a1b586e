"""Dots and Boxes: counts and values known from elsewhere, and drawn positions."""

from __future__ import annotations

from math import factorial

import pytest

from tablero_games import IllegalMove, Outcome
from tablero_games.dots_and_boxes import DotsAndBoxes, DotsAndBoxesPosition
from tablero_games.position import Json, View
from tests.harness.games.boxes_value import by_all_games, by_bounds
from tests.harness.games.perft import perft
from tests.harness.games.refusals import assert_refused

GAME = DotsAndBoxes()
VARIANTS: list[dict[str, Json]] = [
    {},
    {"rows": 1, "columns": 1},
    {"rows": 3, "columns": 2},
    {"rows": 1, "columns": 12},
    {"rows": 12, "columns": 3},
]
PLAYTHROUGH = {"rows": 2, "columns": 3}


def start(rows: int = 2, columns: int = 2) -> DotsAndBoxesPosition:
    return GAME.from_view(GAME.start(rows=rows, columns=columns).view(None))


def played(moves: str, rows: int = 2, columns: int = 2) -> DotsAndBoxesPosition:
    reached = start(rows, columns)
    for move in moves.split():
        reached = reached.play(reached.next_seat, move)
    return reached


@pytest.mark.parametrize(
    ("rows", "columns", "depth"), [(1, 1, 4), (1, 2, 7), (2, 1, 7), (2, 2, 6), (2, 3, 4), (5, 5, 3)]
)
def test_sequences_by_depth(rows: int, columns: int, depth: int) -> None:
    edges = 2 * rows * columns + rows + columns
    expected = [factorial(edges) // factorial(edges - d) for d in range(1, depth + 1)]
    assert [perft(start(rows, columns), d) for d in range(1, depth + 1)] == expected


VALUES = {(1, 1): -1, (1, 2): 0, (1, 3): -1, (1, 4): 0, (1, 5): -1, (2, 2): 2, (2, 3): -2}
LONG = {(1, 6): 0, (2, 4): 2, (3, 3): -3}


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2)])
def test_values_of_small_boards_by_playing_all_games(rows: int, columns: int) -> None:
    assert by_all_games(start(rows, columns)) == VALUES[rows, columns]
    assert by_all_games(start(columns, rows)) == VALUES[rows, columns]


@pytest.mark.parametrize(("rows", "columns"), VALUES)
def test_values_of_small_boards_by_search(rows: int, columns: int) -> None:
    assert by_bounds(start(rows, columns)) == VALUES[rows, columns]


@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns"), LONG)
def test_values_of_larger_boards_by_search(rows: int, columns: int) -> None:
    assert by_bounds(start(rows, columns)) == LONG[rows, columns]


@pytest.mark.parametrize(
    ("rows", "columns", "best", "best_value", "other_value"),
    [
        (1, 2, {"b1v"}, 0, -2),
        (2, 2, {"a1h", "a3h", "b1h", "b3h", "a1v", "a2v", "c1v", "c2v"}, 2, 0),
        (1, 3, set(), -1, -1),
    ],
)
def test_what_each_opening_is_worth(
    rows: int, columns: int, best: set[str], best_value: int, other_value: int
) -> None:
    for move in start(rows, columns).legal_moves(0):
        worth = -by_all_games(played(move, rows, columns))
        assert worth == (best_value if move in best else other_value), move


@pytest.mark.parametrize(
    ("moves", "owners", "scores", "next_seat"),
    [
        ("", ["..", ".."], (0, 0), 0),
        ("a1h", ["..", ".."], (0, 0), 1),
        ("a1h a1v a2h", ["..", ".."], (0, 0), 1),
        ("a1h a1v a2h b1v", ["1.", ".."], (0, 1), 1),
        ("a1h a1v a2h b1v c1v", ["1.", ".."], (0, 1), 0),
        ("a1h b1h a1v c1v a2h b2h b1v", ["00", ".."], (2, 0), 0),
        ("a3h b3h a2v c2v a2h b2h b2v", ["..", "00"], (2, 0), 0),
    ],
)
def test_closing_a_box_gives_a_point_and_another_turn(
    moves: str, owners: list[str], scores: tuple[int, int], next_seat: int
) -> None:
    reached = played(moves)
    assert reached.view(None)["owners"] == owners
    assert reached.scores == scores
    assert reached.to_move == {next_seat}


@pytest.mark.parametrize(
    ("moves", "rows", "columns", "outcome"),
    [
        ("a1h a1v a2h b1v", 1, 1, Outcome("win", frozenset({1}), "boxes", (0, 1))),
        ("a1h b1h a1v c1v a2h b2h b1v", 1, 2, Outcome("win", frozenset({0}), "boxes", (2, 0))),
        ("b1v a1h b1h a1v a2h c1v b2h", 1, 2, Outcome("draw", frozenset(), "full", (1, 1))),
    ],
)
def test_the_last_edge_ends_the_game(moves: str, rows: int, columns: int, outcome: Outcome) -> None:
    over = played(moves, rows, columns)
    assert over.outcome == outcome
    assert over.to_move == frozenset()
    assert over.view(None)["outcome"] == outcome.to_json()


def test_the_boxes_closed_so_far_count_when_somebody_gives_up() -> None:
    over = played("a1h a1v a2h b1v").withdraw(1, "time")
    assert over.outcome == Outcome("win", frozenset({0}), "time", (0, 1))


@pytest.mark.parametrize("written", ["b1v", "B1V", " b1v ", "B1v\n"])
def test_a_move_is_read_leniently(written: str) -> None:
    assert start().play(0, written) == played("b1v")


NO_EDGE = "There is no edge {!r}; an edge is a dot, a1 to c3, and h or v."


@pytest.mark.parametrize(
    ("moves", "seat", "move", "code", "sentence"),
    [
        ("b1v", 1, "b1v", "illegalMove", "Edge b1v is already drawn."),
        ("b1v", 1, " B1V", "illegalMove", "Edge b1v is already drawn."),
        ("", 0, "c1h", "illegalMove", NO_EDGE.format("c1h")),
        ("", 0, "a3v", "illegalMove", NO_EDGE.format("a3v")),
        ("", 0, "d1v", "illegalMove", NO_EDGE.format("d1v")),
        ("", 0, "a1", "illegalMove", NO_EDGE.format("a1")),
        ("", 0, "ha1", "illegalMove", NO_EDGE.format("ha1")),
        ("", 1, "a1h", "notYourTurn", "It is not your turn; seat 0 is to move."),
        ("a1h a1v a2h b1v", 0, "b1h", "notYourTurn", "It is not your turn; seat 1 is to move."),
    ],
)
def test_a_refusal_says_why(moves: str, seat: int, move: str, code: str, sentence: str) -> None:
    assert_refused(played(moves), seat, move, code, sentence)


def test_nothing_is_drawn_after_the_end() -> None:
    with pytest.raises(IllegalMove) as refused:
        played("a1h a1v a2h b1v", 1, 1).play(1, "a1h")
    assert refused.value.code == "gameOver"


def test_every_edge_of_the_largest_board_has_its_own_name() -> None:
    names = start(12, 12).legal_moves(0)
    assert len(set(names)) == 312
    assert (names[0], names[155], names[156], names[-1]) == ("a1h", "l13h", "a1v", "m12v")


def test_the_view_shows_rows_from_the_bottom() -> None:
    assert played("a1h a1v a2h b1v c2v", 2, 2).view(0) == {
        "rows": 2,
        "columns": 2,
        "horizontal": ["-.", "-.", ".."],
        "vertical": ["||.", "..|"],
        "owners": ["1.", ".."],
        "scores": [0, 1],
        "toMove": 0,
    }


@pytest.mark.parametrize(
    "spoiled",
    [
        {"rows": 13},
        {"columns": None},
        {"rows": 1},
        {"horizontal": None},
        {"horizontal": "-....."},
        {"horizontal": ["-.", "-."]},
        {"horizontal": ["-.", "-.", "..."]},
        {"horizontal": ["-.-", ".", ".."]},
        {"horizontal": ["-.", "-.", ".|"]},
        {"horizontal": ["-.", "-.", 7]},
        {"vertical": ["||.", "..-"]},
        {"vertical": ["|..", "..|"]},
        {"owners": ["..", ".."]},
        {"owners": ["11", ".."]},
        {"owners": ["2.", ".."]},
        {"scores": [1, 0]},
        {"scores": None},
        {"toMove": None},
        {"toMove": 2},
        {"outcome": Outcome("draw", frozenset(), "agreed", (1, 0)).to_json()},
        {"outcome": Outcome("draw", frozenset(), "full", (0, 1)).to_json()},
    ],
    ids=str,
)
def test_a_view_that_cannot_be_is_refused(spoiled: View) -> None:
    view = played("a1h a1v a2h b1v c2v").view(None)
    with pytest.raises(ValueError, match=r"\.$"):
        GAME.from_view(view | spoiled)


def test_drawings() -> None:
    view = played("a1h a1v a2h b1v c2v b3h").view(None)
    assert GAME.draw(view, "ascii").splitlines() == [
        "3 +   +---+",
        "          |",
        "2 +---+   +",
        "  | O |",
        "1 +---+   +",
        "  a   b   c",
    ]
    assert GAME.draw(view).splitlines() == [
        "3 ∙   ∙⎯⎯⎯∙",
        "          ⏐",
        "2 ∙⎯⎯⎯∙   ∙",
        "  ⏐ ◉ ⏐",
        "1 ∙⎯⎯⎯∙   ∙",
        "  a   b   c",
    ]
