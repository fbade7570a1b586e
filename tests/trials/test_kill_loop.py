"""A small version of `make kill-loop`: a real server process, killed and started again under its players."""

from __future__ import annotations

from trials.kill_loop import Report, run
from trials.kill_others import Round


async def test_a_killed_server_has_lost_nothing_and_everybody_comes_back() -> None:
    report = await run(kills=2, moves=0, pairs=3, others=0, database=None, seed=8470)
    assert report.kept, report
    assert report.resumed == 6
    assert report.findings.acknowledged > 10
    assert report.outages


def test_a_broken_promise_breaks_the_report() -> None:
    assert Report(1, 2, resumed=2).kept
    assert not Report(1, 2, resumed=1).kept
    assert not Report(1, 2, resumed=2, integrity="row 3 missing").kept
    assert not Report(1, 2, resumed=2, others=[Round("x", broken=["y"])]).kept
