"""The states of a room, and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from ..refusal import Refusal

State = TypeVar("State", bound=Enum)
Event = TypeVar("Event", bound=Enum)


class WrongState(RuntimeError):
    """Raised for an event that is impossible in the present state: a bug in the server, never a client's
    mistake.
    """


def advance(table: Mapping[State, Mapping[Event, State]], state: State, event: Event) -> State:
    try:
        return table[state][event]
    except KeyError:
        raise WrongState(f"{event} cannot happen in {state}") from None


class RoomState(Enum):
    WAITING = "waiting"
    PREPARING = "preparing"
    """Every seat is taken, and the game is being prepared or a countdown runs."""
    PLAYING = "playing"
    FINISHED = "finished"
    CLOSED = "closed"


class RoomEvent(Enum):
    SEATS_FILLED = "all seats taken"
    STARTED = "the game begins"
    SET_BACK = "nothing is being made any more"
    GAME_ENDED = "outcome"
    EMPTIED = "last member left"


WAITING, PREPARING, PLAYING, FINISHED, CLOSED = RoomState

TRANSITIONS: dict[RoomState, dict[RoomEvent, RoomState]] = {
    WAITING: {RoomEvent.SEATS_FILLED: PREPARING, RoomEvent.STARTED: PLAYING, RoomEvent.EMPTIED: CLOSED},
    PREPARING: {
        RoomEvent.SEATS_FILLED: PREPARING,  # the search has ended, and a countdown begins
        RoomEvent.STARTED: PLAYING,
        RoomEvent.SET_BACK: WAITING,
    },
    PLAYING: {RoomEvent.GAME_ENDED: FINISHED},
    FINISHED: {RoomEvent.EMPTIED: CLOSED},
    CLOSED: {},
}


def not_playing(state: RoomState, unprepared: bool) -> Refusal:
    """The refusal of a turn in a room that is not playing."""
    if unprepared:
        return Refusal("noFieldFound")
    if state is PREPARING:
        return Refusal("stillPreparing")
    return Refusal("notStarted" if state is WAITING else "gameFinished")
