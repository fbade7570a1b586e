"""As many processes as there are thoughts at a time, for the bundled brains of one host."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from threading import BoundedSemaphore, Lock
from time import monotonic
from types import TracebackType

from ..bot import Bot, Failure, Thought, Turn
from ..brains import find_brain
from .worker import CONTEXT, BrainState, Find, Worker

RESERVE_SECONDS = 0.05
"""How late a process gets its turn, for each that shares a processor with it."""
SHORTEST_SECONDS = 0.05
"""A brain is not asked for a thought shorter than this."""


class Workers:
    """A thought takes an idle process, or else a new one, and waits only while `most` think already."""

    def __init__(self, most: int, find: Find = find_brain) -> None:
        self._find = find
        self._room = BoundedSemaphore(most)
        self._lock = Lock()
        self._idle: list[Worker] = []
        """The one that was used last is taken first, so that those too many grow old."""
        self._all: set[Worker] = set()
        self._closed = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def knows(self, brain: type[Bot]) -> bool:
        """Whether a process finds this very brain by its name."""
        try:
            return self._find(f"{brain.game}:{brain.level}") is brain
        except LookupError:
            return False

    def prepare(self, brains: Iterable[type[Bot]]) -> None:
        """Loads these once, for all processes to share."""
        modules = {brain.__module__ for brain in brains if self.knows(brain)}
        if modules and CONTEXT.get_start_method() == "forkserver":
            from multiprocessing.forkserver import ensure_running

            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # games are what runs at the same time
            started_by = {"tablero.cli"} & sys.modules.keys()
            CONTEXT.set_forkserver_preload([f"{__package__}.worker", *sorted(started_by), *sorted(modules)])
            ensure_running()

    def ask(self, brain: BrainState, turn: Turn, limit: float, since: float) -> Thought:
        """What `brain` makes of `turn`, which came at `since`: the limit counts from there."""
        if not self._room.acquire(timeout=max(0.0, since + limit - monotonic())):
            return Failure.late(limit)
        try:
            worker = self._take()
            turn.seconds = self._seconds_of(turn.seconds - (monotonic() - since))
            thought = worker.ask(brain, turn, since, limit)
            self._give_back(worker)
            return thought
        except OSError as error:  # no more processes or files
            return Failure.crash(error)
        finally:
            self._room.release()

    def close(self) -> None:
        """Ends every process, whatever it is doing."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for worker in self._all:
                worker.kill()
        for worker in idle:
            self._end(worker)

    def _seconds_of(self, left: float) -> float:
        """What of the time that is left a brain may use, so that its move is not late on a busy machine."""
        with self._lock:
            thinking = len(self._all) - len(self._idle)
        reserve = RESERVE_SECONDS * (1 + thinking / (os.cpu_count() or 1))
        return max(left - reserve, left / 2, SHORTEST_SECONDS)

    def _take(self) -> Worker:
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                break
            if worker.is_usable:
                return worker
            self._end(worker)
        worker = Worker(self._find)
        with self._lock:
            self._all.add(worker)
            if self._closed:
                worker.kill()
        return worker

    def _give_back(self, worker: Worker) -> None:
        """Keeps it for the next thought; those that have been idle for long go now."""
        with self._lock:
            known = [*self._idle, worker]
            self._idle = [each for each in known if each.is_usable and not self._closed]
            gone = [each for each in known if each not in self._idle]
        for each in gone:
            self._end(each)

    def _end(self, worker: Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)
