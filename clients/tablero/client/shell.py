"""The environment of a client: time, futures, and ways to send, run and wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol


class Promise(Awaitable[Any], Protocol):
    """A future of asyncio or another loop."""

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: BaseException, /) -> None: ...

    def done(self) -> bool: ...


class Shell(Protocol):
    """The I/O for a client."""

    def now(self) -> float:
        """Seconds on a clock that never runs backwards."""

    def wake(self) -> None:
        """Note that there is something to send."""

    def promise(self) -> Promise: ...

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run `coroutine` in the background."""

    def post(self, call: Callable[[], None]) -> None:
        """Call `call` soon, in the client's own thread. Works from any thread."""

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Call `call` in the client's own thread after `seconds`."""

    def aside(self, task: Callable[[], None]) -> None:
        """Call `task` in another thread."""

    def finish(self) -> None:
        """End the connection for good."""

    async def ended(self) -> None:
        """Wait until the connection has ended for good."""
