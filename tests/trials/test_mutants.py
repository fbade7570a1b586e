"""The trial of mutants: what kills one, what does not, and how two runs compare."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from trials.mutants import PARTS, Copy, Fate, Limits, Module, Ran, killer, main, read, table, wait
from trials.mutations import Mutant, mutants

FAILED = Ran(1, "FAILED tests/test_slow.py::test_it[a b] - assert 1 == 2\n1 failed", 0.1, 0.1)
PASSED = Ran(0, "1 passed", 0.1, 0.1)
MODULES = [Module("tests/test_slow.py", 2.0, 4.0, {}), Module("tests/test_quick.py", 1.0, 5.0, {})]


class Script:
    """Runs of pytest that end as they are told to."""

    def __init__(self, *ends: Ran) -> None:
        self.ends = [*ends]
        self.asked: list[tuple[str, Limits]] = []

    def __call__(self, module: str, limits: Limits) -> Ran:
        self.asked.append((module, limits))
        return self.ends.pop(0)


def test_the_cheapest_module_comes_first() -> None:
    script = Script(PASSED, PASSED)
    assert killer(script, MODULES) == ""
    assert script.asked == [
        ("tests/test_quick.py", Limits(13.0, 145.0)),
        ("tests/test_slow.py", Limits(16.0, 140.0)),
    ]


def test_a_test_that_fails_twice_kills() -> None:
    script = Script(FAILED, FAILED)
    assert killer(script, MODULES) == "tests/test_slow.py::test_it[a b]"
    assert [module for module, _ in script.asked] == ["tests/test_quick.py"] * 2


def test_a_test_that_fails_once_kills_nothing() -> None:
    script = Script(FAILED, PASSED, PASSED)
    assert killer(script, MODULES) == ""
    assert [module for module, _ in script.asked][1:] == ["tests/test_quick.py", "tests/test_slow.py"]


@pytest.mark.parametrize(
    ("end", "by"),
    [
        (Ran(5, "no tests ran", 0.1, 0.1), ""),
        (Ran(-signal.SIGXCPU, "", 13.0, 20.0), "tests/test_quick.py hangs"),
        (Ran(-signal.SIGKILL, "", 0.0, 145.0), "tests/test_quick.py hangs"),
        (Ran(-signal.SIGSEGV, "", 0.1, 0.1), "tests/test_quick.py ends with -11"),
    ],
)
def test_a_run_without_a_failed_test(end: Ran, by: str) -> None:
    assert killer(Script(end, end), MODULES[1:]) == by


RULES = """\
def winner(points):
    if points >= 3:
        return "you"
    return nobody(points)


def nobody(points):
    return points - points


def unused(points):
    return points > 3
"""
TESTS = """\
from tablero_games.rules import winner

def test_three_points_win():
    assert winner(3) == "you"
    assert not winner(2)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project whose tests miss something."""
    package, tests = (tmp_path / "project" / folder for folder in PARTS["games"])
    for folder in (package, tests):
        folder.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(RULES)
    (tests / "test_rules.py").write_text(TESTS)
    (tmp_path / "project" / "pytest.ini").touch()
    return tmp_path / "project"


def comparisons_in(function: str) -> list[Mutant]:
    found = mutants("games/tablero_games/rules.py", RULES)
    return [each for each in found if each.kind == "comparison" and each.function == function]


def test_a_mutant_meets_the_tests_that_execute_it(tree: Path, tmp_path: Path) -> None:
    copy = Copy(tree, tmp_path)
    modules = [*copy.executed(PARTS["games"])]
    assert [(each.path, sorted(each.lines["games/tablero_games/rules.py"])) for each in modules] == [
        ("tests/games/test_rules.py", [1, 2, 3, 4, 7, 8, 11])
    ]
    [mutant] = comparisons_in("winner")
    fate = copy.meet("games", mutant, modules)
    assert (fate.line, fate.by) == (2, "tests/games/test_rules.py::test_three_points_win")
    assert (copy.folder / "games/tablero_games/rules.py").read_text() == RULES


def test_a_mutant_that_no_test_executes_survives_without_a_run(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [mutant] = comparisons_in("unused")
    module = Module("tests/games/test_rules.py", 1.0, 1.0, {mutant.path: frozenset([1, 2, 3])})
    copy = Copy(tree, tmp_path)
    monkeypatch.setattr(copy, "run", None)
    fate = copy.meet("games", mutant, [module])
    assert fate == Fate(mutant, "games", 12, False, "", 0, fate.seconds)


@pytest.mark.parametrize(
    ("code", "limits"),
    [
        pytest.param("import time; time.sleep(60)", Limits(60, 0.05), id="waits"),
    ],
)
def test_what_takes_too_long_hangs(tree: Path, tmp_path: Path, code: str, limits: Limits) -> None:
    ran = Copy(tree, tmp_path).run(["-c", code], limits)
    assert ran.hung
    assert ran.failed


def test_time_counts_second_by_second() -> None:
    waited = []

    def process(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) < 3:
            raise subprocess.TimeoutExpired("pytest", seconds)

    wait(process, 2.0)
    assert waited == [1, 1]
    wait(process, 2.0)
    assert waited == [1, 1, 1]


def test_what_a_run_has_started_ends_with_it(tree: Path, tmp_path: Path) -> None:
    """A child that lives on would keep the pipe open."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    waiting = "[sys.executable, '-c', 'import time; time.sleep(60)']"
    child = f"subprocess.Popen({waiting}, stdout=open({str(pipe)!r}, 'w'))"
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert Copy(tree, tmp_path).run(["-c", f"import subprocess, sys; {child}"], Limits(60, 60)).code == 0
        assert select.select([reading], [], [], 10)[0] == [reading]
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)


def fates(killed: int, all_of_them: int) -> list[Fate]:
    mutant = Mutant("constant", "games/a.py", 1, "f", "x = 7\n", "x = 0\n")
    return [
        Fate(replace(mutant, line=n + 1), "games", n + 1, n < killed, "test" * (n < killed), 1, 0.5)
        for n in range(all_of_them)
    ]


def saved(file: Path, found: Sequence[Fate]) -> str:
    file.write_text("".join(json.dumps(each.to_json()) + "\n" for each in found))
    return str(file)


def test_mutants_are_read_as_they_were_written(tmp_path: Path) -> None:
    assert read(Path(saved(tmp_path / "a.json", fates(1, 2)))) == fates(1, 2)


def test_the_table_has_shares_and_what_survived() -> None:
    first, second, *_ = table([*fates(90, 91), replace(fates(0, 1)[0], line=None)])
    assert first == "games      90 of   91 killed,  98.9%, 95 % interval 94.0% to 99.8%"
    assert second.startswith("all ")
    assert [line.split(":")[0] for line in table(fates(1, 2))][2:] == ["survived; 1 test modules execute it"]
    assert "not there" in [*table([replace(fates(0, 1)[0], line=None)])][-1]


@pytest.mark.parametrize(("killed", "code"), [(90, 0), (83, 0), (82, 1)])
def test_fewer_kills_than_chance_allows_are_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], killed: int, code: int
) -> None:
    """The interval of 90 of 100 begins at 82.6 %. A mutant that is in one state only does not count."""
    before, after = fates(90, 101), fates(killed, 100)
    files = [saved(tmp_path / name, found) for name, found in (("before", before), ("after", after))]
    assert main(["--compare", *files]) == code
    assert f"killed only before: {90 - killed}\n" in capsys.readouterr().out
