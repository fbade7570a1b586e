"""How one brain did against another: by pairs of games on one opening, or by fields that both played."""

from __future__ import annotations

from tablero.arena.match import Match
from tablero.arena.plan import find_brains
from tablero.arena.score import Score
from tablero.arena.statistics import elo
from tablero_games import Outcome
from tablero_games.record.file import RecordedTurn
from tests.harness.arena import RANDOM, ended


def test_the_pairs_are_what_is_observed() -> None:
    score = Score()
    for side, winner in ((0, 0), (1, 1), (0, 0), (1, 0), (0, None), (1, 0)):
        score.add(ended(winner), side)
    assert (score.wins, score.draws, score.losses) == (3, 1, 2)
    assert score.observed == {1.0: 1, 0.5: 1, 0.25: 1}
    assert score.elo == elo(3.5 / 6)


def test_alone_each_field_is_a_comparison() -> None:
    score = Score(solo=True)
    for first, second in ((0, None), (0, 0), (None, None), (None, 0), (0, None)):
        score.add(ended(first, seats=1), 0)
        score.add(ended(second, seats=1), 1)
    assert (score.games, score.wins, score.draws, score.losses) == (5, 2, 2, 1)
    assert score.cleared == [3, 2]
    assert score.observed == {1.0: 2, 0.5: 2, 0.0: 1}
    assert [own["share"] for own in score.to_json()["cleared"]] == [0.6, 0.4]


def test_failures_are_whose_they_are() -> None:
    score = Score()
    score.add(ended(1, failed=0), 0)
    score.add(ended(1, failed=0), 1)
    assert [failed.by_first for failed in score.failed] == [True, False]
    assert (score.failures("crashed"), score.crashed, score.illegal, score.timeouts) == (2, 1, 0, 0)


def test_games_points_and_share_count_a_draw_as_half() -> None:
    score = Score()
    assert (score.games, score.points, score.share) == (0, 0, 0.5)
    for winner in (0, None, None, 1):
        score.add(ended(winner), 0)
    assert (score.games, score.points, score.share) == (4, 2, 0.5)


def test_a_pair_counts_once_both_of_its_games_are_there() -> None:
    score = Score()
    score.add(ended(0), 0)
    assert score.observed == {}
    score.add(ended(0), 1)
    assert score.observed == {0.5: 1}


def test_the_better_seat_alone_makes_nobody_better() -> None:
    """Whoever begins wins every game: each pair is even, however many games there are."""
    score = Score()
    for game in range(20):
        score.add(ended(0), game % 2)
    assert score.observed == {0.5: 10}
    assert score.elo == 0


def test_games_are_different_by_their_moves_and_alone_by_their_field_too() -> None:
    def played(seed: int, *moves: str) -> Match:
        turns = tuple(RecordedTurn(seat=0, move=move, at=0) for move in moves)
        outcome = Outcome("draw", frozenset(), "line")
        return Match(seed, tuple(find_brains([RANDOM])) * 2, (), turns, outcome, {})

    matches = [played(1, "a1"), played(2, "a1"), played(2, "b1"), played(2, "b1")]
    for solo, distinct in ((False, 2), (True, 3)):
        score = Score(solo=solo)
        for match in matches:
            score.add(match, 0)
        assert score.distinct == distinct


def test_the_first_failure_is_told_with_its_match() -> None:
    score = Score()
    assert score.first_failure is None
    good, bad = ended(0), ended(1, failed=0)
    for match in (good, bad, ended(0, failed=1)):
        score.add(match, 0)
    assert score.first_failure == (bad, bad.failures[0])
    assert repr(score) == "<Score 2 won, 0 drawn, 1 lost of 3, 2 failed>"
