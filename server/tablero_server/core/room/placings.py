"""Results of each seat in a finished game, from the log of its room."""

from __future__ import annotations

from tablero_games import Outcome

from ..entry import Placing
from .clock import speed
from .room import Room

LEAST_MS_A_MOVE = 100
"""A result with less time for each move is not credible: no person plays that fast."""


def placings(room: Room) -> tuple[Placing, ...]:
    """The results of all seated players, read right after the entry that ended the game."""
    assert room.play is not None
    outcome = room.play.position.outcome
    assert outcome is not None
    course, seats = room.game.course(room.options), room.seats
    are_two = len(seats) == 2 and seats[0] != seats[1]
    return tuple(
        Placing(
            room=room.id,
            seat=seat,
            player=shown["id"],
            bot=shown["bot"],
            level=shown.get("level", ""),
            rival=seats[1 - seat] if are_two else None,
            game=room.game.name,
            speed=speed(room.clock_terms),
            course=course,
            at=room.log[-1].at,
            place=place(outcome, seat),
            score=None if outcome.scores is None else outcome.scores[seat],
            kind=outcome.kind,
            reason=outcome.reason,
            private=room.private,
            flagged=room.flagged,
            milliseconds=_time(room, by_bot=shown["bot"]) if course and outcome.kind == "win" else None,
        )
        for seat, shown in enumerate(room.seated)
        if shown is not None
    )


def place(outcome: Outcome, seat: int) -> int | None:
    """The place of a seat. Tied seats share a place, and the next seat gets the next number."""
    if outcome.kind == "draw":
        return 1
    if outcome.kind != "win":
        return None
    if outcome.ranking is not None:
        return next((number for number, group in enumerate(outcome.ranking, 1) if seat in group), None)
    return 1 if seat in outcome.winners else 2


def _time(room: Room, *, by_bot: bool) -> int | None:
    """The game's milliseconds by server time; None if a pause gave time to think, or the time is not
    credible.
    """
    time = room.milliseconds
    if time is None or any(entry.kind == "paused" for entry in room.log):
        return None
    return time if by_bot or time >= LEAST_MS_A_MOVE * room.ply else None
