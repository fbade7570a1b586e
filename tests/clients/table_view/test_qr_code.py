"""QR codes are drawn with letters, module by module."""

from __future__ import annotations

from tablero.table_view.qr_code import QUIET, half_blocks, runs

MODULES = ["11010", "00110", "10101", "01100", "11111"]
DARK = [[module == "1" for module in row] for row in MODULES]


def test_half_blocks_and_runs_are_the_modules_with_a_light_border() -> None:
    size = len(MODULES) + 2 * QUIET
    light = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
    rows = half_blocks(MODULES)
    seen = [[light[letter][part] for letter in row] for row in rows for part in (0, 1)][:size]
    assert [[not each for each in row[QUIET:-QUIET]] for row in seen[QUIET:-QUIET]] == DARK
    assert all(all(row) for row in [*seen[:QUIET], *seen[-QUIET:]])
    assert [sum(length for length, _ in line) for line in runs(MODULES)] == [2 * size] * size
    written = [[dark for length, dark in line for _ in range(length // 2)] for line in runs(MODULES)]
    assert [[not each for each in row] for row in seen] == written
