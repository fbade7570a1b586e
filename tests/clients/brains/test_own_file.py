"""Files of bots with neighbours of one name: each has its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tablero.arena.local import play_many
from tablero.brains import find_brain
from tablero.brains.own_file import load
from tests.harness.command_line import tablero

BOT = """
from helper import pick
from tablero import Bot

class Mine(Bot):
    game = "tic-tac-toe"

    def choose(self, turn):
        import later
        return turn.legal_moves[pick + later.more]
"""


def version(folder: Path, pick: int, later: int = 0) -> Path:
    folder.mkdir()
    (folder / "imp.py").write_text(BOT)
    (folder / "helper.py").write_text(f"pick = {pick}\n")
    (folder / "later.py").write_text(f"more = {later}\n")
    return folder / "imp.py"


def test_two_versions_of_a_bot_each_have_their_own_helpers(tmp_path: Path) -> None:
    first = find_brain(f"{version(tmp_path / 'v1', 0)}:Mine")
    second = find_brain(f"{version(tmp_path / 'v2', -2, 1)}:Mine")
    score = play_many(first, second, 2)
    assert [match.moves[0] for match in score.matches] == ["a1", "c3"]
    assert score.failed == []


def test_the_arena_compares_two_versions(tmp_path: Path) -> None:
    one, other = version(tmp_path / "v1", 0), version(tmp_path / "v2", -1)
    code, text = tablero(
        "arena", f"{one}:Mine", f"{other}:Mine", "--games", "2", "--json", "--records", str(tmp_path)
    )
    assert code == 0
    first, second = (
        [json.loads(line) for line in Path(file).read_text().splitlines()]
        for file in json.loads(text)["records"]
    )
    assert next(each["move"] for each in first if "move" in each) == "a1"
    assert next(each["move"] for each in second if "move" in each) == "c3"


def test_what_lies_beside_a_bot_is_found_by_nobody_else(tmp_path: Path) -> None:
    path = list(sys.path)
    load(version(tmp_path / "v1", 0))
    assert sys.path == path
    assert "helper" not in sys.modules
    with pytest.raises(ModuleNotFoundError):
        __import__("helper")


def test_a_package_beside_it_and_its_own_parts_are_found(tmp_path: Path) -> None:
    values: list[Any] = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        (folder / "parts" / "deep").mkdir(parents=True)
        (folder / "parts" / "__init__.py").write_text("from . import one\nfrom .one import value\n")
        (folder / "parts" / "one.py").write_text(f"import base\nvalue = base.number + {number}\n")
        (folder / "parts" / "deep" / "two.py").write_text(
            "def get():\n    from parts.one import value\n    return value\n"
        )
        (folder / "base.py").write_text(f"number = {number}0\n")
        (folder / "bot.py").write_text("import parts\nfrom parts.deep import two\n")
        values.append(load(folder / "bot.py"))
    assert [(each.parts.value, each.two.get()) for each in values] == [(11, 11), (22, 22)]


def test_a_bot_that_names_another_file_keeps_its_own_modules(tmp_path: Path) -> None:
    other = version(tmp_path / "v2", 2)
    outer = version(tmp_path / "v1", 1)
    outer.write_text(
        f"from pathlib import Path\nfrom tablero.brains.own_file import load\nimport helper\n"
        f"other = load(Path({str(other)!r}))\nimport helper as again\n"
    )
    module = load(outer)
    assert (module.helper.pick, module.other.pick, module.again is module.helper) == (1, 2, True)


def test_installed_packages_and_our_own_are_shared(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        "import json, tablero.bot\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\n"
    )
    module = load(file)
    assert module.json is json
    assert module.tablero.bot is sys.modules["tablero.bot"]


def test_a_neighbour_that_does_not_load_leaves_nothing_behind(tmp_path: Path) -> None:
    path = version(tmp_path / "v1", 0)
    (path.parent / "helper.py").write_text("1 / 0\n")
    before = list(sys.meta_path)
    with pytest.raises(ZeroDivisionError):
        load(path)
    assert (list(sys.meta_path), "helper" in sys.modules) == (before, False)
