"""axe-core, which checks the accessibility of a page. npm installs it for the tests; the product does not
contain it.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tree import ROOT

VERSION = "4.14.0"
SHA256 = "20c09fe157a8a34a30e241aaa1fcdade657734f08ab379ecfbeb7d45cc46e878"
FETCH_SECONDS = 30
FILE = Path("node_modules/axe-core/axe.min.js")


@cache
def source() -> str:
    """The source of axe-core: from where `.ci/run` put it, otherwise by npm from a temporary folder."""
    if (ROOT / FILE).exists():
        return checked(ROOT / FILE)
    with tempfile.TemporaryDirectory() as folder:
        fetch(folder)
        if (Path(folder) / FILE).exists():
            return checked(Path(folder) / FILE)
    pytest.skip(f"needs axe-core (npm install axe-core@{VERSION})")


def fetch(folder: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        return
    command = [
        npm,
        "install",
        "--silent",
        "--no-save",
        "--ignore-scripts",
        "--prefix",
        folder,
        f"axe-core@{VERSION}",
    ]
    try:
        subprocess.run(command, capture_output=True, timeout=FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return


def checked(file: Path) -> str:
    text = file.read_bytes()
    assert hashlib.sha256(text).hexdigest() == SHA256, f"{file} is not axe-core {VERSION}"
    return text.decode()


async def violations(page: Any, *, only: str | None = None) -> list[str]:
    """The accessibility faults of a page, by one rule or all, once nothing moves on it."""
    await still(page)
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(source())
    options = {"resultTypes": ["violations"], **({"runOnly": [only]} if only else {})}
    found = await page.evaluate("options => axe.run(document, options)", options)
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]]


async def still(page: Any) -> None:
    """Waits until all animations have ended, except those that repeat forever."""
    await page.evaluate(
        """() => {
            const ends = each => each.effect.getComputedTiming().iterations !== Infinity;
            return Promise.allSettled(document.getAnimations().filter(ends).map(each => each.finished));
        }"""
    )
