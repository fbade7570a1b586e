"""minesweeper/ending.py: one mine ends it on one board; a race goes on until one clears or all are out."""

from __future__ import annotations

from typing import Any

import pytest

from tablero_games.minesweeper.ending import Digger, ending, scores_of
from tablero_games.minesweeper.options import MinesweeperOptions

OPEN, CLEARED, MINED = b"##1", b"#11", b"*#1"
"""Boards of three cells with one mine: nothing decided, all safe cells open, and one on which it was dug."""
NOBODY = frozenset[int]()


def options(mode: Any) -> MinesweeperOptions:
    return MinesweeperOptions.model_construct(mode=mode, width=3, height=1, mines=1)


def diggers(*each: tuple[int, int, str | None]) -> list[Digger]:
    """Of so many opened, at which ply the last, and why they are out."""
    return [Digger(opened, last, out) for opened, last, out in each]  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["solo", "coop"])
@pytest.mark.parametrize(
    ("board", "out", "told"),
    [
        (OPEN, (None, None), None),
        (OPEN, (None, "resign"), None),
        (OPEN, ("time", "resign"), ("loss", NOBODY, "gone")),
        (CLEARED, (None, None), ("win", {0, 1}, "cleared")),
        (CLEARED, (None, "resign"), ("win", {0}, "cleared")),
        (MINED, (None, None), ("loss", NOBODY, "mine")),
    ],
)
def test_on_one_board_all_win_or_lose_together(
    mode: str,
    board: bytes,
    out: tuple[str | None, str | None],
    told: tuple[str, set[int], str] | None,
) -> None:
    players = diggers((2, 1, out[0]), (1, 2, out[1]))
    found = ending(options(mode), [board], players, "gone")
    if found is None or told is None:
        assert (found, told) == (None, None)
        return
    assert (found.kind, set(found.winners), found.reason) == told
    assert found.scores == (2, 1)


@pytest.mark.parametrize("reason", ["resign", "time"])
def test_on_one_board_the_last_to_leave_says_why_it_ended(reason: str) -> None:
    found = ending(options("solo"), [OPEN], diggers((0, 0, "resign")), reason)
    assert found is not None
    assert found.reason == reason


def test_a_race_goes_on_while_anybody_plays_and_nobody_has_cleared() -> None:
    boards = [MINED, OPEN]
    assert ending(options("race"), boards, diggers((1, 1, "mine"), (0, 0, None))) is None


def test_whoever_clears_wins_a_race_at_once() -> None:
    found = ending(options("race"), [OPEN, CLEARED], diggers((1, 1, None), (2, 2, None)))
    assert found is not None
    assert (found.kind, found.winners, found.reason) == ("win", frozenset({1}), "cleared")
    assert found.ranking == ((1,), (0,))


def test_when_all_are_out_whoever_opened_most_has_won() -> None:
    players = diggers((1, 9, "mine"), (2, 3, "resign"), (0, 1, "time"))
    found = ending(options("race"), [MINED, MINED, OPEN], players)
    assert found is not None
    assert (found.kind, found.winners, found.reason) == ("win", frozenset({1}), "out")
    assert (found.ranking, found.scores) == (((1,), (0,), (2,)), (1, 2, 0))


def test_of_equals_whoever_was_there_earlier_is_ahead() -> None:
    found = ending(options("race"), [MINED, MINED], diggers((2, 5, "mine"), (2, 4, "mine")))
    assert found is not None
    assert found.ranking == ((1,), (0,))


def test_where_nobody_is_ahead_nobody_has_won() -> None:
    found = ending(options("race"), [OPEN, OPEN], diggers((2, 4, "resign"), (2, 4, "time")))
    assert found is not None
    assert (found.kind, found.winners, found.ranking) == ("draw", NOBODY, ((0, 1),))


def test_a_score_is_how_many_cells_a_seat_has_opened() -> None:
    assert scores_of(diggers((3, 0, None), (0, 0, "mine"))) == (3, 0)
