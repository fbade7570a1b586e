"""What a room is doing: the ways from state to state, and why nobody plays in one of them."""

from __future__ import annotations

import pytest

from tablero_server.core.room.state import (
    PLAYING,
    TRANSITIONS,
    RoomState,
    not_playing,
)


def test_a_game_begins_with_or_without_being_prepared_and_never_twice() -> None:
    ways = {state: set(next.values()) for state, next in TRANSITIONS.items()}
    assert {state for state, next in ways.items() if PLAYING in next} == {
        RoomState.WAITING,
        RoomState.PREPARING,
    }
    assert ways[RoomState.PREPARING] == {RoomState.WAITING, PLAYING}


@pytest.mark.parametrize(
    ("state", "unprepared", "reason"),
    [
        ("waiting", False, "notStarted"),
        ("waiting", True, "noFieldFound"),
        ("preparing", False, "stillPreparing"),
        ("finished", False, "gameFinished"),
    ],
)
def test_who_may_not_play_hears_why(state: str, unprepared: bool, reason: str) -> None:
    assert not_playing(RoomState(state), unprepared).reason == reason
