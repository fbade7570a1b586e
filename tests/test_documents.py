"""docs/documents.md, which maps the five documents to the code, names only existing code and tests."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tablero.brains import bundled
from tablero_games import GAMES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/documents.md").read_text("utf-8")
ROW = re.compile(r"^\| (?P<name>[^|]+) \| (?P<here>[^|]+) \| (?P<test>[^|]+) \|$", re.MULTILINE)
SECTION = re.compile(r"^## Document (\d{3}): (.+)$", re.MULTILINE)
ROWS = [row for row in ROW.finditer(PAGE) if "`" in row["here"]]


ITEMS = re.findall(
    r"^# Document (\d{3})\n((?:[^#\n].*\n)+)", (ROOT / "tests/documents.txt").read_text("utf-8"), re.M
)
"""The items of each document: its functions, levels, steps, rules, criteria and figures, listed by hand."""


def code_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_there_is_a_section_for_each_of_the_five_documents() -> None:
    assert [number for number, _ in SECTION.findall(PAGE)] == ["000", "001", "002", "003", "004"]
    for _, text in zip(SECTION.findall(PAGE), SECTION.split(PAGE)[3::3], strict=True):
        assert len(ROW.findall(text)) > 10


@pytest.mark.parametrize(("number", "items"), ITEMS, ids=[number for number, _ in ITEMS])
def test_whatever_is_in_a_document_has_a_row(number: str, items: str) -> None:
    section = dict(
        zip([number for number, _ in SECTION.findall(PAGE)], SECTION.split(PAGE)[3::3], strict=True)
    )
    names = [row["name"] for row in ROW.finditer(section[number])]
    assert [item for item in items.splitlines() if not any(item in name for name in names)] == []


def test_the_items_of_all_documents_are_listed() -> None:
    assert [number for number, _ in ITEMS] == ["000", "001", "002", "003", "004"]
    assert all(len(items.splitlines()) > 20 for _, items in ITEMS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_each_row_leads_to_a_name_that_exists(row: re.Match[str]) -> None:
    places = code_in(row["here"])
    assert places
    for place in places:
        module, _, name = place.partition(":")
        found = import_module(module)
        for part in name.split("."):
            # A field of a dataclass without a default is not an attribute of its class.
            fields = getattr(found, "__dataclass_fields__", {}) | getattr(found, "__annotations__", {})
            found = getattr(found, part) if hasattr(found, part) else fields[part]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_each_row_leads_to_a_test_that_exists(row: re.Match[str]) -> None:
    tests = code_in(row["test"])
    assert tests
    for test in tests:
        file, _, name = test.partition("::")
        assert name.startswith("test_")
        assert name in names_in(file)


def test_no_row_is_without_a_place_and_a_test() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    heads = sum(line.startswith("| in the document |") for line in lines)
    assert heads == 5
    assert len(lines) == len(ROWS) + heads


def test_no_level_is_credited_to_a_document_that_does_not_have_it() -> None:
    elsewhere = {row["name"] for row in ROWS if "not in the document" in row["name"]}
    for name in {code for cell in elsewhere for code in code_in(cell) if ":" in code}:
        game, _, level = name.partition(":")
        assert not bundled()[game][level].document, name


def test_every_level_that_comes_from_a_document_is_on_the_page() -> None:
    sections = dict(zip(["000", "001", "002", "003", "004"], SECTION.split(PAGE)[3::3], strict=True))
    for game in GAMES:
        for name, level in bundled()[game].items():
            if level.document:
                assert f"`{game}:{name}`" in sections[level.document], f"{game}:{name}"
