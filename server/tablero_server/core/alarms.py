"""Alarms: actions that are due at a given time unless they are cancelled before. Each key has one
due time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from .limits.limits import Limits
from .room.clock import LineOf, no_line
from .room.room import Room
from .room.state import FINISHED, PLAYING

Key = tuple[str, ...]


class Alarms:
    def __init__(self) -> None:
        self._due: dict[Key, int] = {}
        self._heap: list[tuple[int, Key]] = []

    def set(self, key: Key, when: int) -> None:
        """Replaces an earlier alarm of the same key."""
        self._due[key] = when
        heapq.heappush(self._heap, (when, key))
        if len(self._heap) > 2 * len(self._due) + 64:  # moved and cancelled alarms would pile up
            self._heap = [(when, key) for key, when in self._due.items()]
            heapq.heapify(self._heap)

    def cancel(self, key: Key) -> None:
        self._due.pop(key, None)

    def ring(self, now: int) -> Iterator[Key]:
        """Pops all keys due at `now`. A key that is set during the loop rings the next time, even if it is
        due already; so the loop always ends.
        """
        due = []
        while self._heap and self._heap[0][0] <= now:
            due.append(heapq.heappop(self._heap))
        for when, key in due:
            if self._due.get(key) == when:
                del self._due[key]
                yield key


class RoomAlarms:
    """Alarms of a room: its clock, its closing, its packing."""

    def __init__(self, alarms: Alarms, limits: Limits) -> None:
        self._alarms = alarms
        self._limits = limits

    def set_clock(self, room: Room, line_of: LineOf = no_line) -> None:
        """Sets the alarms for the first clock that runs out, and for the end of a pause.

        With `line_of`, lag compensation is added to the time of the first alarm.
        """
        clock = room.clock if room.state is PLAYING else None
        self.set_at("flag", room.id, None if clock is None else clock.flag_at(line_of))
        self.set_at("pause", room.id, room.paused_until)

    def set_idle(self, room: Room) -> None:
        """Sets the alarm that closes a finished room after enough time without events."""
        if room.state is FINISHED:
            self.set_at("idle", room.id, room.log[-1].at + self._limits.idle_ms)

    def set_pack(self, room: Room, now: int) -> None:
        """Sets the alarm that packs a room, unless the room is used before."""
        if room.is_correspondence and room.state is PLAYING:
            self.set_at("pack", room.id, now + self._limits.session_memory_ms)

    def cancel(self, room: str) -> None:
        for kind in ("flag", "pause", "idle", "pack", "start"):
            self._alarms.cancel((kind, room))

    def set_at(self, kind: str, room: str, when: int | None) -> None:
        if when is None:
            self._alarms.cancel((kind, room))
        else:
            self._alarms.set((kind, room), when)
