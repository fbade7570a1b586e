"""The load: its figures know their bars, and a small round of it runs against a real server process."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import load, scenarios
from bench.load import a_server, main, unknown_to, with_the_code_of
from bench.scenarios import Figure, latencies

CHEAP = "steady"
"""The scenario that others share their ways with. `idle` is measured in two trees."""


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


@pytest.mark.parametrize(
    "name",
    [name if name == CHEAP else pytest.param(name, marks=pytest.mark.full) for name in scenarios.SCENARIOS],
)
def test_a_scenario_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "WARM_UP_SECONDS", 0.05)
    monkeypatch.setattr(scenarios, "IDLE_CONNECTIONS", 20)
    monkeypatch.setattr(scenarios, "STORM_CLIENTS", 20)
    monkeypatch.setattr(scenarios, "WATCHERS", 5)
    monkeypatch.setattr(scenarios, "MOVES_A_SECOND", 200)
    with a_server(None) as serving:
        figures = asyncio.run(scenarios.SCENARIOS[name](serving, 4, 0.2))
    assert all(figure.value >= 0 for figure in figures)
    assert any(figure.bar is not None for figure in figures)


def test_a_server_of_another_tree_runs_the_code_of_that_tree(tmp_path: Path) -> None:
    package = tmp_path / "clients" / "tablero"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("print('as it was')")
    environment = os.environ | with_the_code_of(tmp_path)
    command = [sys.executable, "-c", "import tablero"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout == "as it was\n"


def test_a_server_of_another_tree_gets_no_setting_that_it_does_not_know(tmp_path: Path) -> None:
    here = Path(__file__).parents[2]
    assert unknown_to(here) == set()
    settings = tmp_path / "server" / "tablero_server" / "settings.py"
    settings.parent.mkdir(parents=True)
    now = (here / "server" / "tablero_server" / "settings.py").read_text("utf-8")
    settings.write_text(now.replace("own_rooms_per_minute:", ""), "utf-8")
    assert unknown_to(tmp_path) == {"TABLERO_OWN_ROOMS_PER_MINUTE"}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "WARM_UP_SECONDS", 0.0)


@pytest.mark.usefixtures("hasty")
def test_two_trees_are_measured_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    here = str(Path(__file__).parents[2])
    assert main(["--rooms", "2", "--rounds", "1", "--seconds", "0.2", "--against", here]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "tablero",
        "before",
        "ratio",
    ]


@pytest.mark.parametrize("name", [pytest.param("steady", marks=pytest.mark.full), "idle"])
def test_a_scenario_is_measured_in_two_trees_in_turn(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenarios, "IDLE_CONNECTIONS", 20)
    monkeypatch.setattr(scenarios, "WARM_UP_SECONDS", 0.0)
    here = str(Path(__file__).parents[2])
    few = ["--rooms", "2", "--rounds", "1", "--seconds", "0.2"]
    assert main([*few, "--scenario", name, "--against", here, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert len(figures) == {"steady": 5, "idle": 2}[name]
    for each in figures:
        assert each["ratio"] == pytest.approx(each["ours"] / each["theirs"] if each["theirs"] else 0)


@pytest.mark.usefixtures("hasty")
def test_rooms_with_clocks_are_measured_beside_rooms_without(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rooms", "2", "--rounds", "1", "--seconds", "0.2", "--clock"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["tablero", "without", "ratio"]
