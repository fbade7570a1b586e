"""Threads that run brains or wait for them, so that no thought holds up a connection.

Law: no task waits for another one. The threads end with the process, even in mid-thought.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from ..bot import GRACE_SECONDS, Choose, Failure, Thought, Turn, attempt

Task = Callable[[], None]

IDLE_SECONDS = 60.0
"""Seconds after which an idle thread or process ends."""


class Thinkers:
    """A pool of threads: a task takes an idle thread, or a new one if all are busy."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._lock = Lock()
        self._idle = 0
        """Number of threads waiting for a task, minus the tasks waiting for a thread."""

    def submit(self, task: Task) -> None:
        with self._lock:
            is_one_idle = self._idle > 0
            if is_one_idle:
                self._idle -= 1
        self._tasks.put(task)
        if not is_one_idle:
            Thread(target=self._work, name="thinker", daemon=True).start()

    def _work(self) -> None:
        while True:
            try:
                task = self._tasks.get(timeout=self._idle_seconds)
            except Empty:
                with self._lock:
                    if self._idle > 0:  # no task was promised to this thread
                        self._idle -= 1
                        return
                continue
            task()
            with self._lock:
                self._idle += 1


def think_here(choose: Choose, turn: Turn, limit: float) -> Thought:
    """Let a brain think in a thread of this process. A brain that is too late can't be stopped and keeps the
    thread.
    """
    thoughts: SimpleQueue[Thought] = SimpleQueue()
    Thread(target=lambda: thoughts.put(attempt(choose, turn)), name="brain", daemon=True).start()
    try:
        return thoughts.get(timeout=limit + GRACE_SECONDS)
    except Empty:
        return Failure.late(limit)
