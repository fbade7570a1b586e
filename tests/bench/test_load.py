"""The load: its figures know their bars, and a small round of it runs against a real server process."""

from __future__ import annotations

import asyncio

import pytest

from bench import scenarios
from bench.load import a_server
from bench.scenarios import Figure, latencies


def test_a_figure_is_held_to_its_bar() -> None:
    assert Figure("x", 5, "ms", 5).passed
    assert not Figure("x", 5.1, "ms", 5).passed
    assert Figure("x", 5, "joins", 5, at_least=True).passed
    assert not Figure("x", 4.9, "joins", 5, at_least=True).passed
    assert Figure("x", 1e9, "ms").passed
    assert "FAIL" in str(Figure("x", 5.1, "ms", 5))
    assert "PASS" in str(Figure("x", 5, "ms", 5))


def test_latencies_are_told_in_milliseconds() -> None:
    median, worst = latencies("a move", [n / 1000 for n in range(1, 102)], None, None)
    assert (median.value, median.unit) == (51, "ms")
    assert worst.value == pytest.approx(100, abs=1)


@pytest.mark.slow
def test_each_scenario_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "WARM_UP_SECONDS", 0.1)
    monkeypatch.setattr(scenarios, "IDLE_CONNECTIONS", 20)
    monkeypatch.setattr(scenarios, "STORM_CLIENTS", 20)
    monkeypatch.setattr(scenarios, "WATCHERS", 5)
    monkeypatch.setattr(scenarios, "MOVES_A_SECOND", 200)
    with a_server(None) as serving:
        for scenario in scenarios.SCENARIOS.values():
            figures = asyncio.run(scenario(serving, 4, 0.2))
            assert all(figure.value >= 0 for figure in figures)
            assert any(figure.bar is not None for figure in figures)
