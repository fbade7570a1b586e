"""The restart trial sees a game that does not go on, a clock that was charged, and passes with few games."""

from __future__ import annotations

from trials.restart import Report, run


def test_each_broken_promise_is_seen() -> None:
    assert Report(2, went_on=2, pauses_ms=[1.0, 2.0]).kept
    assert not Report(2, went_on=1).kept
    assert not Report(2, went_on=2, charged=1).kept
    assert not Report(2, went_on=2, begun_while_draining=1).kept
    assert not Report(2, went_on=2, pauses_ms=[1.0, 60_000.0]).kept


def test_the_pause_is_that_of_the_slowest_but_a_twentieth() -> None:
    report = Report(100, pauses_ms=[float(number) for number in range(100)])
    assert (report.pause(0.5), report.pause(0.95)) == (50, 95)


def test_a_few_games_go_on_after_a_restart() -> None:
    report = run(3)
    assert report.kept, report
    assert report.down_ms > 0
