"""What is counted, in which order, and when it is enough."""

from __future__ import annotations

import pytest

from tablero.arena.plan import Contest
from tablero.arena.report import to_json, to_text
from tablero.arena.result import Result
from tablero.arena.statistics import Sprt
from tests.harness.arena import played

PERFECT, RANDOM = "tic-tac-toe:perfect", "tic-tac-toe:random"


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
