"""Whether the journal fails just now, and a bounded number of log lines about it."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

log = structlog.get_logger("tablero.journal")

_SECONDS_BETWEEN_LINES = 60.0


class Outage:
    """An outage is told when it begins, once a minute with a count, and when it is over."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self.lasts = False
        self._seconds = seconds
        self._commands = 0
        """How many were lost since the last line."""
        self._quiet_until = float("-inf")
        self._was_told = False

    def failed(self, why: str, commands: int) -> None:
        self.lasts = True
        self._commands += commands
        now = self._seconds()
        if now >= self._quiet_until:
            log.error("could not save", why=why, commands=self._commands)
            self._commands, self._quiet_until, self._was_told = 0, now + _SECONDS_BETWEEN_LINES, True

    def ended(self) -> None:
        if not self.lasts:
            return
        self.lasts = False
        if self._was_told:  # a disk that changes its mind all the time is told of once a minute, too
            log.warning("saves again", commands=self._commands)
            self._commands, self._was_told = 0, False
