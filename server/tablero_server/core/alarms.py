"""What must happen later, if nothing happens first: one due time a key, asked for by the tick."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

Key = tuple[str, ...]


class Alarms:
    def __init__(self) -> None:
        self._due: dict[Key, int] = {}
        self._heap: list[tuple[int, Key]] = []

    def set(self, key: Key, when: int) -> None:
        """Replaces an earlier alarm of the same key."""
        self._due[key] = when
        heapq.heappush(self._heap, (when, key))
        if len(self._heap) > 2 * len(self._due) + 64:  # moved and cancelled ones would pile up
            self._heap = [(when, key) for key, when in self._due.items()]
            heapq.heapify(self._heap)

    def cancel(self, key: Key) -> None:
        self._due.pop(key, None)

    def ring(self, now: int) -> Iterator[Key]:
        """Every key due by `now`, once; one that was moved or cancelled meanwhile stays silent.

        What is set meanwhile rings the next time, however early it is due: nobody rings for ever.
        """
        due = []
        while self._heap and self._heap[0][0] <= now:
            due.append(heapq.heappop(self._heap))
        for when, key in due:
            if self._due.get(key) == when:
                del self._due[key]
                yield key
