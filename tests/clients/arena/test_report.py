"""A contest told: numbers for programs, sentences for people, failures to be tried again, and a page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from tablero.arena.plan import Contest
from tablero.arena.report import failures_of, percent, to_html, to_json, to_text, told_elo, told_score
from tablero.arena.result import Result
from tablero.arena.score import Score
from tablero.arena.statistics import Sprt
from tablero.bot import Failure
from tests.harness.arena import RANDOM, ended


def result_of(*winners: int | None, contest: Contest | None = None, sprt: Sprt | None = None) -> Result:
    """Of two, the first of whom sits on seat 0 and 1 in turn."""
    contest = contest or Contest("tic-tac-toe", (RANDOM, RANDOM), len(winners), seed=7)
    result = Result(contest, sprt)
    for task, winner in zip(contest.tasks(), winners, strict=False):
        result.add(task, ended(winner))
    return result


def test_it_can_be_written_as_json_and_two_are_told_at_the_top() -> None:
    told = to_json(result_of(0, 1, None, None), 1.5)
    assert json.loads(json.dumps(told)) == told
    assert (told["seed"], told["seconds"], told["games"]) == (7, 1.5, 4)
    assert (told["wins"], told["draws"], told["losses"]) == (2, 2, 0)
    assert told["pairs"][0].items() <= told.items()
    assert [each["points"] for each in told["standings"]] == [3, 1]


def test_of_three_each_pair_is_told_apart_and_none_at_the_top() -> None:
    contest = Contest("tic-tac-toe", (RANDOM, RANDOM, "tic-tac-toe:perfect"), 2)
    result = Result(contest)
    for task in contest.tasks():
        result.add(task, ended(0))
    told = to_json(result, 0)
    assert [pair["games"] for pair in told["pairs"]] == [2, 2, 2]
    assert "wins" not in told
    assert to_text(result, 0).splitlines()[0].split() == ["games", "points", "share", "failed"]


def failing() -> Result:
    contest = Contest("tic-tac-toe", (RANDOM, "tic-tac-toe:perfect"), 2, seed=7)
    result = Result(contest)
    for task, winner in zip(contest.tasks(), (1, 0), strict=True):
        result.add(task, ended(winner, failed=1 - winner))
    return result


def test_a_failure_says_who_where_and_how_to_see_it_again() -> None:
    found = failures_of(failing(), (0, 1), {0: "0.jsonl"})
    assert [(each["name"], each["seat"], each["number"]) for each in found] == [
        (RANDOM, 0, 0),
        (RANDOM, 1, 1),
    ]
    assert [each["record"] for each in found] == ["0.jsonl", None]
    text = to_text(failing(), 0)
    assert f"{RANDOM} crashed in game 0: No." in text
    assert "  of these 2 crashed, 0 illegal, 0 timeout." in text


def test_a_sequential_test_is_told_with_its_bounds() -> None:
    result = result_of(*[0, 1] * 60, sprt=Sprt(0, 200))
    told = to_json(result, 0)["sprt"]
    assert (told["elo0"], told["elo1"], told["verdict"]) == (0, 200, "accepted")
    low, high = told["bounds"]
    assert low < 0 < high < told["llr"]
    assert "Elo 200 rather than 0: accepted (LLR" in to_text(result, 0)
    assert "sprt" not in to_json(result_of(0, 1), 0)


def score_of(wins: int, losses: int, *, solo: bool = False) -> Score:
    score = Score(solo=solo)
    for _ in range(wins):
        score.add(ended(0), 0)
    for _ in range(losses):
        score.add(ended(1), 0)
    return score


@pytest.mark.parametrize(
    ("wins", "losses", "middle", "end"),
    [(4, 0, "∞ (", "to ∞)"), (0, 4, "-∞ (-∞ to", ")"), (10, 10, "+0 (-", ")")],
)
def test_what_has_no_bound_is_infinite(wins: int, losses: int, middle: str, end: str) -> None:
    told = told_elo(score_of(wins, losses))
    assert told.startswith(middle)
    assert told.endswith(end)


def test_one_pair_is_told_in_a_sentence() -> None:
    [line] = told_score(score_of(3, 1), "Ana", "Bo")
    assert line.startswith("Ana against Bo, 4 games: 3 won, 0 drawn, 1 lost (75.0 %, ")


def test_alone_it_is_fields_and_who_cleared_how_many() -> None:
    score = Score(solo=True)
    for side, winner in ((0, 0), (1, None)):
        score.add(ended(winner, seats=1), side)
    first, second = told_score(score, "Ana", "Bo")
    assert "1 fields: 1 better, 0 equal, 0 worse" in first
    assert second == "  cleared: Ana 1, Bo 0."


def test_a_share_is_told_to_a_tenth() -> None:
    assert [percent(share) for share in (0, 0.12345, 1)] == ["0.0 %", "12.3 %", "100.0 %"]


EVIL = '<script>alert("x")</script>&'


def shown(sprt: Sprt | None = None, failed: bool = False) -> Result:
    contest = Contest("tic-tac-toe", (RANDOM, "tic-tac-toe:perfect"), 4, seed=7)
    result = Result(contest, sprt)
    for task, winner in zip(contest.tasks(), (0, 1, None, 0), strict=True):
        match = replace(ended(winner), thoughts=((0.5, 0.00005), (20.0,)))
        if failed:
            match = replace(match, failures={0: Failure("crashed", EVIL)})
        result.add(task, match)
    return result


def cells(html: str, heading: str) -> list[list[str]]:
    """The table under a heading, each cell as it reads."""
    table = html.split(f"<h2>{heading}</h2>")[1].split("</table>")[0] + "</table>"
    rows = ElementTree.fromstring(table[table.index("<table>") :].replace("<br>", " ")).iter("tr")
    return [["".join(cell.itertext()).strip() for cell in row] for row in rows]


def test_the_page_stands_alone() -> None:
    html = to_html(shown(failed=True), 1.0)
    assert html.startswith("<!doctype html>")
    assert not re.search(r"<script|<link|<img|src=|href=|url\(|@import|https?:", html)
    assert "default-src 'none'" in html


def test_the_standings_have_a_row_for_each() -> None:
    head, first, second = cells(to_html(shown(), 1.0), "Standings")
    assert head == ["bot", "games", "points", "share", "failed"]
    assert (first[:3], second[:3]) == ([RANDOM, "4", "2.5"], ["tic-tac-toe:perfect", "4", "1.5"])


def test_each_cross_is_told_from_both_sides() -> None:
    _, first, second = cells(to_html(shown(), 1.0), "Each against each")
    assert first[1] == second[2] == ""
    assert first[2].startswith("2 / 1 / 1 Elo ")
    assert second[1] == "1 / 1 / 2"


def test_thoughts_are_counted_by_how_long_they_took() -> None:
    head, first, _ = cells(to_html(shown(), 1.0), "Seconds a thought")
    assert head[-2:] == ["longer", "longest"]
    assert first[1] == "2", "two games on the first seat, a short thought in each"
    assert first[-1] == "20.000"


@pytest.mark.parametrize("failed", [True, False])
def test_failures_are_shown_as_text(failed: bool) -> None:
    html = to_html(shown(failed=failed), 1.0, {0: f"{EVIL}.jsonl"})
    assert EVIL not in html
    if failed:
        head, row, *_ = cells(html, "Failures")
        assert dict(zip(head, row, strict=True))["why"] == EVIL
        assert dict(zip(head, row, strict=True))["record"] == f"{EVIL}.jsonl"
    else:
        assert "<p>None.</p>" in html


def test_a_sequential_test_is_told_with_its_verdict() -> None:
    result = shown(Sprt(0, 30))
    assert f"Elo 30 rather than 0: <b>{result.verdict}</b>." in to_html(result, 1.0)
    assert "rather than" not in to_html(shown(), 1.0)
