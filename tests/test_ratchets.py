"""The figures of the source stay within `tests/ratchets.toml`, whose bounds only go down."""

from __future__ import annotations

from inspect import getattr_static
from types import FunctionType

import pytest

from bench.tree import CODE, lines, sources
from tablero_server.core.effects import Effects
from tests.harness.ratchets import BOUNDS, complaints, hold
from tests.harness.tree import ROOT, Module, modules
from tests.layers import cross_imports, in_cycles, is_within, with_one_importer


def flat_in(package: str, found: list[Module]) -> int:
    return sum(not each.is_package and each.name.rpartition(".")[0] == package for each in found)


def fields_of(value: object) -> list[str]:
    """The fields of a class: neither methods nor properties."""
    computed = FunctionType | property
    names = [name for name in dir(value) if not name.startswith("_")]
    return [name for name in names if not isinstance(getattr_static(value, name), computed)]


def test_the_source_stays_within_its_bounds() -> None:
    found = modules()
    core = [module for module in found if is_within(module.name, "tablero_server.core")]
    lonely = [name for name in with_one_importer(found) if name.startswith(("tablero_server.", "tablero."))]
    code = sum(lines(sources(ROOT / folder)) for folder in CODE)
    shared_elsewhere = cross_imports()
    print(*shared_elsewhere, sep="\n")  # shown if this test fails
    figures = {
        "modules at the root of tablero_server": flat_in("tablero_server", found),
        "modules flat in tablero_server.core": flat_in("tablero_server.core", found),
        "modules of server and clients with one importer": len(lonely),
        "modules of tablero_server.core in import cycles": len(in_cycles(core)),
        "imports from test modules": len(shared_elsewhere),
        "fields of Effects": len(fields_of(Effects())),
        "lines of roll_back.py": lines([ROOT / "server/tablero_server/journal/roll_back.py"]),
        "lines of tests per line of code": round(lines(sources(ROOT / "tests")) / code, 2),
    }
    hold(figures, BOUNDS["source"])


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (101, "hops: 101 is above its bound of 100"),
        (94, "hops: lower its bound of 100 in the same commit, to 94"),
    ],
)
def test_a_figure_above_its_bound_or_well_below_it_is_complained_about(figure: float, said: str) -> None:
    assert complaints({"hops": figure}, {"hops": 100}) == [said]


@pytest.mark.parametrize("figure", [100, 95])
def test_a_figure_at_its_bound_or_just_below_it_is_fine(figure: float) -> None:
    assert complaints({"hops": figure}, {"hops": 100}) == []


def test_each_figure_has_a_bound_and_each_bound_a_figure() -> None:
    assert complaints({"new": 7}, {"old": 3}) == [
        "old: remove its bound, nothing counts it",
        "new: give it a bound in tests/ratchets.toml: 7",
    ]
