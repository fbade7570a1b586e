"""Codes by which a player comes in from one more device: each opens one door, once, and soon.

Law: they live in memory alone, at most one a player; what a code opened is a token of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from ..ids import Ids, read_code
from ..limits.limits import Limits


class OpenHandOver(NamedTuple):
    code: str
    player: str
    until: int


class HandOvers:
    def __init__(self, ids: Ids, limits: Limits) -> None:
        self._ids = ids
        self._limits = limits
        self._by_code: dict[str, OpenHandOver] = {}
        """Those that run out first at first."""
        self._code_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._by_code)

    def open(self, player: str, now: int) -> OpenHandOver:
        """A new one; the one before it opens nothing any more."""
        self.cancel(player)
        while self._by_code and (first := next(iter(self._by_code.values()))).until <= now:
            self.cancel(first.player)
        opened = OpenHandOver(self._ids.code(), player, now + self._limits.hand_over_ms)
        self.put_back(opened)
        return opened

    def find(self, text: str, now: int) -> OpenHandOver | None:
        """What this code, as somebody has typed it, opens now."""
        found = self._by_code.get(read_code(text))
        return None if found is None or found.until <= now else found

    def cancel(self, player: str) -> None:
        if (code := self._code_of.pop(player, None)) is not None:
            del self._by_code[code]

    def put_back(self, opened: OpenHandOver) -> None:
        """What it opened could not be made durable, so it may still open it."""
        if opened.player not in self._code_of:
            self._by_code[opened.code] = opened
            self._code_of[opened.player] = opened.code
