"""Names in backticks in the docs exist in the sources: files, classes, their members, functions,
constants.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

import pytest

from tests.harness.tree import ROOT

DOCS = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
PAGES = ["README.md", "CONTRIBUTING.md", "clients/web/README.md", *DOCS]
FOLDERS = (
    "protocol",
    "games",
    "server",
    "clients",
    "generate",
    "tests",
    "trials",
    "bench",
    "docs",
    "examples",
)
SOURCES = ("protocol", "games", "server", "clients", "generate", "trials", "examples", "tests/documents.txt")
"""The folders where a name may be defined. The names of the five documents are in the last folder."""
AT_THE_ROOT = ("Makefile", "Dockerfile", "docker-compose.yml", "pyproject.toml")

FILE = re.compile(r"[\w.*-]+(/[\w.*-]+)*(/|\.(py|m?js|d\.ts|css|html|sql|toml|yml|json|md|txt))")
NAME = re.compile(r"([A-Za-z_]\w*(?:\.\w+)*)(?:\(.*\))?")
IS_CODE = re.compile(r"_|[a-z][A-Z]|^[A-Z][A-Za-z]")
"""A pattern for names that are not ordinary words."""
VALUE = re.compile(r"`([A-Z_]+)` = (\d[\d,.]*\b)")
"""A pattern for the value of a constant on a page."""
PACKAGE = re.compile(r"/tablero(_\w+)?(?=/)")
"""The parts of paths that docs/architecture.md leaves out."""

ELSEWHERE = {
    "FILE.py": "the reader's bot",
    "helper.py": "beside the reader's bot",
    "boards/GAME.js": "one for each game",
    "test_a_full_column_is_refused": "an example of a name",
    "dist/licences.md": "made by make supply-chain",
    "dist/sbom.json": "made by make supply-chain",
    "tablero_server/web/": "in the wheel only",
    "docker-compose.override.yml": "the host's own",
    "SCENES": "in tests/clients/web/drawings.py",
}
"""Names on pages that are not in the sources, with the place where each is."""
SETTING = "TABLERO_"
"""The start of names that tests/test_docs.py checks."""


@cache
def source() -> str:
    folders = [path for each in SOURCES for path in [ROOT / each, *(ROOT / each).rglob("*")]]
    paths = [path for path in folders if path.is_file() and path.suffix != ".pyc"]
    paths += [ROOT / each for each in AT_THE_ROOT]
    return "\n".join(path.read_text("utf-8", "ignore") for path in paths)


@cache
def words() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", source()))


@cache
def files() -> frozenset[str]:
    """Every file and folder, by its path from each of its parent folders."""
    found = set()
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*")):
        full = f"/{path.relative_to(ROOT).as_posix()}{'/' if path.is_dir() else ''}"
        for each in {full, PACKAGE.sub("", full)}:
            parts = each.split("/")
            found |= {"/".join(parts[at:]) for at in range(1, len(parts))}
    return frozenset(found)


@cache
def classes() -> dict[str, list[tuple[str, str]]]:
    """For each class name, the bases and bodies of all classes with that name."""
    found = defaultdict(list)
    for name, bases, body in re.findall(r"(?ms)^class (\w+)([^\n]*)(.*?)(?=^\S|\Z)", source()):
        found[name].append((bases, body))
    return found


def has_member(owner: str, name: str) -> bool:
    """Whether a class with this name, or one of its bases, defines such a member."""
    defined = re.compile(rf"(?m)^\s+(?:async )?def {name}\b|^\s+{name}\s*[:=]|\bself\.{name}\b\s*[:=]")
    return any(
        defined.search(body) or any(has_member(base, name) for base in re.findall(r"[A-Z]\w+", bases))
        for bases, body in classes()[owner]
    )


def is_there(span: str) -> bool:
    """Whether the sources have this name. True for text that is not a name."""
    if span in ELSEWHERE or span.startswith(SETTING):
        return True
    if FILE.fullmatch(span):
        return span in files() or span in source()
    named = NAME.fullmatch(span)
    if named is None or not IS_CODE.search(named[1]):
        return True
    parts = named[1].split(".")
    if not words().issuperset(parts):
        return False
    return len(parts) != 2 or not parts[0][0].isupper() or has_member(*parts)


@pytest.mark.parametrize("page", PAGES)
def test_every_name_on_a_page_is_in_the_sources(page: str) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", (ROOT / page).read_text("utf-8"))
    spans = dict.fromkeys(re.findall(r"`([^`\n]+)`", text))
    assert [span for span in spans if not is_there(span)] == []


def test_every_constant_has_the_value_that_the_docs_say() -> None:
    told = [each for page in PAGES for each in VALUE.findall((ROOT / page).read_text("utf-8"))]
    assert ("SHARE_OF_LIMIT", "0.9") in told
    for name, value in told:
        values = [float(each) for each in re.findall(rf"(?m)^{name} = ([\d_.e-]+)$", source())]
        assert float(value.replace(",", "")) in values, name


@pytest.mark.parametrize(
    "gone",
    [
        "clients/tablero/brains/connect_four*.py",
        "quoridor_search.py",
        "brains/search_of_quoridor/",
        "Hub.recieve",
        "Playing.log",
        "no_such_function(seat)",
        "NO_SUCH_CONSTANT",
        "dots_and_boxes_expert.best_edge",
    ],
)
def test_a_name_that_is_gone_is_found(gone: str) -> None:
    assert not is_there(gone)
