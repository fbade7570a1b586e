"""A room as players outside it see it: in the lobby, in their list of rooms, or by its code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..refusal import Message
from .clock import Clock, Terms
from .room import Room
from .state import PLAYING, RoomState

_ORDER = {PLAYING: -1} | {state: number for number, state in enumerate(RoomState) if state is not PLAYING}


def own_rooms(rooms: Iterable[tuple[Outline, Clock | None]], player: str, now: int) -> list[Message]:
    """The player's rooms: first those where the player is to move, least time first; then other games, then
    tables.
    """
    lines = [(_urgency(*room, player, now), _line(*room, player, now)) for room in rooms]
    return [line for _, line in sorted(lines, key=lambda each: each[0])]


def _line(room: Outline, clock: Clock | None, player: str, now: int) -> Message:
    rivals = {shown["id"]: shown for shown in room.seated if shown is not None and shown["id"] != player}
    line: Message = {
        "room": room.room,
        "seats": _seats(room, player),
        "game": room.game,
        "state": room.state,
        "rivals": list(rivals.values()),
        "toMove": room.to_move,
    }
    return line if clock is None else {**line, "clocks": list(clock.left(now))}


def _urgency(room: Outline, clock: Clock | None, player: str, now: int) -> tuple[bool, float, int, str]:
    mine = [seat for seat in room.to_move if seat in _seats(room, player)]
    left = float("inf")
    if mine and clock is not None:
        clocks = clock.left(now)
        left = min(clocks[seat] for seat in mine)
    return not mine, left, _ORDER[RoomState(room.state)], room.room


def _seats(room: Outline, player: str) -> list[int]:
    return [seat for seat, shown in enumerate(room.seated) if shown is not None and shown["id"] == player]


class Outline(NamedTuple):
    room: str
    game: str
    options: Message
    state: str
    seated: list[Message | None]
    private: bool
    watchers: int | None
    """The number of watchers; None: watching is not allowed."""
    clock: Terms | None
    to_move: list[int]
    rated: bool

    @classmethod
    def of(cls, room: Room) -> Outline:
        return cls(
            room=room.id,
            game=room.game.name,
            options=room.options_json,
            state=room.state.value,
            seated=list(room.seated),
            private=room.private,
            watchers=room.watchers() if room.lets_watch else None,
            clock=room.clock_terms,
            to_move=[] if room.play is None or room.state is not PLAYING else room.play.to_move,
            rated=room.rated,
        )

    def told(self) -> Message:
        """Everything about the room that players outside it may see."""
        line: Message = {
            "room": self.room,
            "game": self.game,
            "options": self.options,
            "state": self.state,
            "seats": self.seated,
        }
        if self.watchers is not None:
            line["watchers"] = self.watchers
        if self.rated:
            line["rated"] = True
        return line if self.clock is None else {**line, "clock": self.clock}
