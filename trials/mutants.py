"""Check that tests notice wrong code: mutants, which are single changes of the source, against their folder's
tests.

`python -m trials.mutants [--tree TREE] [--count N] [--seed N] [--only PART] [--mutants FILE] [--json]`, or
`make mutants`: mutants of the rules, the server's core and its journal, in proportion to their lines of code.
They are planted in a copy of the tree. First each test module runs with coverage. Then each mutant is tested
by the modules that execute its statement, the fastest first, until one kills it: a test fails twice, or takes
far too long.

`--json` prints a line of JSON for each mutant. `--mutants FILE` reads the mutants from such lines instead of
choosing them, so that two versions of the tests meet the same ones. `--compare BEFORE AFTER` reads two such
files. The exit code is then 1 if the second has fewer kills than the Wilson interval of the first allows.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from random import Random
from resource import RLIMIT_CPU, RUSAGE_CHILDREN, getrusage, setrlimit
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, NamedTuple

from coverage import CoverageData

from bench.load import with_the_code_of
from tablero.arena.statistics import wilson

from .mutations import Mutant, choose, lines_of_code, plant, shares

ROOT = Path(__file__).parents[1]


class Part(NamedTuple):
    source: str
    tests: str


PARTS = {
    "games": Part("games/tablero_games", "tests/games"),
    "core": Part("server/tablero_server/core", "tests/server/core"),
    "journal": Part("server/tablero_server/journal", "tests/server/journal"),
}
NOT_COPIED = (".*", "node_modules", "__pycache__", "build", "dist")


@dataclass(frozen=True)
class Fate:
    """The result of a mutant."""

    mutant: Mutant
    part: str
    line: int | None
    """The line of the mutant in this tree; None if its code is not there."""
    killed: bool
    by: str
    """The test that failed, or the way in which the run ended."""
    modules: int
    """The number of test modules that execute the statement."""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> Fate:
        return cls(**{**said, "mutant": Mutant(**said["mutant"])})


class Limits(NamedTuple):
    """Time limits; a longer run counts as hanging. Processor time hardly depends on other work of the
    machine.
    """

    cpu_seconds: float
    seconds: float


ALONE = {"xdist": "-n0", "pytest_timeout": "--timeout=0"}
"""Options against plugins that a tree may not have: one process, without other time limits."""
AN_HOUR = Limits(3_600.0, 3_600.0)


class Ran(NamedTuple):
    code: int
    said: str
    cpu_seconds: float
    seconds: float

    @property
    def failed(self) -> bool:
        return self.code not in (0, 5)  # 5: no test ran

    @property
    def hung(self) -> bool:
        return self.code in (-signal.SIGXCPU, -signal.SIGKILL)


@dataclass(frozen=True)
class Module:
    """A test module: its time with coverage, and the lines that it executed."""

    path: str
    cpu_seconds: float
    seconds: float
    lines: Mapping[str, frozenset[int]]

    @property
    def limits(self) -> Limits:
        return Limits(10.0 + 3 * self.cpu_seconds, 120.0 + 5 * self.seconds)


class Copy:
    """A copy of a tree in which mutants are planted and tests run."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.folder = folder / "tree"
        self._temporary = folder / "t"
        self._settings = folder / "coverage.ini"
        shutil.copytree(tree, self.folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        self._temporary.mkdir()
        self._settings.write_text(
            "[run]\nparallel = true\npatch = subprocess\nsigterm = true\n"
            f"data_file = {folder}/data/coverage\n"
            f"source = {','.join(str(self.folder / part.source) for part in PARTS.values())}\n"
        )
        self.environment = {
            **os.environ,
            **with_the_code_of(self.folder),
            "TMPDIR": str(self._temporary),
            "PYTHONHASHSEED": "0",
        }
        self._written = 0

    def pytest(self, module: str, limits: Limits, with_coverage: bool = False) -> Ran:
        """Runs a test module, each time in the same order and with the same seed."""
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)  # examples of other mutants
        alike = ["-p", "no:cacheprovider", "-p", "no:randomly", "--hypothesis-seed=0"]
        alone = [option for plugin, option in ALONE.items() if find_spec(plugin)]
        options = ["-q", "-rfE", "--tb=no", "-o", "faulthandler_timeout=0", *alike, *alone]
        measured = ["-m", "coverage", "run", f"--rcfile={self._settings}"]
        before, until = (measured, []) if with_coverage else ([], ["-x"])
        return self.run([*before, "-m", "pytest", *options, *until, module], limits)

    def run(self, arguments: Sequence[str], limits: Limits) -> Ran:
        began, cpu_began = monotonic(), _cpu_seconds()
        said = self._temporary.parent / "said"
        limit = ceil(limits.cpu_seconds)
        with said.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=partial(setrlimit, RLIMIT_CPU, (limit, limit + 5)),
            )
            try:
                wait(process.wait, limits.seconds)
            finally:
                with suppress(ProcessLookupError):  # kills its child processes, too
                    os.killpg(process.pid, signal.SIGKILL)
                code = process.wait()
        took = _cpu_seconds() - cpu_began, monotonic() - began
        return Ran(code, said.read_text("utf-8", "replace"), *took)

    def executed(self, part: Part) -> Iterator[Module]:
        """Runs each test module of a part with coverage, except modules that fail without a mutant."""
        data = self._settings.parent / "data"
        for path in sorted((self.folder / part.tests).rglob("test_*.py")):
            shutil.rmtree(data, ignore_errors=True)
            data.mkdir()
            name = str(path.relative_to(self.folder))
            ran = self.pytest(name, AN_HOUR, with_coverage=True)
            if ran.failed and self.pytest(name, AN_HOUR).failed:
                print(f"{name} fails without a mutant and is left out:\n{ran.said}", file=sys.stderr)
                continue
            yield Module(name, ran.cpu_seconds, ran.seconds, self._lines(data))

    def _lines(self, data: Path) -> dict[str, frozenset[int]]:
        found: dict[str, frozenset[int]] = {}
        for file in data.iterdir():
            measured = CoverageData(str(file))
            measured.read()
            for each in measured.measured_files():
                name = str(Path(each).relative_to(self.folder))
                found[name] = found.get(name, frozenset()) | frozenset(measured.lines(each) or ())
        return found

    def meet(self, part: str, mutant: Mutant, modules: Sequence[Module]) -> Fate:
        """Runs the tests that execute a mutant."""
        file = self.folder / mutant.path
        unchanged = file.read_text("utf-8") if file.exists() else ""
        planted = plant(unchanged, mutant)
        if planted is None:
            return Fate(mutant, part, None, False, "", 0, 0.0)
        reached = [each for each in modules if planted.statement & each.lines.get(mutant.path, frozenset())]
        began = monotonic()
        self._write(file, planted.source)
        try:
            by = killer(self.pytest, reached)
        finally:
            self._write(file, unchanged)
        seconds = round(monotonic() - began, 1)
        return Fate(mutant, part, planted.line, bool(by), by, len(reached), seconds)

    def _write(self, file: Path, source: str) -> None:
        """Writes a module so that Python compiles it again: the size or the time in seconds must differ."""
        file.write_text(source, "utf-8")
        self._written += 1
        os.utime(file, (self._written, self._written))


