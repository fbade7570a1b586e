"""Count files, lines and tests of each folder, and list the five longest files.

`python -m bench.tree` prints these figures; no test limits them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = (
    "protocol/tablero_protocol",
    "games/tablero_games",
    "server/tablero_server",
    "clients/tablero",
    "clients/web",
    "generate",
)
PROOFS = ("tests", "trials", "bench")
_SUFFIXES = {".py", ".js", ".mjs", ".css", ".html"}
_TEST = re.compile(r"^\s*(?:async )?def test_", re.MULTILINE)


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES)


def lines(paths: Iterable[Path]) -> int:
    return sum(path.read_text("utf-8").count("\n") for path in paths)


def tests(paths: Iterable[Path]) -> int:
    """The number of test functions; a table of cases counts as one."""
    return sum(len(_TEST.findall(path.read_text("utf-8"))) for path in paths if path.suffix == ".py")


def row(name: str, paths: list[Path]) -> str:
    return f"{name:<28}{len(paths):>7}{lines(paths):>9}{tests(paths) or '':>8}"


def table(root: Path, folders: Iterable[str]) -> list[str]:
    """A row for each folder, followed by rows for its subfolders and for the files at its root."""
    rows = []
    for folder in folders:
        paths = sources(root / folder)
        parts: dict[str, list[Path]] = {}
        for path in paths:
            within = path.relative_to(root / folder).parts
            parts.setdefault(f"{within[0]}/" if len(within) > 1 else "(root)", []).append(path)
        rows += [row(folder, paths), *(row(f"  {name}", parts[name]) for name in sorted(parts))]
    return rows


def longest(root: Path, folders: Iterable[str], count: int = 5) -> list[str]:
    found = [(lines([path]), path) for folder in folders for path in sources(root / folder)]
    return [f"{length:>6}  {path.relative_to(root)}" for length, path in sorted(found, reverse=True)[:count]]


def main() -> None:
    print(f"{'folder':<28}{'files':>7}{'lines':>9}{'tests':>8}")
    print(*table(ROOT, CODE + PROOFS), sep="\n")
    for title, folders in (("code", CODE), ("tests, trials and bench", PROOFS)):
        print(f"\nThe longest files of {title}:", *longest(ROOT, folders), sep="\n")


if __name__ == "__main__":
    main()
