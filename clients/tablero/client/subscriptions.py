"""Which events of a room the server is to send: what is wanted there, and what it has said that it sends.

Law: of a room and an event only the newest command is sent again; what is wanted is asked for anew wherever
the server may have forgotten us.
"""

from __future__ import annotations

from collections.abc import Collection

from tablero_protocol.messages import EventName

from .commands import PendingCommands
from .room_progress import RoomProgress


class Subscriptions:
    def __init__(self, commands: PendingCommands) -> None:
        self._commands = commands

    def want(self, progress: RoomProgress, event: EventName, now: float) -> None:
        """Somebody listens to `event`."""
        progress.wanted.add(event)
        if event not in progress.sent:
            self._ask(progress, event, now)

    def unwant(self, progress: RoomProgress, event: EventName, now: float) -> None:
        """Nobody listens to `event` any more."""
        progress.unwant(event)
        self._commands.supersede(progress.room, event)
        self._commands.give("unsubscribe", {"room": progress.room, "event": event}, now, own=True)

    def resumed(self, progress: RoomProgress, now: float) -> None:
        """We return with the session that the server knows there; what was asked on the old line is lost."""
        for event in sorted(progress.wanted):
            self._ask(progress, event, now)

    def opened(self, progress: RoomProgress, named: Collection[EventName]) -> None:
        """The join that opened the room named these; what was asked before we left may undo them."""
        progress.sent |= set(named) - self._commands.forget_events(progress.room)

    def joined(self, progress: RoomProgress, named: Collection[EventName]) -> None:
        """The server has let us in, and sends what the join named; unless nobody wants that any more."""
        progress.sent |= progress.wanted & set(named)

    def joined_again(self, progress: RoomProgress, named: Collection[EventName], now: float) -> None:
        """A command of ours let us in where we had been; this session may have been forgotten there.

        Another session of ours may have left meanwhile, which takes all of them along.
        """
        progress.sent.intersection_update(named)
        self.joined(progress, named)
        for event in sorted(progress.wanted.difference(named)):
            self._ask(progress, event, now)

    def _ask(self, progress: RoomProgress, event: EventName, now: float) -> None:
        self._commands.supersede(progress.room, event)
        self._commands.give("subscribe", {"room": progress.room, "event": event}, now, own=True)
