"""Server time: milliseconds that pass only while the server can serve.

Law: it never goes back. When the server has not shown for LATE_MS that it hears and saves (it was stopped, or
busy, or its journal slow or failing), no time has passed since anybody asked for the time last.
"""

from __future__ import annotations

from collections.abc import Callable

LATE_MS = 250


class ServerTime:
    def __init__(self, steady: Callable[[], int], late_ms: int = LATE_MS) -> None:
        self._steady = steady
        self._late_ms = late_ms
        self._lost = 0
        """For how long it has stood still so far."""
        self._asked = steady()
        self._until = self._asked + late_ms

    def now(self) -> int:
        steady = self._steady()
        if steady > self._until:
            self._lost += steady - self._asked
            self._until = steady
        self._asked = steady
        return steady - self._lost

    def goes_on(self) -> int:
        """The server has just shown that it serves; the time."""
        now = self.now()
        self._until = self._asked + self._late_ms
        return now
