"""A contest as a page: every figure is there, and nothing of what a bot says is read as HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from tablero.arena.page import to_html
from tablero.arena.plan import Contest
from tablero.arena.result import Result
from tablero.arena.statistics import Sprt
from tablero.bot import Failure
from tests.harness.arena import RANDOM, ended

EVIL = '<script>alert("x")</script>&'


def result_of(sprt: Sprt | None = None, failed: bool = False) -> Result:
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


def test_it_stands_alone() -> None:
    html = to_html(result_of(failed=True), 1.0)
    assert html.startswith("<!doctype html>")
    assert not re.search(r"<script|<link|<img|src=|href=|url\(|@import|https?:", html)
    assert "default-src 'none'" in html


def test_the_standings_have_a_row_for_each() -> None:
    head, first, second = cells(to_html(result_of(), 1.0), "Standings")
    assert head == ["bot", "games", "points", "share", "failed"]
    assert (first[:3], second[:3]) == ([RANDOM, "4", "2.5"], ["tic-tac-toe:perfect", "4", "1.5"])


def test_each_cross_is_told_from_both_sides() -> None:
    _, first, second = cells(to_html(result_of(), 1.0), "Each against each")
    assert first[1] == second[2] == ""
    assert first[2].startswith("2 / 1 / 1 Elo ")
    assert second[1] == "1 / 1 / 2"


def test_thoughts_are_counted_by_how_long_they_took() -> None:
    head, first, _ = cells(to_html(result_of(), 1.0), "Seconds a thought")
    assert head[-2:] == ["longer", "longest"]
    assert first[1] == "2", "two games on the first seat, a short thought in each"
    assert first[-1] == "20.000"


@pytest.mark.parametrize("failed", [True, False])
def test_failures_are_shown_as_text(failed: bool) -> None:
    html = to_html(result_of(failed=failed), 1.0, {0: f"{EVIL}.jsonl"})
    assert EVIL not in html
    if failed:
        head, row, *_ = cells(html, "Failures")
        assert dict(zip(head, row, strict=True))["why"] == EVIL
        assert dict(zip(head, row, strict=True))["record"] == f"{EVIL}.jsonl"
    else:
        assert "<p>None.</p>" in html


def test_a_sequential_test_is_told_with_its_verdict() -> None:
    result = result_of(Sprt(0, 30))
    assert f"Elo 30 rather than 0: <b>{result.verdict}</b>." in to_html(result, 1.0)
    assert "rather than" not in to_html(result_of(), 1.0)
