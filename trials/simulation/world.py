"""What everybody in one simulated evening shares: time, chance, the trace, and what was reached.

Law: whatever happens is noted, so that two evenings with equal traces were the same evening.
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
    """A promise was not kept."""


@dataclass(eq=False)
class World:
    seed: int
    loop: SimLoop
    echo: Callable[[str], None] | None = None
    """Where to print what happens, if anywhere."""
    reached: Counter[str] = field(default_factory=Counter)
    """How often each rare branch was taken: what `sometimes` has to happen."""
    calm: bool = False
    """Nothing is broken any more, and nobody asks for anything: all has to come right."""

    def __post_init__(self) -> None:
        self._trace = sha256()
        self._failed: asyncio.Future[None] = self.loop.create_future()
        self.loop.set_exception_handler(self._unhandled)

    def random(self, part: str) -> Random:
        """Chance of its own for each part, so that one that draws more does not change the others."""
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
        """What tells this evening from every other one."""
        return self._trace.hexdigest()

    def sometimes(self, branch: str) -> None:
        self.reached[branch] += 1

    def fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)

    async def wait(self, seconds: float) -> None:
        """Lets time go by; raises what went wrong meanwhile, wherever that was."""
        await asyncio.wait([self._failed], timeout=seconds)
        if self._failed.done():
            self._failed.result()

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.fail(context.get("exception") or Broken(str(context["message"])))


def check(kept: bool, promise: str, *about: object) -> None:
    if not kept:
        raise Broken(": ".join([promise, *map(str, about)]))
