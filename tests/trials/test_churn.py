"""The churn trial sees growth, and fills a server up to its bound."""

from __future__ import annotations

from pathlib import Path

import uvloop

from tests.harness.serving import Serving
from trials.churn import Churn, Rooms, churn, full_rooms


def test_growth_beyond_the_bar_is_seen() -> None:
    assert Churn(before_mib=100, after_mib=114.9).kept
    assert not Churn(before_mib=100, after_mib=115.1).kept


def test_rooms_that_take_too_much_are_seen() -> None:
    assert Rooms(300_000, 400, 400, 10).kept
    assert not Rooms(300_000, 404, 400, 10).kept
    assert not Rooms(300_000, 400, 404, 10).kept
    assert not Rooms(300_000, 400, 400, 10.1).kept


def test_pairs_play_and_come_back(tmp_path: Path) -> None:
    with Serving(tmp_path, "memory", TABLERO_SESSION_SECONDS="0.2") as server:
        server.start()
        server.wait_until_open()
        report = uvloop.run(churn(server, 1.0, 1, settle_seconds=0.1))
        assert report.games >= 3
        assert report.after_mib > 10


def test_rooms_are_filled_up_to_the_bound_and_are_there_after_a_start(tmp_path: Path) -> None:
    with Serving(tmp_path, f"sqlite:///{tmp_path / 'rooms.db'}", TABLERO_ENTRIES="1000") as server:
        server.start()
        server.wait_until_open()
        report = full_rooms(server)
    assert 990 <= report.entries <= 1_000
    assert report.kept
