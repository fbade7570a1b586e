"""What a room is doing, and all that may follow from it."""

from __future__ import annotations

from enum import Enum

from ..refusal import Refusal


class RoomState(Enum):
    WAITING = "waiting"
    PREPARING = "preparing"
    """Every seat is taken, and the game is being made."""
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
    PREPARING: {RoomEvent.STARTED: PLAYING, RoomEvent.SET_BACK: WAITING},
    PLAYING: {RoomEvent.GAME_ENDED: FINISHED},
    FINISHED: {RoomEvent.EMPTIED: CLOSED},
    CLOSED: {},
}


def not_playing(state: RoomState, unprepared: bool) -> Refusal:
    """Why no turn can be played, of a room that is not playing."""
    if unprepared:
        return Refusal("noFieldFound")
    if state is PREPARING:
        return Refusal("stillPreparing")
    return Refusal("notStarted" if state is WAITING else "gameFinished")
