"""A thread that does one thing after another for the event loop.

An executor's futures, locked and chained, cost a commit three times what is here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Job(NamedTuple):
    work: Callable[..., Any]
    given: tuple[object, ...]
    done: asyncio.Future[Any]


class DiskThread:
    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        Thread(target=self._run, name=name, daemon=True).start()

    async def do(self, work: Callable[..., T], *given: object) -> T:
        """Its result, or what it raises. It is done also if nobody waits for it any more."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, given, done))
        return await done

    async def finish(
        self, work: Callable[..., T], *given: object, give_up: Callable[[], None] | None = None
    ) -> T:
        """The same, and it is over when this ends, also if that is cancelled: then `give_up` hastens it."""
        job = asyncio.ensure_future(self.do(work, *given))
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            if give_up is not None:
                give_up()
            await asyncio.gather(job, return_exceptions=True)
            raise

    def end(self) -> None:
        """After what it has been given so far."""
        self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            tell: Callable[[Any], None] = job.done.set_result
            try:
                what = job.work(*job.given)
            except BaseException as error:
                tell, what = job.done.set_exception, error
            with suppress(RuntimeError):  # the loop has ended, and nobody waits
                job.done.get_loop().call_soon_threadsafe(_tell, job.done, tell, what)


def _tell(done: asyncio.Future[Any], tell: Callable[[Any], None], what: object) -> None:
    if not done.done():
        tell(what)
