"""Simulated evenings keep every promise, reach the rare branches, and come again exactly as they were."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from tests.harness.tiers import FULL
from trials.simulation.evening import Report, play

SEEDS = 2_000 if FULL else 120
RARE = (
    "a captured frame came again on its socket",
    "a client crashed",
    "a client gave a living line up",
    "a client read too slowly",
    "a command came again after its room had closed in another life",
    "a command came again after its room had closed",
    "a commit failed in part",
    "a commit failed",
    "a commit took long",
    "a clock was charged",
    "a crash with a commit under way",
    "a first move was not made",
    "a flag fell",
    "a game ended",
    "a game paused",
    "a game went on after a pause",
    "a line was half open",
    "a move was taken back",
    "a phrase was said",
    "a player came twice",
    "a player stayed away",
    "a rematch began",
    "a snapshot came",
    "a start could not be written down",
    "a slow line was given time back",
    "a stale turn was refused with what was missed",
    "captured frames came again on another socket",
    "days passed without a server",
    "everything stood still",
    "refused: forbidden",
    "refused: paused",
    "refused: noTakeback",
    "refused: notAway",
    "refused: retryLater",
    "refused: stale",
    "refused: unknownOffer",
    "several commands in one commit",
    "somebody muted was not heard",
    "the server gave a silent client up",
    "the server restarted in order",
    "two who sought were brought together",
    "withdrew for being away: gone",
)

RARER = (
    "aborted for being away: away",
    "the journal alone knew a command",
    "withdrew for being away: claimed",
)
"""Branches that a few hundred evenings need not reach."""


def fail(report: Report, fifo: str = "") -> str:
    return f"{report.failure}\nreplay it: python -m trials.simulation --seed {report.seed} --trace{fifo}"


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    return [play(seed) for seed in range(SEEDS)]


def test_every_evening_keeps_every_promise(reports: list[Report]) -> None:
    for report in reports:
        assert report.failure is None, fail(report)


def test_the_rare_branches_were_reached(reports: list[Report]) -> None:
    reached = sum((report.reached for report in reports), Counter[str]())
    wanted = RARE + RARER if FULL else RARE
    assert [branch for branch in wanted if not reached[branch]] == []


def test_no_promise_rests_on_the_order_of_callbacks_alone() -> None:
    for seed in range(SEEDS // 10):
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