def wait(process: Callable[[float], object], seconds: float) -> None:
    """Waits second by second, so that time while the trial is stopped (SIGSTOP) does not count."""
    for _ in range(ceil(seconds)):
        with suppress(subprocess.TimeoutExpired):
            process(min(1.0, seconds))
            break


def _cpu_seconds() -> float:
    """The processor seconds of all ended processes."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def killer(pytest: Callable[[str, Limits], Ran], modules: Iterable[Module]) -> str:
    """The test that noticed a mutant, or empty. A test that fails only once does not count."""
    for module in sorted(modules, key=lambda each: each.cpu_seconds):
        ran = pytest(module.path, module.limits)
        if ran.hung:
            return f"{module.path} hangs"
        if ran.failed and pytest(module.path, module.limits).failed:
            return first_failure(ran.said) or f"{module.path} ends with {ran.code}"
    return ""


def first_failure(said: str) -> str:
    found = re.search(r"(?m)^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said)
    return found[1] if found else ""


def chosen_in(tree: Path, count: int, seed: int) -> dict[str, list[Mutant]]:
    """The chosen mutants of each part."""
    sources = {
        name: {
            str(path.relative_to(tree)): path.read_text("utf-8")
            for path in sorted((tree / part.source).rglob("*.py"))
        }
        for name, part in PARTS.items()
    }
    sizes = {name: sum(map(lines_of_code, texts.values())) for name, texts in sources.items()}
    counts = shares(sizes, count)
    return {name: choose(texts, counts[name], Random(f"{seed} {name}")) for name, texts in sources.items()}


def read(file: Path) -> list[Fate]:
    return [Fate.from_json(json.loads(line)) for line in file.read_text("utf-8").splitlines()]


def fates(tree: Path, chosen: Mapping[str, Sequence[Mutant]]) -> Iterator[Fate]:
    with TemporaryDirectory(prefix="mutants-") as folder:
        copy = Copy(tree.resolve(), Path(folder))
        for part, mutants in chosen.items():
            modules = [*copy.executed(PARTS[part])] if mutants else []
            for mutant in mutants:
                yield copy.meet(part, mutant, modules)


def table(found: Sequence[Fate]) -> Iterator[str]:
    """The kills of each part and of all, then the mutants that survived or were not in the tree."""
    there = [each for each in found if each.line is not None]
    for part in [*PARTS, ""]:
        of_it = [each for each in there if part in ("", each.part)]
        if of_it:
            killed = sum(each.killed for each in of_it)
            low, high = wilson(killed, len(of_it))
            share = f"{killed / len(of_it):6.1%}, 95 % interval {low:.1%} to {high:.1%}"
            yield f"{part or 'all':8} {killed:4} of {len(of_it):4} killed, {share}"
    for each in there:
        if not each.killed:
            executed = f"{each.modules} test modules execute it" if each.modules else "no test executes it"
            yield f"survived; {executed}: {each.mutant}"
    for each in found:
        if each.line is None:
            yield f"not there: {each.mutant}"


def compare(before: Sequence[Fate], after: Sequence[Fate]) -> int:
    """Prints both files for the mutants that are in both. Returns the exit code: 1 if fewer are killed than
    chance allows.
    """
    there = {each.mutant for each in before if each.line} & {each.mutant for each in after if each.line}
    one, other = ([each for each in fates if each.mutant in there] for fates in (before, after))
    for name, found in (("before", one), ("after", other)):
        print(f"{name}, {len(found)} mutants", *table(found), "", sep="\n")
    killed_then, killed_now = ({each.mutant for each in fates if each.killed} for fates in (one, other))
    for name, mutants in (
        ("only before", killed_then - killed_now),
        ("only after", killed_now - killed_then),
    ):
        print(f"killed {name}: {len(mutants)}", *sorted(map(str, mutants)), sep="\n")
    low, _ = wilson(len(killed_then), len(there))
    return 0 if len(killed_now) >= low * len(there) else 1


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m trials.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout, whose tests run")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, metavar="PART", help=" or ".join(PARTS))
    parser.add_argument("--mutants", type=Path, metavar="FILE", help="lines of --json, instead of choosing")
    parser.add_argument("--json", action="store_true", help="a line for each mutant instead of a table")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("BEFORE", "AFTER"), help="two such files")
    asked = parser.parse_args(typed)
    if asked.compare:
        return compare(*map(read, asked.compare))
    if asked.mutants:
        given = read(asked.mutants)
        chosen = {part: [each.mutant for each in given if each.part == part] for part in PARTS}
    else:
        chosen = chosen_in(asked.tree, asked.count, asked.seed)
    found = []
    for fate in fates(asked.tree, {asked.only: chosen[asked.only]} if asked.only else chosen):
        found.append(fate)
        if asked.json:
            print(json.dumps(fate.to_json()), flush=True)
        else:
            print(f"{fate.seconds:7.1f} s  {fate.by or 'SURVIVED'}  {fate.mutant}", flush=True)
    if not asked.json:
        print("", *table(found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
