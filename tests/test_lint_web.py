"""JavaScript and CSS: `make lint` without Biome, and checks that Biome lacks."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.harness.tree import ROOT

COLUMNS = 120
SUFFIXES = {".js", ".mjs", ".css"}
FOLDERS = ("clients/web", "server/tablero_server/host/page", "tests/clients/web", "examples")


def sources() -> list[Path]:
    return [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]


@pytest.mark.parametrize(("every_tool", "code"), [("", 0), ("1", 1)])
def test_a_missing_biome_is_told_and_fails_only_where_every_tool_has_to_be(
    every_tool: str, code: int, tmp_path: Path
) -> None:
    environment = {**os.environ, "BIOME": str(tmp_path / "biome"), "EVERY_TOOL": every_tool}
    done = subprocess.run([ROOT / ".ci" / "lint-web"], env=environment, capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr.startswith("JavaScript and CSS were not checked: there is no Biome here.")


def test_a_finding_is_told_and_fails(tmp_path: Path) -> None:
    biome = tmp_path / "biome"
    biome.write_text("#!/bin/sh\necho 'a finding'\nexit 1\n")
    biome.chmod(0o755)
    environment = {**os.environ, "BIOME": str(biome)}
    done = subprocess.run([ROOT / ".ci" / "lint-web"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "a finding\n")


def test_lint_runs_it_and_ci_demands_it() -> None:
    [lint] = re.findall(r"(?m)^lint:.*\n((?:\t.*\n)+)", ROOT.joinpath("Makefile").read_text())
    assert "\t@.ci/lint-web\n" in lint
    assert "\nEVERY_TOOL=1 make check\n" in ROOT.joinpath(".ci/run").read_text()


def test_the_version_of_biome_is_pinned() -> None:
    assert re.search(r" @biomejs/biome@\d+\.\d+\.\d+ ", ROOT.joinpath(".ci/install-tools").read_text())


def test_no_line_is_too_long() -> None:
    """Biome wraps code, but not comments and texts."""
    assert len(sources()) > len(FOLDERS)
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources()
        for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1)
        if len(line) > COLUMNS
    ]
    assert not long, f"more than {COLUMNS} columns: {long}"
