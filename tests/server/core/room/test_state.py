"""What a room is doing: the ways from state to state, and why nobody plays in one of them."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from tablero_server.core.people import session
from tablero_server.core.room import state as room_state
from tablero_server.core.room.state import PLAYING, TRANSITIONS, RoomState, WrongState, advance, not_playing


def test_a_game_begins_with_or_without_being_prepared_and_never_twice() -> None:
    ways = {state: set(next.values()) for state, next in TRANSITIONS.items()}
    assert {state for state, next in ways.items() if PLAYING in next} == {
        RoomState.WAITING,
        RoomState.PREPARING,
    }
    assert ways[RoomState.PREPARING] == {RoomState.WAITING, RoomState.PREPARING, PLAYING}


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


MACHINES: dict[str, tuple[type[Enum], type[Enum], dict[Any, dict[Any, Any]], Enum, Enum]] = {
    "session": (
        session.SessionState,
        session.SessionEvent,
        session.TRANSITIONS,
        session.SessionState.GREETING,
        session.SessionState.GONE,
    ),
    "room": (
        room_state.RoomState,
        room_state.RoomEvent,
        room_state.TRANSITIONS,
        room_state.RoomState.WAITING,
        room_state.RoomState.CLOSED,
    ),
}


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Any:
    return MACHINES[request.param]


def test_every_state_has_a_row(machine: Any) -> None:
    states, _, table, _, _ = machine
    assert set(table) == set(states)


def test_every_event_happens_somewhere(machine: Any) -> None:
    _, events, table, _, _ = machine
    assert {event for row in table.values() for event in row} == set(events)


def test_every_state_can_be_reached(machine: Any) -> None:
    states, _, table, first, _ = machine
    reached, new = set(), {first}
    while new:
        reached |= new
        new = {after for state in new for after in table[state].values()} - reached
    assert reached == set(states)


def test_the_last_state_alone_is_final(machine: Any) -> None:
    _, _, table, _, last = machine
    assert [state for state, row in table.items() if not row] == [last]


def test_what_has_no_row_cannot_happen(machine: Any) -> None:
    states, events, table, _, _ = machine
    for state in states:
        for event in events:
            if event in table[state]:
                assert advance(table, state, event) is table[state][event]
            else:
                with pytest.raises(WrongState):
                    advance(table, state, event)
