"""The ladders of `make strength` can be climbed, and a fall is seen."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tablero.arena.score import Score
from tests.harness.arena import ended
from trials import strength

QUICK = "connect-four child v"


def score(wins: int, losses: int) -> Score:
    result = Score()
    for winner in [0] * wins + [1] * losses:
        result.add(ended(winner), 0)
    return result


def test_every_brain_of_the_ladders_is_there() -> None:
    assert strength.missing(strength.LADDERS) == []


def test_a_few_games_reach_their_bars(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FULL", raising=False)
    assert strength.main(["--only", QUICK, "--scale", "0.05", "--json"]) == 0
    rungs = json.loads(capsys.readouterr().out)
    assert [rung["name"] for rung in rungs] == [
        "connect-four child v random",
        "connect-four child v case-value",
    ]
    assert all(rung["passed"] for rung in rungs)


def test_a_fall_is_seen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("FULL", raising=False)
    [rung] = [rung for rung in strength.LADDERS if rung.name == "connect-four child v random"]
    turned = replace(rung, stronger="random", weaker="child")
    monkeypatch.setattr(strength, "LADDERS", [turned])
    assert strength.main(["--scale", "0.05"]) == 1
    assert "FAIL" in capsys.readouterr().out


def test_what_takes_long_is_played_only_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FULL", raising=False)
    assert strength.main(["--only", "quoridor expert v hard"]) == 0
    assert "quoridor expert v hard" in capsys.readouterr().out.splitlines()[-1]


def test_a_brain_that_is_missing_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "LADDERS", [replace(strength.LADDERS[0], stronger="nobody")])
    assert strength.main([]) == 2
    assert "dots-and-boxes:nobody" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wins", "losses", "full", "passes"),
    [(90, 10, True, True), (89, 11, True, False), (89, 11, False, True), (70, 30, False, False)],
)
def test_with_all_games_the_share_must_reach_the_bar_with_few_its_interval(
    wins: int, losses: int, full: bool, passes: bool
) -> None:
    assert strength.at_least(0.90).passes(score(wins, losses), full) is passes


@pytest.mark.parametrize(
    ("first", "second", "full", "clears", "may"),
    [
        (9, 8, True, False, True),
        (8, 8, True, True, False),
        (8, 8, False, True, True),
        (2, 0, True, False, False),
    ],
)
def test_fields_are_judged_by_how_many_are_cleared(
    first: int, second: int, full: bool, clears: bool, may: bool
) -> None:
    result = Score(solo=True)
    for field in range(10):
        result.add(ended(0 if field < first else None, seats=1), 0)
        result.add(ended(0 if field < second else None, seats=1), 1)
    assert strength.clears(0.75, 0.85).passes(result, full) is clears
    assert strength.may_clear(0.90).passes(result, full) is may
