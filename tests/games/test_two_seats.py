"""Withdrawing, agreeing to a draw and reading an outcome back, in a game of nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import pytest

from tablero_games import IllegalMove, Outcome
from tablero_games.position import ADJUDICATIONS, Json, Reason
from tablero_games.two_seats import TwoSeats, adjudicated, drawn, given_up, outcome_told, won

REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True, slots=True)
class Counting(TwoSeats):
    """The seats take turns; each has as many points as turns it had."""

    ply: int = 0

    @property
    def next_seat(self) -> int:
        return self.ply % 2

    @property
    def scores(self) -> tuple[int, ...]:
        return ((self.ply + 1) // 2, self.ply // 2)


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("ply", [2, 3])
def test_whoever_withdraws_loses_and_the_scores_stand(ply: int, seat: int, reason: Reason) -> None:
    over = Counting(ply).withdraw(seat, reason)
    assert over.outcome == Outcome("win", frozenset({1 - seat}), reason, (ply - 1, 1))
    assert over.to_move == frozenset()
    assert over.ply == ply


def test_an_agreed_draw_ends_the_game() -> None:
    over = Counting(3).adjudicate("draw", "agreed")
    assert over.outcome == Outcome("draw", frozenset(), "agreed", (2, 1))
    assert over.to_move == frozenset()


def test_nothing_ends_twice() -> None:
    over = Counting().adjudicate("draw", "agreed")
    for again in (
        lambda: over.adjudicate("aborted", "left"),
        lambda: over.withdraw(0, "gone"),
        lambda: over.refuse_out_of_turn(0),
    ):
        with pytest.raises(IllegalMove) as refused:
            again()
        assert refused.value.code == "gameOver"


def test_nobody_withdraws_from_a_seat_that_is_not_there() -> None:
    with pytest.raises(IllegalMove, match=r"^Nobody sits on seat 2; the seats are 0 to 1\.$"):
        Counting().withdraw(2, "resign")


def test_the_other_seat_has_to_wait() -> None:
    Counting(1).refuse_out_of_turn(1)
    with pytest.raises(IllegalMove) as refused:
        Counting(1).refuse_out_of_turn(0)
    assert refused.value.code == "notYourTurn"


@pytest.mark.parametrize("scores", [None, (3, 1)])
def test_an_outcome_is_read_back_from_a_view(scores: tuple[int, ...] | None) -> None:
    settled = [given_up(seat, reason, scores) for seat in (0, 1) for reason in REASONS]
    settled += [adjudicated(kind, why, scores) for kind in ADJUDICATIONS for why in ADJUDICATIONS[kind]]
    for outcome in settled:
        assert outcome_told({"outcome": outcome.to_json()}, None, scores) == outcome
    line = won(0, "line", scores)
    assert outcome_told({"outcome": line.to_json()}, line, scores) == line
    assert outcome_told({}, None, scores) is None


@pytest.mark.parametrize(
    ("told", "on_board"),
    [
        (None, won(0, "line")),
        (won(1, "line").to_json(), won(0, "line")),
        (adjudicated("draw", "agreed", None).to_json(), won(0, "line")),
        (won(0, "line").to_json(), None),
        (drawn("full").to_json(), None),
        (adjudicated("draw", "agreed", (1, 1)).to_json(), None),
        ({}, None),
        ("resign", None),
    ],
    ids=str,
)
def test_an_outcome_that_the_board_does_not_allow_is_refused(told: Json, on_board: Outcome | None) -> None:
    with pytest.raises(ValueError, match="does not fit its board"):
        outcome_told({"outcome": told}, on_board)
