"""What of the browser client needs no browser: its tests run in node, and TypeScript checks its types."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.tree import ROOT, TSC

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_session_keeps_its_promises() -> None:
    assert NODE is not None
    tests = sorted(map(str, Path(__file__).parent.glob("*.test.mjs")))
    done = subprocess.run([NODE, "--test", *tests], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "# pass 0" not in done.stdout


@pytest.mark.skipif(TSC is None, reason="needs TypeScript (tsc)")
def test_the_types_are_those_of_the_protocol() -> None:
    assert TSC is not None
    done = subprocess.run([TSC, "-p", "clients/web"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
