"""What is told of a room to those who do not see it: in the lobby, in a list of one's own, or by its code."""

from __future__ import annotations

from typing import NamedTuple

from ..refusal import Message
from .clock import Terms
from .room import Room
from .state import PLAYING


class Outline(NamedTuple):
    room: str
    game: str
    options: Message
    state: str
    seated: list[Message | None]
    private: bool
    watchers: int | None
    """None: nobody may watch."""
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
        """All of it that whoever may know of the room is told."""
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
