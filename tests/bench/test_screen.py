"""The measure of the full screen measures something."""

from __future__ import annotations

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("It reads memory from /proc", allow_module_level=True)

from bench.screen import Figures, measure


def test_figures_are_told_in_lines() -> None:
    told = Figures([0.2, 0.2], [0.4, 0.4], [0.01] * 20, 60.0).lines()
    assert told[0] == "first picture of a cold process: 400 ms median of 2"
    assert told[1].endswith("2.00 times that")
    assert "10.0 ms median, 10.0 ms p95 of 20" in told[2]


def test_it_is_measured_in_a_terminal_at_a_real_server() -> None:
    figures = measure(rounds=1, keys=2)
    assert figures.first[0] > 0.05
    assert len(figures.keys) == 2
    assert figures.rss > 20
