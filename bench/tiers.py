"""Count tests and lines of tests in each folder: those that always run, and those that only FULL=1 runs.

`python -m bench.tiers [--tree TREE] [--json]` asks pytest for both kinds of tests, in this tree or another.
Each case of a table is a test. A line counts for FULL=1 if its test function runs only there.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("tests", "trials")
_COLLECT = "--collect"


@dataclass(frozen=True)
class Test:
    """One test case, with its first line and whether it runs."""

    id: str
    path: str
    line: int
    runs: bool

    __test__ = False


@dataclass
class Tiers:
    tests: int = 0
    only_full: int = 0
    lines: int = 0
    lines_only_full: int = 0

    def add(self, other: Tiers) -> None:
        self.tests += other.tests
        self.only_full += other.only_full
        self.lines += other.lines
        self.lines_only_full += other.lines_only_full


class Collected:
    """A pytest plugin that writes down the collected tests. It runs in the counted tree."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            path = item.nodeid.partition("::")[0]
            own = item.location[0] == path  # for a state machine's test the code is in Hypothesis
            print(
                _COLLECT,
                json.dumps([item.nodeid, path, (item.location[1] or 0) + 1 if own else 0, runs(item)]),
            )


def runs(item: pytest.Item) -> bool:
    conditions = [mark.args[0] for mark in item.iter_markers("skipif") if mark.args]
    return not any(conditions) and item.get_closest_marker("skip") is None


def collect(tree: Path, full: bool) -> list[Test]:
    """The tests of a tier. FULL=1 includes the usual tests."""
    packages = (str(tree / folder) for folder in ("", "protocol", "games", "server", "clients"))
    environment = {**os.environ, "FULL": "1" if full else "", "PYTHONPATH": os.pathsep.join(packages)}
    command = [sys.executable, "-P", __file__, _COLLECT]
    ran = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        raise SystemExit(ran.stdout)
    lines = (line.partition(_COLLECT) for line in ran.stdout.splitlines())
    return [Test(*json.loads(said)) for _, mark, said in lines if mark]


def count(sources: Mapping[str, str], usual: Iterable[Test], full: Iterable[Test]) -> dict[str, Tiers]:
    """The counts of each file. A test that runs in neither tier, because a program is missing, is not counted
    for FULL=1.
    """
    usual, full = [*usual], [*full]
    only_full = {test.id for test in full if test.runs} - {test.id for test in usual if test.runs}
    always = {(test.path, test.line) for test in [*usual, *full] if test.id not in only_full}
    found = {path: Tiers(lines=source.count("\n")) for path, source in sources.items()}
    for path, source in sources.items():
        starts = {test.line for test in full if test.path == path} - {
            line for at, line in always if at == path
        }
        found[path].lines_only_full = sum(map(len, functions_at(source, starts)))
        found[path].lines -= found[path].lines_only_full
    for test in usual:
        found[test.path].tests += test.id not in only_full
    for test in full:
        found[test.path].only_full += test.id in only_full
    return found


def functions_at(source: str, starts: set[int]) -> list[range]:
    """The lines of the functions that begin at `starts`, with their decorators."""
    found = []
    for node in ast.walk(ast.parse(source)) if starts else []:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min(each.lineno for each in [node, *node.decorator_list])
            if first in starts:
                found.append(range(first, (node.end_lineno or first) + 1))
    return found


def by_folder(files: Mapping[str, Tiers]) -> dict[str, Tiers]:
    """The sums of all files by the first three folders of their paths."""
    found: dict[str, Tiers] = {}
    for path, tiers in sorted(files.items()):
        found.setdefault("/".join(Path(path).parent.parts[:3]), Tiers()).add(tiers)
        found.setdefault("all", Tiers()).add(tiers)
    found["all"] = found.pop("all", Tiers())
    return found


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m bench.tiers", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(typed)
    tree = asked.tree.resolve()
    sources = {
        str(path.relative_to(tree)): path.read_text("utf-8")
        for folder in FOLDERS
        for path in (tree / folder).rglob("*.py")
    }
    found = by_folder(count(sources, collect(tree, full=False), collect(tree, full=True)))
    if asked.json:
        print(json.dumps({folder: asdict(tiers) for folder, tiers in found.items()}))
        return 0
    print(f"{'':32}{'tests':>8}{'only FULL':>11}{'lines':>8}{'only FULL':>11}")
    for folder, each in found.items():
        print(f"{folder:32}{each.tests:8}{each.only_full:11}{each.lines:8}{each.lines_only_full:11}")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == [_COLLECT]:
        sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider"], plugins=[Collected()]))
    sys.exit(main())
