"""Tic-tac-toe, counted whole and checked on drawn positions (top row first, seat 0 is X)."""

from __future__ import annotations

from functools import cache

import pytest

from tablero_games import Outcome
from tablero_games.position import View
from tablero_games.tic_tac_toe import EMPTY, TicTacToe, TicTacToePosition
from tests.harness.games.perft import games_by_outcome, perft, reachable
from tests.harness.games.refusals import assert_refused

GAME = TicTacToe()
START = TicTacToePosition()
LINE = [Outcome("win", frozenset({seat}), "line") for seat in (0, 1)]
FULL = Outcome("draw", frozenset(), "full")


def cells(drawing: str) -> str:
    rows = drawing.split(" / ")
    return "".join(reversed(rows)).replace("X", "0").replace("O", "1")


def position(drawing: str) -> TicTacToePosition:
    return GAME.from_view({"cells": cells(drawing)})


def played(moves: str) -> TicTacToePosition:
    reached = START
    for move in moves.split():
        (seat,) = reached.to_move
        reached = reached.play(seat, move)
    return reached


def test_sequences_by_depth() -> None:
    counted = [perft(START, depth) for depth in range(1, 10)]
    assert counted == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_all_games_by_their_end() -> None:
    assert games_by_outcome(START) == {LINE[0]: 131_184, LINE[1]: 77_904, FULL: 46_080}


def test_reachable_positions_and_their_classes_up_to_symmetry() -> None:
    states = reachable(START)
    assert len(states) == 5478
    assert sum(state.outcome is not None for state in states) == 958
    assert len({min(symmetries(state.cells)) for state in states}) == 765


def symmetries(cells: str) -> list[str]:
    turned = [cells]
    for _ in range(3):
        turned.append("".join(turned[-1][index] for index in (6, 3, 0, 7, 4, 1, 8, 5, 2)))
    mirrored = ["".join(each[row : row + 3][::-1] for row in (0, 3, 6)) for each in turned]
    return turned + mirrored


def test_every_reachable_position_reads_back_from_its_view_also_when_given_up_or_drawn() -> None:
    for state in reachable(START):
        ends = [state]
        if state.outcome is None:
            ends += [state.withdraw(0, "resign"), state.withdraw(1, "time")]
            ends += [state.adjudicate("draw", "agreed"), state.adjudicate("aborted", "away")]
        for end in ends:
            assert GAME.from_view(end.view(None)) == end


def test_a_game_is_won_exactly_when_somebody_has_three_in_a_row() -> None:
    rows = [[(x, y) for x in range(3)] for y in range(3)]
    columns = [[(x, y) for y in range(3)] for x in range(3)]
    diagonals = [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
    for state in reachable(START):
        lines = ["".join(state.cells[x + 3 * y] for x, y in line) for line in rows + columns + diagonals]
        expected = LINE[0] if "000" in lines else LINE[1] if "111" in lines else None
        assert state.outcome == (expected or (None if "." in state.cells else FULL))


def test_nobody_wins_against_perfect_play() -> None:
    @cache
    def value(state: TicTacToePosition) -> int:
        if state.outcome is not None:
            return -len(state.outcome.winners)
        return max(-value(state.play(state.next_seat, move)) for move in state.legal_moves(state.next_seat))

    assert value(START) == 0


@pytest.mark.parametrize(
    ("drawing", "move", "outcome"),
    [
        ("... / .X. / ...", "a1", None),
        ("XX. / OO. / ...", "c3", LINE[0]),
        ("XX. / OO. / X..", "c2", LINE[1]),
        ("XXO / OOX / XO.", "c1", FULL),
        ("XOX / OXO / OX.", "c1", LINE[0]),
    ],
)
def test_how_a_move_ends_the_game(drawing: str, move: str, outcome: Outcome | None) -> None:
    before = position(drawing)
    assert before.play(before.next_seat, move).outcome == outcome


@pytest.mark.parametrize("written", ["a1", "A1", " a1 ", "a1\n", "\tA1"])
def test_a_move_is_read_leniently(written: str) -> None:
    assert START.play(0, written).cells == "0........"


@pytest.mark.parametrize(
    ("moves", "seat", "move", "code", "sentence"),
    [
        ("b2", 1, "b2", "illegalMove", "Cell b2 is occupied."),
        ("b2", 1, "B2", "illegalMove", "Cell b2 is occupied."),
        ("", 0, "d1", "illegalMove", "There is no cell 'd1'; the cells are a1 (bottom left) to c3."),
        ("", 0, "1a", "illegalMove", "There is no cell '1a'; the cells are a1 (bottom left) to c3."),
        ("", 0, "", "illegalMove", "There is no cell ''; the cells are a1 (bottom left) to c3."),
        ("", 1, "a1", "notYourTurn", "It is not your turn; seat 0 is to move."),
        ("b2", 0, "a1", "notYourTurn", "It is not your turn; seat 1 is to move."),
        ("a1 a2 b1 b2 c1", 1, "c2", "gameOver", "The game is over."),
    ],
)
def test_a_refusal_says_why(moves: str, seat: int, move: str, code: str, sentence: str) -> None:
    assert_refused(played(moves), seat, move, code, sentence)


def test_the_view_lists_the_cells_from_a1_and_tells_the_outcome() -> None:
    assert played("a1 c1").view(1) == {"cells": "0.1......"}
    over = played("a1 a2 b1 b2 c1").view(None)
    assert over == {"cells": "00011....", "outcome": LINE[0].to_json()}


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"cells": None},
        {"cells": 9},
        {"cells": ["."] * 9},
        {"cells": "." * 8},
        {"cells": "x........"},
        {"cells": "1........"},
        {"cells": "00......."},
        {"cells": cells("XXX / OOO / ...")},
        {"cells": cells("XXX / OOO / ..."), "outcome": LINE[1].to_json()},
        {"cells": cells("XXX / OO. / ...")},
        {"cells": cells("XXX / OO. / ..."), "outcome": FULL.to_json()},
        {"cells": EMPTY, "outcome": LINE[0].to_json()},
        {"cells": EMPTY, "outcome": {"kind": "win"}},
        {"cells": EMPTY, "outcome": "agreed"},
    ],
    ids=str,
)
def test_a_view_that_cannot_be_is_refused(view: View) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        GAME.from_view(view)


def test_drawings() -> None:
    view = played("a1 b2 c1").view(None)
    assert GAME.draw(view, "ascii").splitlines() == [
        "3 | . . . |",
        "2 | . O . |",
        "1 | X . X |",
        "    a b c",
    ]
    assert GAME.draw(view).splitlines() == [
        "3 ⎢ ⋅ ⋅ ⋅ ⎥",
        "2 ⎢ ⋅ ◉ ⋅ ⎥",
        "1 ⎢ ✕ ⋅ ✕ ⎥",
        "    a b c",
    ]
