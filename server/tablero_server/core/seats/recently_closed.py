"""Rooms that closed a moment ago: whoever repeats a command of theirs gets its first answer again.

Law: nothing else is done with them, and they are bounded in time and in number; the oldest go first.
"""

from __future__ import annotations

from ..alarms import Alarms
from ..limits.limits import Limits
from ..people.accounts import Accounts
from ..room.room import Room


class RecentlyClosed:
    def __init__(self, accounts: Accounts, alarms: Alarms, limits: Limits) -> None:
        self._accounts = accounts
        self._alarms = alarms
        self._limits = limits
        self._rooms: dict[str, Room] = {}
        """By id, the one that closed first at the front."""

    def add(self, room: Room, now: int) -> None:
        self._rooms[room.id] = room
        self._alarms.set(("closed", room.id), now + self._limits.session_memory_ms)
        if len(self._rooms) > self._limits.closed_rooms:
            self.forget(next(iter(self._rooms)))

    def room(self, id: str) -> Room:
        return self._rooms[id]

    def with_code(self, code: str) -> str | None:
        """The room to which this code led."""
        return next((room.id for room in self._rooms.values() if room.code == code), None)

    def forget(self, id: str) -> None:
        if (room := self._rooms.pop(id, None)) is not None:
            self._alarms.cancel(("closed", id))
            self._accounts.forget_commands(room.log)
