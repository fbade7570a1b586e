"""What docs/terminal.md shows of the full screen is what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.screen_captures import PAGE, block, captures, written


async def test_the_docs_show_the_screen_as_it_is(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    for name, text in (await captures(tmp_path)).items():
        assert block(name, text) in page, f"{name} has changed: make recording"


def test_a_capture_is_written_in_its_place() -> None:
    page = f"a\n{block('one', 'old')}\nb\n{block('two', 'keep')}\n"
    new = block("one", "new\n|")
    assert written(page, {"one": "new\n|"}) == f"a\n{new}\nb\n{block('two', 'keep')}\n"
    with pytest.raises(AssertionError, match="three"):
        written(page, {"three": ""})
