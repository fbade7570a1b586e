"""The check of ratings: rows as the server makes them pass, and everything that can be wrong is found."""

from __future__ import annotations

import pytest

from tablero_server.core.entry import Placing
from tests.harness.desk import Desk
from tests.harness.desk_games import win
from trials.rated_rows import wrongly_moved


def three_games() -> list[Placing]:
    """Two rated ones of Ann and Bob, one of Bob and Eve, and a casual one."""
    desk = Desk()
    ann, bob, eve = desk.peer("ann"), desk.peer("bob"), desk.peer("eve")
    for one, other, rated in ((ann, bob, True), (bob, eve, True), (bob, ann, True), (ann, eve, False)):
        room = one.create(rated=rated)
        other.join(room)
        desk.now += 1_000
        win(desk, room)
    return desk.placings


def ended(rows: list[Placing]) -> dict[str, bool]:
    return {row.room: row.value is not None for row in rows}


def test_what_a_server_writes_is_right() -> None:
    rows = three_games()
    assert wrongly_moved(rows, ended(rows)) == []


@pytest.mark.parametrize("at", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "change", [{"value": 1500.0}, {"games": 9}, {"games": 1, "value": 1662.0}, {"deviation": 1.0}]
)
def test_a_rating_that_moved_otherwise_is_found(at: int, change: dict[str, float]) -> None:
    rows = three_games()
    right = ended(rows)
    changed = rows[at]._replace(**change)  # type: ignore[arg-type]
    if changed != rows[at]:
        rows[at] = changed
        assert wrongly_moved(rows, right) != []


def test_a_game_that_moved_a_rating_twice_is_found() -> None:
    rows = three_games()
    right = ended(rows)
    twice = [row._replace(room="again", games=(row.games or 0) + 1) for row in rows[4:6]]
    assert wrongly_moved([*rows, *twice], right) != []


def test_a_missing_end_is_found() -> None:
    rows = three_games()
    assert wrongly_moved(rows[2:], ended(rows)) != []
    assert wrongly_moved(rows, {**ended(rows), "other": False}) == ["other: the end of a game is missing"]


def test_a_casual_game_that_moved_a_rating_is_found() -> None:
    rows = three_games()
    assert wrongly_moved(rows, {**ended(rows), rows[0].room: False}) != []
