"""The table of tiers: which tests and lines count as those that only FULL=1 runs."""

from __future__ import annotations

from pathlib import Path

from bench.tiers import Test, Tiers, by_folder, collect, count

SOURCE = """\
import os

import pytest

FULL = pytest.mark.skipif(not os.environ.get("FULL"), reason="long")


def test_short(): ...


@FULL
def test_long():
    pass


@pytest.mark.parametrize("size", [1, pytest.param(2, marks=FULL)])
def test_both(size): ...


@pytest.mark.skip(reason="there is no such program")
def test_neither(): ...
"""
PATH = "tests/games/test_it.py"
FOUND = [
    ("test_short", 8),
    ("test_long", 11),
    ("test_both[1]", 16),
    ("test_both[2]", 16),
    ("test_neither", 20),
]


def found(*running: str) -> list[Test]:
    return [Test(f"{PATH}::{name}", PATH, line, name in running) for name, line in FOUND]


USUAL = found("test_short", "test_both[1]")
FULL = found("test_short", "test_long", "test_both[1]", "test_both[2]")


def test_what_runs_only_in_full_counts_apart() -> None:
    counted = count({PATH: SOURCE}, USUAL, FULL)
    assert counted == {PATH: Tiers(tests=3, only_full=2, lines=18, lines_only_full=3)}


def test_a_test_that_is_only_there_in_full_counts_apart() -> None:
    usual = [test for test in USUAL if test.runs]
    assert count({PATH: SOURCE}, usual, FULL)[PATH].only_full == 2


def test_files_without_tests_have_lines() -> None:
    assert count({"tests/harness/desk.py": "a = 1\n"}, [], []) == {"tests/harness/desk.py": Tiers(lines=1)}


def test_folders_are_added_up() -> None:
    files = {"tests/a/b/c/test_x.py": Tiers(1, 2, 3, 4), "tests/a/b/test_y.py": Tiers(10, 20, 30, 40)}
    assert by_folder(files | {"tests/z.py": Tiers(lines=5)}) == {
        "tests/a/b": Tiers(11, 22, 33, 44),
        "tests": Tiers(lines=5),
        "all": Tiers(11, 22, 38, 44),
    }


def test_pytest_says_which_tests_run(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / PATH).parent.mkdir(parents=True)
    (tmp_path / PATH).write_text(SOURCE)
    for full, expected in ((False, USUAL), (True, FULL)):
        assert sorted(collect(tmp_path, full), key=str) == sorted(expected, key=str)
