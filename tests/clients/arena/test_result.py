"""What is counted, in which order, and when it is enough."""

from __future__ import annotations

from typing import Literal

import pytest

from tablero.arena.local import play_match
from tablero.arena.match import Match
from tablero.arena.plan import Contest, Task, find_brains
from tablero.arena.report import to_json, to_text
from tablero.arena.result import Result
from tablero.arena.score import Score
from tablero.arena.statistics import Sprt, elo
from tablero.bot import Failure
from tablero_games import Outcome

PERFECT, RANDOM = "tic-tac-toe:perfect", "tic-tac-toe:random"


def played(contest: Contest) -> list[tuple[Task, Match]]:
    brains = find_brains(contest.specs)
    return [
        (
            task,
            play_match(
                contest.game,
                [brains[each] for each in task.seats],
                task.seed,
                task.opening,
                **contest.options,
            ),
        )
        for task in contest.tasks()
    ]


def ended(winner: int | None, seats: int = 2, failed: int | None = None) -> Match:
    """A match of which only the end matters."""
    winners = frozenset() if winner is None else frozenset({winner})
    kind: Literal["win", "draw", "loss"] = "win" if winners else "loss" if seats == 1 else "draw"
    failures = {} if failed is None else {failed: Failure("crashed", "No.")}
    brains = tuple(find_brains([RANDOM]) * seats)
    return Match(0, brains, (), (), Outcome(kind, winners, "line"), failures)


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


def test_whoever_fails_alone_has_lost_even_ahead_in_a_race() -> None:
    assert ended(0, failed=0).points(0) == 0
    assert ended(0, failed=0).points(1) == 1
    assert ended(None, seats=1, failed=0).points(0) == 0


def test_failures_are_whose_they_are() -> None:
    score = Score()
    score.add(ended(1, failed=0), 0)
    score.add(ended(1, failed=0), 1)
    assert [failed.by_first for failed in score.failed] == [True, False]
    assert (score.failures("crashed"), score.crashed, score.illegal, score.timeouts) == (2, 1, 0, 0)


def test_matches_count_in_the_order_of_the_plan_however_they_come() -> None:
    contest = Contest("tic-tac-toe", (PERFECT, RANDOM), 20, seed=3)
    games = played(contest)
    one, other = Result(contest), Result(contest)
    for task, match in games:
        one.add(task, match)
    for task, match in reversed(games):
        other.add(task, match)
    assert to_json(one, 0) == to_json(other, 0)
    assert [task.number for task in other.tasks] == list(range(20))


@pytest.mark.parametrize(
    ("specs", "verdict"),
    [
        pytest.param((PERFECT, RANDOM), "accepted", id="much stronger"),
        pytest.param((RANDOM, PERFECT), "rejected", id="much weaker"),
    ],
)
def test_a_sequential_test_stops_as_soon_as_it_knows(specs: tuple[str, str], verdict: str) -> None:
    contest = Contest("tic-tac-toe", specs, 120, seed=1)
    games = played(contest)
    result, backwards = Result(contest, Sprt(0, 50)), Result(contest, Sprt(0, 50))
    for task, match in games:
        result.add(task, match)
    for task, match in reversed(games):
        backwards.add(task, match)
    assert result.verdict == verdict
    assert len(result.tasks) < 120
    assert len(result.tasks) % 2 == 0
    assert to_json(result, 0) == to_json(backwards, 0)
    assert verdict in to_text(result, 0)


def test_a_sequential_test_between_equals_far_apart_rejects_the_difference() -> None:
    contest = Contest("tic-tac-toe", (RANDOM, RANDOM), 200, seed=1)
    result = Result(contest, Sprt(0, 300))
    for task, match in played(contest):
        result.add(task, match)
    assert result.verdict == "rejected"


def test_one_with_too_few_games_is_undecided() -> None:
    contest = Contest("tic-tac-toe", (PERFECT, RANDOM), 4)
    result = Result(contest, Sprt())
    for task, match in played(contest):
        result.add(task, match)
    assert to_json(result, 0)["sprt"]["verdict"] == "undecided"


def test_standings_add_up_what_everybody_did() -> None:
    contest = Contest("tic-tac-toe", (RANDOM, PERFECT, RANDOM), 6, seed=2)
    result = Result(contest)
    for task, match in played(contest):
        result.add(task, match)
    standings = result.standings()
    assert standings[0].name == PERFECT
    assert [standing.games for standing in standings] == [12, 12, 12]
    assert sum(standing.points for standing in standings) == 18
    assert len(to_json(result, 0)["pairs"]) == 3
