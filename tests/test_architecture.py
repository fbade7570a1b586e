"""The tours in docs/architecture.md: every step is in the code, and traced ways match the page."""

from __future__ import annotations

import asyncio
import re
from importlib import import_module
from operator import attrgetter

import pytest

from bench.walk import Walk, walks
from tests.harness.tree import FOLDERS, ROOT

PACKAGE_OF = {folder.name: package for package, folder in FOLDERS.items()}
HOP = re.compile(r"^\d+\. `([\w/]+)\.py` `([\w.]+)`: ", re.MULTILINE)
TRACED = {
    "A turn": "playTurn",
    "From an entry to the sockets": "playTurn",
    "A join": "join by an invitation",
    "A resume": "resume",
    "A commit that fails": "failed commit",
    "A bot's thought": "a bot's turn",
    "A typed line": "a typed line",
    "A key press": "a key press",
}
"""The command whose trace follows each tour."""
MOST_HOPS = 10


def tours() -> dict[str, list[tuple[str, str]]]:
    """The steps of each section that has some: a module as the page names it, and the called function."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    sections = re.split(r"^## (.+)$", page, flags=re.MULTILINE)[1:]
    found = {title: HOP.findall(text) for title, text in zip(sections[::2], sections[1::2], strict=True)}
    return {title: hops for title, hops in found.items() if hops}


TOURS = tours()
HOPS = [(title, *hop) for title, hops in TOURS.items() for hop in hops]


@pytest.fixture(scope="module")
def traces() -> dict[str, Walk]:
    return asyncio.run(walks(rounds=1, steps=dict.fromkeys(TRACED.values())))


def test_the_page_has_the_ways_that_a_reader_asks_for() -> None:
    assert list(TRACED) == list(TOURS)
    assert all(3 <= len(hops) <= MOST_HOPS for hops in TOURS.values())


@pytest.mark.parametrize(("title", "module", "name"), HOPS, ids=lambda each: each)
def test_a_hop_is_where_the_page_says(title: str, module: str, name: str) -> None:
    folder, _, rest = module.partition("/")
    found = import_module(f"{PACKAGE_OF[folder]}.{rest.replace('/', '.')}")
    called = attrgetter(name)(found)
    assert callable(called)
    assert called.__module__ == found.__name__, f"{name} is only imported there"


@pytest.mark.parametrize("title", TRACED)
def test_the_way_is_gone_as_the_page_tells_it(title: str, traces: dict[str, Walk]) -> None:
    called = traces[TRACED[title]].names()
    places = [called.index(f"{module.rpartition('/')[2]}.{name}") for module, name in TOURS[title]]
    assert places == sorted(places)
