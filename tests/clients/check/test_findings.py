"""What a check found: for each thing the worst, as text and as JSON, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablero.check.findings import CHECKS, Finding, Report, Severity, written_otherwise

PAGE = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")


def test_the_worst_and_then_the_first_is_what_counts() -> None:
    report = Report("x")
    report.warn("time", "slow")
    report.ok("time", "fast")
    report.ok("found", "there")
    assert [each.sentence for each in report.findings] == ["there", "slow"]
    assert (report.verdict, report.exit_code) == (Severity.WARN, 0)
    report.fail("time", "late")
    report.fail("time", "later")
    assert [each.sentence for each in report.findings] == ["there", "late"]
    assert (report.verdict, report.exit_code) == (Severity.FAIL, 1)
    assert str(report).endswith("x is not ready to play.")


def test_every_finding_has_its_row() -> None:
    for id, what in CHECKS.items():
        assert f"| `{id}` | {what} |" in PAGE


def test_findings_stand_in_the_order_of_the_checks_however_they_came() -> None:
    report = Report("x")
    for id in reversed(CHECKS):
        report.ok(id, id)
    assert [each.id for each in report.findings] == list(CHECKS)


def test_a_finding_that_nobody_knows_is_a_mistake() -> None:
    with pytest.raises(AssertionError):
        Report("x").ok("weather", "It rains.")


def test_whoever_listens_hears_every_finding_as_it_comes() -> None:
    heard: list[Finding] = []
    report = Report("x", heard.append)
    report.fail("time", "late")
    report.ok("time", "fast")
    assert [each.sentence for each in heard] == ["late", "fast"]


@pytest.mark.parametrize(
    ("verdict", "code", "closing"),
    [
        (Severity.OK, 0, "x is fine."),
        (Severity.WARN, 0, "x can play; see the warnings."),
        (Severity.FAIL, 1, "x is not ready to play."),
    ],
)
def test_only_a_failure_ends_with_1(verdict: Severity, code: int, closing: str) -> None:
    report = Report("x")
    report.note(Finding("time", verdict, "So it is."))
    assert (report.exit_code, str(report).splitlines()[-1]) == (code, closing)
    assert str(report).splitlines()[0].split() == [verdict.name.lower(), "time", "So", "it", "is."]
    told = report.to_json()
    assert json.loads(json.dumps(told)) == told
    assert told["verdict"] == told["findings"][0]["verdict"] == verdict.name.lower()


def test_a_report_of_nothing_is_fine() -> None:
    assert (Report("x").verdict, Report("x").exit_code, Report("x").findings) == (Severity.OK, 0, [])


def test_a_move_in_another_spelling_is_shown_beside_the_right_one() -> None:
    said = written_otherwise("quoridor, seat 0", "E2", "e2", "legalMoves")
    assert said.startswith("quoridor, seat 0: It wrote 'E2'; the move is 'e2', as legalMoves lists it.")
