"""A log of misbehaviour for the host: one line for each event, with the address and the code.

Law: no line contains a token or a chat message, and no client can fill a disk with lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import structlog

from ..core.limits.limits import Rate
from ..core.limits.rate_limits import TokenBuckets
from .addresses import household_of

log = structlog.get_logger("tablero.security")

_LINES = Rate(every_ms=1_000, burst=20)
"""The rate of lines about one address or /64."""


class SecurityLog:
    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self.counts: Counter[tuple[str, str]] = Counter()
        """The number of events by event and code, with or without a line."""
        self._lines: TokenBuckets[str] = TokenBuckets(_LINES)

    def note(self, event: str, address: str, code: int | str, **facts: str) -> None:
        """Logs an event; `code` is a code of the protocol, of closing, or of HTTP."""
        self.counts[event, str(code)] += 1
        if not self._lines.take(household_of(address), self._now()):
            log.warning(event, address=address, code=code, **facts)
