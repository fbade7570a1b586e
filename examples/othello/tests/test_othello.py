"""Othello's rules: turning discs, passing, winning, and the number of games."""

from __future__ import annotations

from typing import Any

import pytest
from tablero_othello import Othello, OthelloPosition, ending

from tablero_games import IllegalMove

GAME = Othello()


def on_4(*rows_from_the_top: str, next: int = 0) -> OthelloPosition:
    return OthelloPosition("".join(reversed(rows_from_the_top)), 4, next)


def count(position: Any, depth: int) -> int:
    """The number of move sequences of this length."""
    if not depth:
        return 1
    return sum(
        count(position.play(seat, move), depth - 1)
        for seat in position.to_move
        for move in position.legal_moves(seat)
    )


@pytest.mark.parametrize(("depth", "games"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_there_are_as_many_games_as_others_count(depth: int, games: int) -> None:
    assert count(GAME.start(), depth) == games


def test_the_first_disc_turns_one_over() -> None:
    after = GAME.start().play(0, " D3 ")
    assert GAME.draw(after.view(None), "ascii").splitlines()[3:6] == [
        "5 | . . . X O . . . |",
        "4 | . . . X X . . . |",
        "3 | . . . X . . . . |",
    ]


@pytest.mark.parametrize(
    ("move", "reason"),
    [("d4", "occupied"), ("a1", "turnsNothing"), ("i9", "noSuchCell"), ("pass", "noSuchCell")],
)
def test_what_is_refused(move: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.start().play(0, move)
    assert refused.value.reason == reason


def test_who_cannot_move_passes_and_the_other_plays_again() -> None:
    position = on_4("0...", "1...", "....", ".10.").play(0, "a1")
    assert (position.to_move, position.legal_moves(0)) == ({0}, ["a2"])
    over = position.play(0, "a2")
    assert over.outcome is not None
    assert (over.to_move, over.outcome.scores) == (frozenset(), (6, 0))


def test_a_view_in_which_the_wrong_one_is_to_move_is_refused() -> None:
    with pytest.raises(ValueError, match="Seat 1 has no move"):
        GAME.from_view(on_4("0...", "1...", "....", "000.", next=1).view(None))


@pytest.mark.parametrize(("ones", "kind", "winners"), [(0, "win", {0}), (8, "draw", set()), (9, "win", {1})])
def test_more_discs_win(ones: int, kind: str, winners: set[int]) -> None:
    outcome = ending("1" * ones + "0" * (16 - ones))
    assert outcome is not None
    assert (outcome.kind, set(outcome.winners)) == (kind, winners)
