"""However long and often a journal fails, its log lines are few, and none of what was lost goes uncounted."""

from __future__ import annotations

from structlog.testing import capture_logs

from tablero_server.journal.outage import Outage

FULL = "database or disk is full"


class Minutes:
    now = 0.0

    def __call__(self) -> float:
        return self.now * 60


def test_an_outage_is_told_at_once_then_once_a_minute_with_a_count_and_when_it_is_over() -> None:
    minutes = Minutes()
    outage = Outage(minutes)
    with capture_logs() as lines:
        for tick in range(1250):  # two minutes and five seconds of a tick that saves something
            minutes.now = tick / 600
            outage.failed(FULL, 1)
        assert outage.lasts
        outage.ended()
        outage.ended()
        assert not outage.lasts
    assert [(line["event"], line["commands"]) for line in lines] == [
        ("could not save", 1),
        ("could not save", 600),
        ("could not save", 600),
        ("saves again", 49),
    ]
    assert lines[0]["why"] == FULL


def test_a_disk_that_is_full_now_and_then_is_told_of_as_rarely() -> None:
    minutes = Minutes()
    outage = Outage(minutes)
    with capture_logs() as lines:
        for tick in range(1201):
            minutes.now = tick / 600
            outage.failed(FULL, 1)
            outage.ended()
    assert [line["event"] for line in lines] == ["could not save", "saves again"] * 3
    assert sum(line["commands"] for line in lines) == 1201


def test_a_journal_that_never_failed_is_not_worth_a_line() -> None:
    with capture_logs() as lines:
        Outage().ended()
    assert lines == []
