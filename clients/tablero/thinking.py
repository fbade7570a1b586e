"""Threads in which brains think, so that no thought holds up a connection."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Task = Callable[[], None]


class Thinkers:
    """At most `most` threads, made as they are needed. They end with the process, also in mid-thought."""

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._threads = 0
        self._waiting: SimpleQueue[Task] = SimpleQueue()

    def submit(self, task: Task) -> None:
        if self._threads < self._most:
            self._threads += 1
            Thread(target=self._work, name=f"thinker-{self._threads}", daemon=True).start()
        self._waiting.put(task)

    def _work(self) -> None:
        while True:
            self._waiting.get()()
