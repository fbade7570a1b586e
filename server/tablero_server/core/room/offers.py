"""What may be offered at a table, and when everybody agrees to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..refusal import Refusal
from .state import FINISHED, PLAYING, not_playing

if TYPE_CHECKING:
    from .room import Room

MOST_TAKEBACKS = 10
"""Of one player in one game."""


@dataclass(frozen=True, slots=True)
class PendingOffer:
    id: str
    what: str
    seat: int
    yes: frozenset[int]


def check_may_offer(room: Room, seat: int, what: str) -> None:
    if what != "rematch":
        if room.play is None or room.state is not PLAYING:
            raise not_playing(room.state, room.unprepared)
        if not room.plays_on(seat):
            raise Refusal("seatIsOut", seat=seat)
    if what == "pause" and room.clock is None:
        raise Refusal("noClock")
    if what == "pause" and room.paused_until is not None:
        raise Refusal("gamePaused")
    if what == "continue" and room.paused_until is None:
        raise Refusal("notPaused")
    if what == "takeback":
        assert room.play is not None
        if room.rated:
            raise Refusal("noTakebackRated")
        if room.play.begun is None:
            raise Refusal("noTakebackHere")
        if not room.play.moves_to_take_back(seat):
            raise Refusal("noMoveOfYours")
        if room.takebacks[room.seats[seat]] >= MOST_TAKEBACKS:
            raise Refusal("tookBackOften", most=MOST_TAKEBACKS)
    if what == "rematch":
        if room.state is not FINISHED:
            raise Refusal("notOver")
        if room.next is not None:
            raise Refusal("rematchBegun")
        if any(player not in room.members for player in room.seats):
            raise Refusal("playerLeft")


def agreed_to_rematch(room: Room) -> bool:
    if not room.offers or room.next is not None:
        return False
    return any(pending.what == "rematch" and all_agree(room, pending) for pending in room.offers.values())


def all_agree(room: Room, pending: PendingOffer) -> bool:
    """Whether whoever it concerns has said yes: to all but a rematch those who still play."""
    agreed = {room.seats[seat] for seat in pending.yes}
    asked = (seat for seat in range(len(room.seats)) if pending.what == "rematch" or room.plays_on(seat))
    return all(room.seats[seat] in agreed for seat in asked)
