"""The measure of what people take measures something."""

from __future__ import annotations

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("It reads memory from /proc", allow_module_level=True)

from bench import people
from bench.people import HEAD, Taken, measure


def test_figures_are_told_as_a_row_of_a_table() -> None:
    row = str(Taken(4_000, 500.0, 0.123, 99.6, 200.4, 1.25))
    assert row == "| 4,000 | 500 | 12.3 % | 100 MiB | 200 bytes | 1.2 ms |"
    assert row.count("|") == HEAD.count("|")


async def test_people_play_at_a_real_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "SECONDS_A_MOVE", 1.0)
    taken = await measure(8, 2.0)
    assert taken.people == 8
    assert 0 < taken.moves_a_second < 4.4  # a busy machine is late; none is early
    assert 0 <= taken.of_a_core < 1
    assert taken.mebibytes > 20
    assert 0 <= taken.bytes_a_move < 100_000
