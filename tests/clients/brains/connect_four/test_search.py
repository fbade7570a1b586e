"""The document's whole text on Connect Four: fours, blocks, both values, the centre, and looking ahead."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.brains.connect_four import search
from tablero.brains.connect_four.case_value import (
    VALEUR_MAXIMUM,
    Case,
    Grille,
    case_value,
    move_of,
    valeur_maximum,
)
from tablero_games import Seat
from tablero_games.connect_four import ConnectFourPosition
from tests.harness.games.connect_four import SIZES, grille, grille_at, random_positions

X, O = 0, 1  # noqa: E741 - as they are drawn


@pytest.mark.parametrize("options", SIZES, ids=str)
def test_a_case_completes_a_line_exactly_when_the_rules_say_so(options: dict[str, Any]) -> None:
    for position in random_positions(7, 60, **options):
        for case in grille_at(position).cases():
            after = position.play(position.next_seat, move_of(case))
            wins = after.outcome is not None and bool(after.outcome.winners)
            assert search.completes(grille_at(position), case, position.next_seat) is wins


@pytest.mark.parametrize(
    ("drawing", "case"),
    [
        pytest.param(".... .... OOO. XXX.", (3, 0), id="a win"),
        pytest.param(".... ...X ...X OOOX", (3, 3), id="a win rather than a block"),
        pytest.param("..... ..... ..... OOO.X", (3, 0), id="a block"),
        pytest.param("..... ..... ..... .OOO.", (0, 0), id="the first of two blocks"),
        pytest.param(".... .... .... XX..", None, id="neither"),
    ],
)
def test_what_decides_at_once(drawing: str, case: Case | None) -> None:
    board = grille(drawing)
    assert search.decisive_case(board, X, board.cases()) == case


def test_cases_are_tried_from_the_centre_and_the_left_one_first() -> None:
    order = [x for x, _ in search.from_the_centre(grille("....... " * 4))]
    assert order == [3, 2, 4, 1, 5, 0, 6]
    assert [x for x, _ in search.from_the_centre(grille("...... " * 4))] == [2, 3, 1, 4, 0, 5]


@pytest.mark.parametrize(
    ("drawing", "case"),
    [
        pytest.param("....... " * 6, (3, 0), id="the centre first"),
        pytest.param("....... ....... ....... XXX.OOO", (3, 0), id="own four"),
        pytest.param("....... ....... X...... X...... X.OOO..", (0, 3), id="own four before a block"),
        pytest.param("....... ....... ....... OOO..XX", (3, 0), id="a block before all values"),
        pytest.param("....... ....... ....... .....OO", (4, 0), id="the opponent's value counts"),
        pytest.param("....... ....... ....... XX...OO", (2, 0), id="of equals the left one"),
        pytest.param("....... ....... ....... O.....X", (1, 0), id="value before centre"),
    ],
)
def test_the_choice_by_the_full_text(drawing: str, case: Case) -> None:
    assert search.choose_by_full_text(grille(drawing), X) == case


def test_a_block_comes_before_a_case_that_is_worth_more_than_the_maximum() -> None:
    board = grille("......... ........O .......OX O...XX.OO O...OXXXO O...XOXOX")
    assert case_value(board, 6, 2, X) + case_value(board, 6, 2, O) == 16 + 8 > VALEUR_MAXIMUM
    assert search.choose_by_full_text(board, X) == (0, 3)


# Looking ahead


def plain_minimax(position: ConnectFourPosition, depth: int) -> int:
    """The same value without cutting anything off, by the rules' own positions."""
    board, seat = grille_at(position), position.next_seat
    if position.outcome is not None:
        lost = search.win_value(position.shape.connect) + depth
        return -lost if position.outcome.winners else 0
    if depth == 0:
        return search.leaf_value(board, seat, board.cases())
    moves = position.legal_moves(seat)
    return max(-plain_minimax(position.play(seat, move), depth - 1) for move in moves)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("options", SIZES[:3], ids=str)
def test_alpha_beta_plays_what_plain_minimax_does(options: dict[str, Any], depth: int) -> None:
    for position in random_positions(8, 12, **options):
        board, seat = grille_at(position), position.next_seat
        values = {
            case: -plain_minimax(position.play(seat, move_of(case)), depth - 1)
            for case in search.from_the_centre(board)
        }
        before = dict(board.tokens)
        chosen = search.choose_with_lookahead(board, seat, depth)
        assert chosen == max(values, key=values.__getitem__), position
        assert board.tokens == before


def test_a_leaf_is_the_best_case_of_who_is_to_move_less_the_best_of_the_other() -> None:
    board = grille("...... ...... ...... XX...O")
    assert search.leaf_value(board, X, board.cases()) == 2**2 - 1
    assert search.leaf_value(board, O, board.cases()) == 1 - 2**2


@pytest.mark.parametrize("connect", range(3, 13))
def test_a_won_game_is_worth_more_than_any_leaf(connect: int) -> None:
    assert search.win_value(connect) > 4 * valeur_maximum(connect)
    assert search.win_value(4) == search.WIN == 1000


@pytest.mark.parametrize(
    ("drawing", "player", "cases"),
    [
        pytest.param("....... ....... ....... .OXXX..", X, {(5, 0)}, id="it wins at once"),
        pytest.param("....... ....... ....... ..XX...", X, {(1, 0), (4, 0)}, id="it makes an open three"),
        pytest.param("....... ....... ....... ..XX...", O, {(1, 0), (4, 0)}, id="it prevents an open three"),
        pytest.param("....... ....... X.....O X.XX..O", X, {(1, 0), (4, 0)}, id="a win soon, not later"),
    ],
)
def test_the_lookahead_sees(drawing: str, player: Seat, cases: set[Case]) -> None:
    assert search.choose_with_lookahead(grille(drawing), player) in cases


def test_the_lookahead_delays_a_loss() -> None:
    board = grille("OOX..X XXO..O XOOOXX OOXXXO")
    assert search.choose_with_lookahead(board, X) == (4, 2)
    board.drop(3, X)  # the other column that is not full loses at once
    assert search.decisive_case(board, O, board.cases()) is not None


def test_the_lookahead_takes_a_draw_rather_than_a_loss_or_less_than_a_win() -> None:
    late = [here for here in random_positions(9, 400, columns=4, rows=4) if len(here.legal_moves(0)) == 2]
    assert len(late) > 10
    for position in late:
        board = grille_at(position)
        values = {
            case: -plain_minimax(position.play(0, move_of(case)), search.DEPTH - 1)
            for case in search.from_the_centre(board)
        }
        assert search.choose_with_lookahead(board, X) == max(values, key=values.__getitem__), position


class CountingGrille(Grille):
    """Counts the tokens that a search tries."""

    tried = 0

    def drop(self, x: int, player: Seat) -> None:
        self.tried += 1
        super().drop(x, player)


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (12, 12)])
def test_the_lookahead_cuts_most_of_the_tree_off(columns: int, rows: int) -> None:
    board = CountingGrille(columns, rows, 4)
    search.choose_with_lookahead(board, X)
    whole = sum(columns**depth for depth in range(1, search.DEPTH + 1))
    assert 0 < board.tried < whole / 3
