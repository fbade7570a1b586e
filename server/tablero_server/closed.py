"""Rooms that closed a moment ago: whoever repeats a command of theirs gets its first answer again.

Law: nothing else is done with them, and they are bounded in time and in number; the oldest go first.
"""

from __future__ import annotations

from .alarms import Alarms
from .door import Door
from .limits import Limits
from .record import Record


class ClosedRooms:
    def __init__(self, door: Door, alarms: Alarms, limits: Limits) -> None:
        self._door = door
        self._alarms = alarms
        self._limits = limits
        self._logs: dict[str, list[Record]] = {}
        """By room, the one that closed first at the front."""

    def add(self, log: list[Record], now: int) -> None:
        room = log[0].room
        self._logs[room] = log
        self._alarms.set(("closed", room), now + self._limits.session_memory_ms)
        if len(self._logs) > self._limits.closed_rooms:
            self.forget(next(iter(self._logs)))

    def log(self, room: str) -> list[Record]:
        return self._logs[room]

    def with_code(self, code: str) -> str | None:
        """The room to which this code led."""
        return next((room for room, log in self._logs.items() if log[0].body["code"] == code), None)

    def forget(self, room: str) -> None:
        if (log := self._logs.pop(room, None)) is not None:
            self._alarms.cancel(("closed", room))
            self._door.forget_commands(log)
