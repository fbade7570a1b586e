"""How fast somebody may ask: token buckets by key, by injected time.

Law: whoever is within the limit is never refused, and whoever is beyond it is told when to ask again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

LATELY_MS = 600_000
_SWEEP_MS = 60_000
_NOTHING = 1e-6
"""Milliseconds that are only rounding."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, and one more every `every_ms`."""

    every_ms: float
    burst: int

    def shown(self) -> dict[str, float]:
        return {"everyMs": self.every_ms, "burst": self.burst}


class TokenBuckets(Generic[Key]):
    """One bucket a key. What a bucket keeps is the moment at which it will be full again."""

    def __init__(self, rate: Rate) -> None:
        self._every_ms, self._burst_ms = rate.every_ms, rate.burst * rate.every_ms
        self._full_at: dict[Key, float] = {}
        self._sweep_at = 0.0

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: Key, now: int, times: int = 1) -> int:
        """0, or for how many milliseconds there is nothing left. `times` the rate for whoever is many."""
        before = self._full_at.get(key)
        wait = self.take(key, now, times)
        if before is None:
            self.forget(key)
        else:
            self._full_at[key] = before
        return wait

    def take(self, key: Key, now: int, times: int = 1) -> int:
        """The same, and takes one if there is one."""
        full_at = self._full_at.get(key, now)
        after = (full_at if full_at > now else now) + self._every_ms / times
        wait = after - now - self._burst_ms
        if wait > _NOTHING:
            return int(wait) + 1
        self._full_at[key] = after
        if now >= self._sweep_at:
            self._sweep(now)
        return 0

    def charge(self, key: Key, now: int, cost: int, times: int = 1) -> None:
        """Takes what something cost beyond the one that `take` gave for it, also if less is left."""
        full_at = max(self._full_at.get(key, now), now)
        self._full_at[key] = full_at + cost * self._every_ms / times

    def forget(self, key: Key) -> None:
        self._full_at.pop(key, None)

    def _sweep(self, now: int) -> None:
        """A full bucket is as good as none."""
        self._sweep_at = now + _SWEEP_MS
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}


class CommonBucket:
    """One bucket for all, which is empty only for those who took something from it lately.

    So nobody can use it up for others, and each of many still gets only one beyond its rate.
    """

    def __init__(self, rate: Rate) -> None:
        self._all: TokenBuckets[None] = TokenBuckets(rate)
        self._lately: TokenBuckets[str] = TokenBuckets(Rate(LATELY_MS, 1))

    def wait(self, names: Iterable[str], now: int) -> int:
        """0, or for how many milliseconds someone by these names finds nothing left."""
        return self._all.wait(None, now) if any(self._lately.wait(name, now) for name in names) else 0

    def take(self, names: Iterable[str], now: int) -> None:
        """Takes one if there is one."""
        self._all.take(None, now)
        for name in names:
            self._lately.forget(name)
            self._lately.take(name, now)
