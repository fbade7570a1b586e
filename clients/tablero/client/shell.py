"""The world as a client needs it: time, futures, and a way to send, run and wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol


class Promise(Awaitable[Any], Protocol):
    """A future, as asyncio and others have them."""

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: BaseException, /) -> None: ...

    def done(self) -> bool: ...


class Shell(Protocol):
    """The I/O for a client."""

    def now(self) -> float:
        """Seconds that never run backwards."""

    def wake(self) -> None:
        """There is something to send."""

    def promise(self) -> Promise: ...

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Runs `coroutine` beside everything else."""

    def post(self, call: Callable[[], None]) -> None:
        """Calls `call` soon, in the client's own thread; may be called from any thread."""

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Calls `call` in the client's own thread when so much time has passed."""

    def aside(self, task: Callable[[], None]) -> None:
        """Calls `task` in another thread."""

    def finish(self) -> None:
        """Ends the connection for good."""

    async def ended(self) -> None:
        """Waits until there neither is a connection nor will be."""
