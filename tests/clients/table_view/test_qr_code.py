"""QR codes: they are those that the browser makes, which a detector has read back."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from tablero.table_view.qr_code import QUIET, TooLong, encoded, half_blocks, runs

OF_THE_BROWSER = (Path(__file__).parents[1] / "web" / "qr.test.mjs").read_text("utf-8")
READ_BACK = [
    (int(length), sum) for length, sum in re.findall(r"(?m)^  (\d+): \"([0-9a-f]{16})\",", OF_THE_BROWSER)
]
TEXT = "http://192.168.1.20:8470/ABCD-EFGH#" + "x1y2z3" * 40


def test_there_are_sums_to_compare_with() -> None:
    assert len(READ_BACK) == 12


@pytest.mark.parametrize(("length", "sum"), READ_BACK)
def test_a_text_is_drawn_as_it_was_when_a_detector_read_it(length: int, sum: str) -> None:
    drawn = "\n".join("".join(str(int(dark)) for dark in line) for line in encoded(TEXT[:length]))
    assert sha256(drawn.encode()).hexdigest()[:16] == sum


def test_a_text_that_does_not_fit_is_refused() -> None:
    with pytest.raises(TooLong):
        encoded("x" * 214)


def test_half_blocks_and_runs_are_the_modules_with_a_light_border() -> None:
    modules = encoded("http://127.0.0.1:8470/#go=7QK4-M2XD")
    size = len(modules) + 2 * QUIET
    light = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
    rows = half_blocks(modules)
    seen = [[light[letter][part] for letter in row] for row in rows for part in (0, 1)][:size]
    assert [[not each for each in row[QUIET:-QUIET]] for row in seen[QUIET:-QUIET]] == modules
    assert all(all(row) for row in [*seen[:QUIET], *seen[-QUIET:]])
    assert [sum(length for length, _ in line) for line in runs(modules)] == [2 * size] * size
    written = [[dark for length, dark in line for _ in range(length // 2)] for line in runs(modules)]
    assert [[not each for each in row] for row in seen] == written
