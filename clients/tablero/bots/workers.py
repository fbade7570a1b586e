"""The processes in which bundled brains think: one thought at a time in each.

Law: a brain's state travels to the process with each turn and back with the move. So any process may think
for any seat, and a process that dies loses only its current thought.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from threading import BoundedSemaphore, Lock
from time import monotonic
from types import TracebackType
from typing import Any

from ..bot import GRACE_SECONDS, Bot, Failure, Thought, Turn, attempt
from ..brains import find_brain
from ..processes import Ended
from ..processes.apart import Apart, messages
from .threads import IDLE_SECONDS

Find = Callable[[str], type[Bot]]
"""Function that returns the brain named "GAME:LEVEL", in any process."""

CONTEXT: Any = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
NICENESS = 5
"""Niceness of the processes, so that a server and a host on the same machine go first."""
RESERVE_SECONDS = 0.05
"""Expected delay before a process runs, for each process that shares its processor."""
SHORTEST_SECONDS = 0.05
"""Minimum seconds for a thought."""


class BrainState:
    """A bundled brain at one seat: its state between two thoughts, and the process in which it thinks."""

    def __init__(self, bot: Bot) -> None:
        self.spec = f"{bot.game}:{bot.level}"
        self._state = self._first_state = _packed(bot)
        """The state as bytes from a process. It is never decoded here."""
        self._lock = Lock()
        self._worker: Worker | None = None
        self._stopped = False

    @property
    def packed(self) -> bytes:
        return self._state

    def begin(self, worker: Worker) -> bool:
        """Note that the brain thinks in `worker`. Returns False if the brain was told to stop."""
        with self._lock:
            self._worker = None if self._stopped else worker
            return not self._stopped

    def end(self, state: bytes | None) -> bool:
        """Store the new state and free the process. Returns whether the thought still counts."""
        with self._lock:
            self._worker, self._state = None, state or self._first_state
            return not self._stopped

    def stop(self) -> None:
        """Stop the brain because the game is over, even in the middle of a thought."""
        with self._lock:
            self._stopped = True
            if self._worker is not None:
                self._worker.kill()


def _packed(bot: Bot) -> bytes:
    return bytes(ForkingPickler.dumps(bot.__getstate__()))


class Worker:
    """One process, as seen by its users. It ends when this end of the pipe is closed."""

    def __init__(self, find: Find) -> None:
        self._apart = Apart(CONTEXT, work, find)
        self._idle_since: float | None = monotonic()

    @property
    def is_usable(self) -> bool:
        """Whether the process runs and will run long enough to be asked."""
        since = self._idle_since
        return since is not None and monotonic() - since < IDLE_SECONDS and not self._apart.pipe.poll()

    def ask(self, brain: BrainState, turn: Turn, since: float, limit: float) -> Thought:
        """Wait for the thought, a little beyond its limit. Without an answer the process becomes unusable."""
        if not brain.begin(self):
            return None
        self._idle_since, state = None, None
        thought: Thought = Failure.late(limit)
        try:
            self._apart.say((brain.spec, turn, brain.packed))
            answer = self._apart.hear(max(0.0, since + limit + GRACE_SECONDS - monotonic()))
            if answer is not None:
                thought, state = answer
                self._idle_since = monotonic()
        except Ended as ended:
            thought = Failure.death(ended.code)
        except Exception as error:  # the answer can't be unpickled
            thought = Failure.crash(error)
            self.end()
        return thought if brain.end(state) else None

    def kill(self) -> None:
        self._apart.kill()

    def end(self, patience: float = 0.0) -> int | None:
        """End the process unless it ends in time by itself, and return its exit code."""
        return self._apart.end(patience)


class Workers:
    """A pool of processes: a thought takes an idle process or a new one, and waits if `most` are thinking."""

    def __init__(self, most: int, find: Find = find_brain) -> None:
        self._find = find
        self._room = BoundedSemaphore(most)
        self._lock = Lock()
        self._idle: list[Worker] = []
        """The idle processes. The last used is taken first, so that surplus ones time out."""
        self._all: set[Worker] = set()
        self._closed = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def knows(self, brain: type[Bot]) -> bool:
        """Whether a process finds this exact class by its name."""
        try:
            return self._find(f"{brain.game}:{brain.level}") is brain
        except LookupError:
            return False

    def prepare(self, brains: Iterable[type[Bot]]) -> None:
        """Load these brains once, for all processes to share."""
        modules = {brain.__module__ for brain in brains if self.knows(brain)}
        if modules and CONTEXT.get_start_method() == "forkserver":
            from multiprocessing.forkserver import ensure_running

            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # games run in parallel
            started_by = {"tablero.cli"} & sys.modules.keys()
            CONTEXT.set_forkserver_preload([__name__, *sorted(started_by), *sorted(modules)])
            ensure_running()

    def ask(self, brain: BrainState, turn: Turn, limit: float, since: float) -> Thought:
        """Return the move of `brain` for `turn`. The time `limit` counts from `since`, when the turn came."""
        if not self._room.acquire(timeout=max(0.0, since + limit - monotonic())):
            return Failure.late(limit)
        try:
            worker = self._take()
            turn.seconds = self._seconds_of(turn.seconds - (monotonic() - since))
            thought = worker.ask(brain, turn, since, limit)
            self._give_back(worker)
            return thought
        except OSError as error:  # too many processes or files
            return Failure.crash(error)
        finally:
            self._room.release()

    def close(self) -> None:
        """End every process, even in the middle of a thought."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for worker in self._all:
                worker.kill()
        for worker in idle:
            self._end(worker)

    def _seconds_of(self, left: float) -> float:
        """Seconds that a brain may use of the time left, so that its move isn't late on a busy machine."""
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
        """Keep `worker` for the next thought, and end the processes that were idle for too long."""
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


# Called in the process


def work(pipe: Connection, find: Find) -> None:
    """Think until the pipe closes, or until no request has come for a long time."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for spec, turn, packed in messages(pipe, 2 * IDLE_SECONDS):
        answer = _answer(find, spec, turn, packed)
        with suppress(OSError):  # the caller is gone
            pipe.send(answer)


def _answer(find: Find, spec: str, turn: Turn, packed: bytes) -> tuple[Thought, bytes]:
    try:
        brain = find(spec)
        bot = brain.__new__(brain)
        vars(bot).update(ForkingPickler.loads(packed))
        return attempt(bot.choose, turn), _packed(bot)
    except Exception as error:  # the state can't be unpickled, or the answer can't be pickled
        return Failure.crash(error), b"nothing"
