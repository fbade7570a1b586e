"""Simulated evenings keep every promise, reach the rare branches, and are exactly repeatable."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from tests.harness.tiers import FULL
from trials.simulation.evening import Report, play
from trials.simulation.found import RARE, known

SEEDS = 2_000 if FULL else 24
IN_ORDER = 200 if FULL else 8
RARER = (
    "aborted for being away: away",
    "the journal alone knew a command",
    "withdrew for being away: claimed",
)
"""Branches that a few hundred evenings may miss."""


def fail(report: Report, fifo: str = "") -> str:
    return f"{report.failure}\nreplay it: python -m trials.simulation --seed {report.seed} --trace{fifo}"


@pytest.fixture(scope="module")
def reports() -> dict[int, Report]:
    """The reports of the first evenings, and of those that reach rare branches."""
    return {seed: play(seed) for seed in sorted({*range(SEEDS), *known("rare").values()})}


def test_every_evening_keeps_every_promise(reports: dict[int, Report]) -> None:
    for report in reports.values():
        assert report.failure is None, fail(report)


def test_the_rare_branches_were_reached(reports: dict[int, Report]) -> None:
    seeds = known("rare")
    missed = [each for each in RARE if each not in seeds or not reports[seeds[each]].reached[each]]
    assert missed == [], "say: python -m trials.simulation.found"


@pytest.mark.full
def test_the_rarest_branches_were_reached(reports: dict[int, Report]) -> None:
    reached = sum((report.reached for report in reports.values()), Counter[str]())
    assert [branch for branch in RARER if not reached[branch]] == []


def test_no_promise_rests_on_the_order_of_callbacks_alone() -> None:
    for seed in range(IN_ORDER):
        report = play(seed, fifo=True)
        assert report.failure is None, fail(report, " --fifo")


def test_an_evening_comes_again_exactly_as_it_was() -> None:
    first, again, another = play(7), play(7), play(8)
    assert first.trace == again.trace
    assert first.trace != another.trace


def test_an_evening_does_not_depend_on_how_the_process_hashes() -> None:
    traces = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-m", "trials.simulation", "--seed", "7"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        traces.add(done.stdout)
    assert len(traces) == 1
    assert "trace" in traces.pop()
