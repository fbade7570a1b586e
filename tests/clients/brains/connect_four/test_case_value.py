"""The document's pseudo-code for Connect Four, function by function, and its simulated game."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.brains.connect_four.case_value import (
    VALEUR_MAXIMUM,
    VECTOR_DIRECTION,
    Case,
    Grille,
    case_value,
    choose_best_case,
    choose_case_for_opponent,
    count_alignement,
    move_of,
    play,
    valeur_maximum,
)
from tablero_games import Seat
from tablero_games.connect_four import ConnectFourPosition
from tests.harness.games.connect_four import GAME, SIZES, grille, grille_at, random_positions
from tests.harness.games.connect_four_play import FILE, written

X, O = 0, 1  # noqa: E741 - as they are drawn


@pytest.mark.parametrize(
    ("drawing", "case", "player", "counts"),
    [
        pytest.param(".... .... .... ....", (0, 0), X, (0, 0, 0, 0), id="nothing beside it"),
        pytest.param(".... .... .... X.X.", (1, 0), X, (2, 0, 0, 0), id="both ways together"),
        pytest.param(".... .... .... X.X.", (1, 0), O, (0, 0, 0, 0), id="the other's tokens"),
        pytest.param(".... .... .... .XOX", (0, 0), X, (1, 0, 0, 0), id="as far as the first other token"),
        pytest.param(".... .... .... X..X", (1, 0), X, (1, 0, 0, 0), id="as far as the first gap"),
        pytest.param(".... X... X... O...", (0, 3), X, (0, 2, 0, 0), id="downwards"),
        pytest.param(".... .... .XO. XOO.", (2, 2), X, (0, 0, 0, 2), id="the rising diagonal"),
        pytest.param(".... .... .OX. .OOX", (1, 2), X, (0, 0, 2, 0), id="the falling diagonal"),
        pytest.param("...X ...O ...X ...O", (0, 0), X, (0, 0, 0, 0), id="not round the border"),
    ],
)
def test_tokens_in_line_are_counted_in_four_directions(
    drawing: str, case: Case, player: Seat, counts: tuple[int, ...]
) -> None:
    board = grille(drawing)
    assert tuple(count_alignement(board, *case, player, each) for each in VECTOR_DIRECTION) == counts


@pytest.mark.parametrize(
    ("drawing", "case", "player", "value"),
    [
        pytest.param(".... .... .... ....", (1, 0), X, 0, id="an empty board is all zeros"),
        pytest.param(".... .... .... XX..", (0, 0), X, 0, id="an occupied cell"),
        pytest.param(".... .... .... XX..", (2, 0), X, 2**2, id="the square of two"),
        pytest.param(".... .... .... X.X.", (1, 0), X, 2**2, id="two with the cell between them"),
        pytest.param(".... .... XX.. XXO.", (2, 1), X, 2**2 + 1, id="two across and one on the diagonal"),
        pytest.param(".... .... .... XXX.", (3, 0), X, 20, id="four"),
        pytest.param(".... .... .... XXX.", (3, 0), O, 0, id="the other's four is nothing to us"),
        pytest.param("..... ..... ..... XX.XX", (2, 0), X, 20, id="more than four"),
        pytest.param(".X.. XX.. XX.. XOX.", (0, 3), X, 20 + 1 + 1, id="directions add up"),
    ],
)
def test_the_value_of_a_case(drawing: str, case: Case, player: Seat, value: int) -> None:
    assert case_value(grille(drawing), *case, player) == value


def test_completing_four_takes_three_tokens_beside_the_cell() -> None:
    # Were it "more than four", as the pseudo-code has it, a win would count 9: less than three pairs.
    assert case_value(grille(".... .... .... XXX."), 3, 0, X) == VALEUR_MAXIMUM > 3 * 2**2 > 3**2


@pytest.mark.parametrize("connect", range(3, 13))
def test_a_cell_that_completes_a_line_beats_every_cell_that_does_not(connect: int) -> None:
    without = 4 * (connect - 2) ** 2
    assert valeur_maximum(connect) > without


def test_the_maximum_is_the_documents_on_the_documents_board() -> None:
    assert valeur_maximum(4) == VALEUR_MAXIMUM == 20


@pytest.mark.parametrize(
    ("drawing", "player", "case"),
    [
        pytest.param(".... .... .... ....", X, (0, 0), id="of equals the leftmost"),
        pytest.param(".... .... .... .X..", X, (0, 0), id="of equal neighbours the left one"),
        pytest.param(".... .... .... O.X.", X, (1, 0), id="the highest"),
        pytest.param("X... O... X... O.XX", X, (1, 0), id="a full column is passed over"),
        pytest.param(".... .... .... OOO.", X, (0, 1), id="it never blocks"),
        pytest.param(".... .... .... OOO.", O, (3, 0), id="it completes four"),
        pytest.param("..... O.... OO... OOXXX", X, (3, 1), id="only landing cells"),
    ],
)
def test_the_best_case(drawing: str, player: Seat, case: Case) -> None:
    assert choose_best_case(grille(drawing), player) == case


@pytest.mark.parametrize("options", SIZES, ids=str)
def test_the_best_case_is_in_line_with_an_own_token_wherever_one_is(options: dict[str, Any]) -> None:
    for position in random_positions(7, 60, **options):
        board, seat = grille_at(position), position.next_seat

        def in_line(case: Case, board: Grille = board, seat: Seat = seat) -> bool:
            return any(count_alignement(board, *case, seat, direction) for direction in VECTOR_DIRECTION)

        assert in_line(choose_best_case(board, seat)) == any(map(in_line, board.cases()))


@pytest.mark.parametrize(
    ("drawing", "case"),
    [
        pytest.param(".... .... .... ....", (0, 0), id="of equals the leftmost"),
        pytest.param(".... .... .... X...", (2, 0), id="the least for us"),
        pytest.param(".... .... .... XXX.", (0, 1), id="not the block that it fears least"),
        pytest.param("XXO. OXO. XOX. OXX.", (3, 0), id="the only column that is not full"),
    ],
)
def test_the_case_for_the_opponent_is_the_least_valuable_to_us(drawing: str, case: Case) -> None:
    assert choose_case_for_opponent(grille(drawing), X) == case


def test_values_are_worked_out_anew_after_each_token() -> None:
    board = grille(".... .... .... .XX.")
    before = case_value(board, 0, 0, X), case_value(board, 3, 0, X)
    board.drop(0, X)
    assert (case_value(board, 0, 0, X), case_value(board, 3, 0, X)) == (0, 20)
    board.lift(0)
    assert (case_value(board, 0, 0, X), case_value(board, 3, 0, X)) == before == (4, 4)


@pytest.mark.parametrize("options", SIZES, ids=str)
def test_a_case_is_where_the_token_lands_and_wins_where_the_rules_say_so(options: dict[str, Any]) -> None:
    for position in random_positions(5, 60, **options):
        board, seat = grille_at(position), position.next_seat
        assert [move_of(case) for case in board.cases()] == position.legal_moves(seat)
        for x, y in board.cases():
            after = position.play(seat, move_of((x, y)))
            assert grille_at(after).tokens == {**board.tokens, (x, y): seat}
            wins = after.outcome is not None and bool(after.outcome.winners)
            assert (case_value(board, x, y, seat) >= valeur_maximum(position.shape.connect)) is wins


# The simulated game


def test_the_simulated_game_is_the_documents() -> None:
    # When this fails and the change is meant: python -m tests.harness.games.connect_four_play
    assert FILE.read_text(encoding="utf-8") == written()


@pytest.mark.parametrize("options", SIZES, ids=str)
@pytest.mark.parametrize("us", [X, O])
def test_the_simulated_game_ends_with_the_board_full_at_the_latest(options: dict[str, Any], us: Seat) -> None:
    start = GAME.start(**options)
    assert isinstance(start, ConnectFourPosition)
    game = list(play(start, us))
    assert len(game) <= start.shape.columns * start.shape.rows
    assert [position.outcome is None for _, position in game] == [True] * (len(game) - 1) + [False]


class CountingLookups(dict[Case, Seat]):
    """Counts how often a cell is looked at."""

    looked = 0

    def get(self, *case: Any) -> Any:
        self.looked += 1
        return super().get(*case)


@pytest.mark.parametrize("options", SIZES, ids=str)
def test_a_whole_game_costs_at_most_the_square_of_the_board_times_the_longer_side(
    options: dict[str, Any],
) -> None:
    position, looked = GAME.start(**options), 0
    assert isinstance(position, ConnectFourPosition)
    columns, rows = position.shape.columns, position.shape.rows
    for case, after in play(position):
        board = grille_at(position)
        board.tokens = CountingLookups(board.tokens)
        assert case in (choose_best_case(board, X), choose_case_for_opponent(board, X))
        looked += board.tokens.looked
        position = after
    assert 0 < looked <= 2 * 8 * (columns * rows) ** 2 * max(columns, rows)


@pytest.mark.parametrize("options", SIZES, ids=str)
def test_a_move_costs_at_most_rows_times_columns_times_the_longer_of_them(options: dict[str, Any]) -> None:
    for position in random_positions(6, 40, **options):
        board: Grille = grille_at(position)
        board.tokens = CountingLookups(board.tokens)
        choose_best_case(board, position.next_seat)
        assert 0 < board.tokens.looked <= 8 * board.columns * board.rows * max(board.columns, board.rows)
