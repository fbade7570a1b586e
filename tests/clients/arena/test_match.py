"""One game that was played: who has won it, and the record that it leaves."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tablero.arena.local import play_match
from tablero.arena.match import Match, record_of
from tablero.arena.plan import find_brains
from tablero.bot import Failure
from tablero_games import Outcome
from tablero_games.record.file import RecordedTurn, read
from tablero_games.record.verify import verify

RANDOM = "tic-tac-toe:random"


def ended(kind: Literal["win", "draw", "loss"], *winners: int, failed: tuple[int, ...] = ()) -> Match:
    brains = tuple(find_brains([RANDOM])) * 2
    failures = {seat: Failure("crashed", "No.") for seat in failed}
    return Match(0, brains, (), (), Outcome(kind, frozenset(winners), "line"), failures)


@pytest.mark.parametrize(
    ("match", "points"),
    [
        (ended("win", 0), (1, 0)),
        (ended("win", 1), (0, 1)),
        (ended("draw"), (0.5, 0.5)),
        (ended("win", 0, 1), (1, 1)),
        (ended("loss"), (0, 0)),
        (ended("win", 0, failed=(0,)), (0, 1)),
        (ended("draw", failed=(1,)), (1, 0)),
        (ended("win", 0, failed=(0, 1)), (1, 0)),
        (ended("draw", failed=(0, 1)), (0.5, 0.5)),
    ],
)
def test_a_win_is_one_a_draw_half_and_whoever_failed_alone_has_lost(
    match: Match, points: tuple[float, float]
) -> None:
    assert (match.points(0), match.points(1)) == points


def test_its_moves_are_those_that_were_played_and_not_how_somebody_left() -> None:
    turns = (RecordedTurn(seat=0, move="b2", at=0), RecordedTurn(seat=1, withdrew="resign", at=0))
    brains = tuple(find_brains([RANDOM])) * 2
    assert Match(0, brains, (), turns, Outcome("win", frozenset({0}), "resign"), {}).moves == ("b2",)


@pytest.mark.parametrize(
    ("game", "options"), [("tic-tac-toe", {}), ("minesweeper", {"width": 4, "height": 4, "mines": 3})]
)
def test_its_record_is_valid_names_who_sat_there_and_is_the_same_every_time(
    game: str, options: dict[str, Any]
) -> None:
    names = ("Ana", "Bo")[: 1 if options else 2]
    match = play_match(game, find_brains([f"{game}:random"]) * len(names), 5, (), **options)
    record = record_of(match, game, names, options)
    assert verify(record).valid
    assert read(record).header.names == list(names)
    assert [turn.move for turn in read(record).turns if turn.move] == list(match.moves)
    assert record == record_of(match, game, names, options)
    assert all(turn.at == 0 for turn in read(record).turns)
