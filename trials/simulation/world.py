"""The shared state of one simulated evening: time, randomness, the trace, and the branches reached.

Law: every event is noted, so two evenings with equal traces are the same evening.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from tests.harness.simulated_loop import SimLoop


class Broken(AssertionError):
    """Raised when a promise was not kept."""


@dataclass(eq=False)
class World:
    seed: int
    loop: SimLoop
    echo: Callable[[str], None] | None = None
    """A function that prints each event, or None."""
    reached: Counter[str] = field(default_factory=Counter)
    """The number of times that each rare branch was taken; those of `sometimes` must occur."""
    calm: bool = False
    """Whether faults and commands are over, so that everything must recover."""

    def __post_init__(self) -> None:
        self._trace = sha256()
        self._failed: asyncio.Future[None] = self.loop.create_future()
        self.loop.set_exception_handler(self._unhandled)

    def random(self, part: str) -> Random:
        """A random generator for each part, so that additional draws in one part don't change the others."""
        return Random(f"{self.seed} {part}")

    @property
    def now(self) -> float:
        return self.loop.time()

    def later(self, seconds: float, call: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, call, *args)

    def note(self, who: str, what: str, frame: bytes | str = b"") -> None:
        line = f"{self.now:10.4f}  {who:<9} {what}"
        self._trace.update(line.encode())
        if frame:
            self._trace.update(frame if isinstance(frame, bytes) else frame.encode())
        if self.echo is not None:
            self.echo(line)

    @property
    def trace(self) -> str:
        """A hash of all events of the evening."""
        return self._trace.hexdigest()

    def sometimes(self, branch: str) -> None:
        self.reached[branch] += 1

    def fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)

    async def wait(self, seconds: float) -> None:
        """Lets time pass. Raises any error that occurred meanwhile."""
        await asyncio.wait([self._failed], timeout=seconds)
        if self._failed.done():
            self._failed.result()

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.fail(context.get("exception") or Broken(str(context["message"])))


def check(kept: bool, promise: str, *about: object) -> None:
    if not kept:
        raise Broken(": ".join([promise, *map(str, about)]))
