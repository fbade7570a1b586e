"""Pending commands: each is sent until answered, always with the same id.

Law: a command keeps its id from the first sending to the answer, over retries and reconnects. So the server
never carries it out twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tablero_protocol.codes import Code
from tablero_protocol.messages import (
    EventName,
    HandedOver,
    History,
    LobbyList,
    OwnRooms,
    PlayerPage,
    Ratings,
    Refused,
    Times,
    TokenList,
    Tonight,
    Welcome,
)

Wire = dict[str, Any]
"""A client message as it travels."""

ONLY_ANSWERS = (
    *(Refused, Welcome, LobbyList, History, OwnRooms, Ratings, Times, PlayerPage, Tonight),
    *(HandedOver, TokenList),
)
"""Answers that only the author of a command gets."""
RETRY = 2.0
"""Seconds without an answer after which a command is sent again."""
MOST_WAITS = 5
"""Number of times that a command is sent again after "retry later", before its author gets the refusal.

The session's own commands have no author who could try again, so they have no limit. Commands in doubt have
none either, because the refusal says nothing about an earlier copy.
"""
ANSWERED_WITHIN = 10.0
"""Seconds without any message after which the connection counts as given up."""
LATE = 1.0
"""Seconds between two looks at the clock after which the program counts as stopped, with answers
still unread.
"""


@dataclass(eq=False)
class PendingCommand:
    """A command to the server. `own` marks a command that the session itself gave, and gives anew after a
    reconnect.
    """

    id: str
    wire: Wire
    own: bool
    due: float = 0.0
    """The time of the next sending."""
    waits: int = 0
    times: int = 0
    """Number of sendings, on any connection."""
    under_way: list[float] = field(default_factory=list)
    """Send times of the copies without an answer. One copy may be refused, and the next accepted."""
    in_doubt: bool = False
    """Whether a connection ended before an answer came. The server may have carried the command out."""

    def was_done_by(self, refusal: Refused) -> bool:
        """Whether the refusal shows that an earlier copy succeeded: the last player's leaving closed the
        room.
        """
        return self.wire["type"] == "leave" and self.times > 1 and refusal.code == Code.UNKNOWN_ROOM


@dataclass
class PendingCommands:
    """The commands without an answer, in the order given."""

    random: Random
    _open: dict[str, PendingCommand] = field(default_factory=dict)
    _listened: float = 0.0
    """Seconds in which an answer could be heard."""
    _seen: float | None = None
    """The time at which the clock was last read."""

    def __contains__(self, id: str) -> bool:
        """Whether this command has no answer yet."""
        return id in self._open

    def subscribed_by(self, id: str) -> set[EventName]:
        """The events that this pending command subscribes to when it enters a room."""
        return set(self._open[id].wire.get("subscribe", ())) if id in self._open else set()

    def supersede(self, room: str, event: str) -> None:
        """Drop pending commands about this event of this room, because a newer one follows."""
        about = (room, event)
        self._open = {
            id: command
            for id, command in self._open.items()
            if not command.own or (command.wire.get("room"), command.wire.get("event")) != about
        }

    def forget_events(self, room: str) -> set[EventName]:
        """Drop pending commands about the events of this room. Return the events of these commands."""
        asked = [
            command for command in self._open.values() if command.own and command.wire.get("room") == room
        ]
        about = {command.id: command.wire["event"] for command in asked if "event" in command.wire}
        self._open = {id: command for id, command in self._open.items() if id not in about}
        return set(about.values())

    def leaving(self, room: str) -> bool:
        """Whether we have asked to leave `room`."""
        wires = (command.wire for command in self._open.values())
        return any(wire["type"] == "leave" and wire["room"] == room for wire in wires)

    def give(self, type: str, fields: Wire, now: float, *, own: bool = False) -> PendingCommand:
        id = f"{self.random.getrandbits(96):024x}"
        command = PendingCommand(id, {"type": type, "id": id, **fields}, own, due=now)
        self._open[id] = command
        return command

    def settle(self, id: str, answer: object, now: float) -> PendingCommand | None:
        """The command that `answer` ends. None if there is no such command, or if another answer follows."""
        command = self._open.get(id)
        if command is None:
            return None
        if isinstance(answer, Refused):
            self._listen(now)
            copies = [at for at in command.under_way if self._listened - at < ANSWERED_WITHIN][1:]
            command.under_way = copies
            may_change = answer.code in (Code.RATE_LIMITED, Code.RETRY_LATER)
            if may_change and (command.own or command.in_doubt or command.waits < MOST_WAITS):
                command.waits += 1
                command.due = now + (answer.retry_after_ms or 1000) / 1000
                return None
            if copies:
                command.due = now + ANSWERED_WITHIN - (self._listened - copies[-1])
                return None
        del self._open[id]
        return command

    def due(self, now: float) -> Iterator[Wire]:
        """The commands to send at `now`, in order. The session's own commands come first, because a resume
        must come first.
        """
        self._listen(now)
        for command in sorted(self._open.values(), key=lambda command: not command.own):
            if command.due <= now:
                command.due = now + RETRY
                command.times += 1
                command.under_way.append(self._listened)
                yield command.wire

    def reconnected(self, now: float) -> None:
        """Mark every command to be sent again."""
        for command in self._open.values():
            command.due = now
            command.in_doubt = command.in_doubt or bool(command.under_way)
            command.under_way.clear()

    def forget_own(self) -> None:
        """Drop the session's own commands because the connection is lost. The session gives them anew."""
        self._open = {id: command for id, command in self._open.items() if not command.own}

    def abandon(self) -> list[PendingCommand]:
        """Remove all commands, because no more answers will come."""
        abandoned, self._open = list(self._open.values()), {}
        return abandoned

    def _listen(self, now: float) -> None:
        self._listened += 0.0 if self._seen is None else min(now - self._seen, LATE)
        self._seen = now
