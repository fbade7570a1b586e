"""A function in a separate process, with a pipe to its starter. It ends with its starter.

Law: the function's output goes to stderr, because stdout may carry its starter's answers.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any

from . import Ended

_LAST_BREATH = 5.0
"""Seconds for a process that closed its pipe to end and leave its exit code."""
_one_at_a_time = Lock()
"""A lock, because multiprocessing starts and reaps processes safely in only one thread."""


class Apart:
    """The call `work(far end of the pipe, *arguments)` in a process that `context` starts."""

    def __init__(self, context: Any, work: Callable[..., None], *arguments: Any) -> None:
        self.pipe: Connection
        self.pipe, far = context.Pipe()
        lifeline, self._lifeline = context.Pipe(duplex=False)
        """A silent pipe. The process ends when the pipe closes."""
        with _one_at_a_time, far, lifeline:
            self._process = context.Process(
                target=_live, args=(lifeline, work, far, *arguments), name="brains", daemon=True
            )
            self._process.start()

    @property
    def pid(self) -> int:
        pid: int = self._process.pid
        return pid

    @property
    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    def say(self, message: Any) -> None:
        """Send a message. Never fails: if the process is gone, `hear` says so."""
        with suppress(OSError):
            self.pipe.send(message)

    def hear(self, seconds: float = 0.0) -> Any:
        """The next message; None if none comes within `seconds`. Raises Ended."""
        try:
            return self.pipe.recv() if self.pipe.poll(seconds) else None
        except (EOFError, OSError):
            raise Ended(self.end(_LAST_BREATH)) from None

    def kill(self) -> None:
        self._process.kill()

    def end(self, patience: float = 0.0) -> int | None:
        """End the process unless it ends in time by itself, and return its exit code."""
        with _one_at_a_time:
            self.pipe.close()
            self._process.join(patience)
            self._process.kill()
            self._process.join()
            self._lifeline.close()
            code: int | None = self._process.exitcode
            return code


# Called in the process


def messages(pipe: Connection, patience: float | None = None) -> Iterator[Any]:
    """Yield the messages to this process until the pipe closes, or until none has come for
    `patience` seconds.
    """
    with suppress(EOFError, OSError):
        while pipe.poll(patience):
            yield pipe.recv()


def _live(lifeline: Connection, work: Callable[..., None], *arguments: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # the starter gets these signals and ends the process
        signal.signal(number, signal.SIG_IGN)
    _end_with(lifeline)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # unbuffered, because the process may be killed
    work(*arguments)


if sys.platform == "win32":

    def _end_with(lifeline: Connection) -> None:
        def watch() -> None:
            lifeline.poll(None)
            os._exit(0)

        Thread(target=watch, daemon=True).start()

else:
    import fcntl

    def _end_with(lifeline: Connection) -> None:
        """End this process when the other end closes. The kernel sends the signal, even if a brain
        is busy.
        """
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
        if lifeline.poll():  # the pipe has closed already
            os._exit(0)
