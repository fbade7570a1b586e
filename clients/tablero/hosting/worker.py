"""A process in which bundled brains think, one thought at a time: how it is asked, and what runs in it.

Law: a brain's state travels to the process with each turn and back with the move, so any process may think
for any seat, and one that dies takes nothing with it but the thought it was asked for.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any

from ..bot import Bot, Failure, Thought, Turn, attempt
from .threads import GRACE_SECONDS, IDLE_SECONDS

Find = Callable[[str], type[Bot]]
"""Gives the brain of a name, "GAME:LEVEL", in whichever process it is called."""

CONTEXT: Any = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
NICENESS = 5
"""Thinking gives way to a server and a host on the same machine."""
_one_at_a_time = Lock()
"""multiprocessing starts and buries processes in one thread only."""


class Mind:
    """A bundled brain at one seat: its state between two thoughts, and the process it is thinking in."""

    def __init__(self, bot: Bot) -> None:
        self.spec = f"{bot.game}:{bot.level}"
        self.limit = bot.limit_seconds
        self._bot = bot
        self._state: bytes | None = None
        """As it came from a process; here it is never looked into."""
        self._lock = Lock()
        self._worker: Worker | None = None
        self._stopped = False

    @property
    def state(self) -> bytes:
        return _packed(self._bot) if self._state is None else self._state

    def begin(self, worker: Worker) -> bool:
        """Whether it may think in `worker`, and was not told to stop."""
        with self._lock:
            self._worker = None if self._stopped else worker
            return not self._stopped

    def end(self, state: bytes | None) -> bool:
        """The process is free for others; whether the thought still counts."""
        with self._lock:
            self._worker, self._state = None, state
            return not self._stopped

    def stop(self) -> None:
        """Its game is over: it thinks no more, also not to the end of its sentence."""
        with self._lock:
            self._stopped = True
            if self._worker is not None:
                self._worker.kill()


def _packed(bot: Bot) -> bytes:
    return bytes(ForkingPickler.dumps(bot.__getstate__()))


class Worker:
    """One process, as those see it who ask it. It ends when this end of the line is closed."""

    def __init__(self, find: Find) -> None:
        self._line, theirs = CONTEXT.Pipe()
        with _one_at_a_time, theirs:
            self._process = CONTEXT.Process(target=work, args=(theirs, find), name="brains", daemon=True)
            self._process.start()
        self._idle_since: float | None = monotonic()

    @property
    def is_usable(self) -> bool:
        """Whether it is there, and will be for as long as it takes to ask it."""
        since = self._idle_since
        return since is not None and monotonic() - since < IDLE_SECONDS and not self._line.poll()

    def think(self, mind: Mind, turn: Turn, until: float) -> Thought:
        """Waits for the thought, and a moment beyond `until`. The process is of no more use if none comes."""
        if not mind.begin(self):
            return None
        self._idle_since, state, thought = None, None, None
        try:
            self._line.send((mind.spec, turn))
            self._line.send_bytes(mind.state)
            if self._line.poll(max(0.0, until + GRACE_SECONDS - monotonic())):
                thought, state = self._line.recv(), self._line.recv_bytes()
                self._idle_since = monotonic()
            else:
                thought = Failure.late(mind.limit)
        except (EOFError, OSError):
            thought = Failure.death(self.end(patience=0.2))
        except Exception as error:  # what came back cannot be read
            thought = Failure.crash(error)
            self.end()
        return thought if mind.end(state) else None

    def kill(self) -> None:
        self._process.kill()

    def end(self, patience: float = 0.0) -> int | None:
        """Ends it, unless it does so by itself in time; gives its exit code."""
        with _one_at_a_time:
            self._line.close()
            self._process.join(patience)
            self._process.kill()
            self._process.join()
            code: int | None = self._process.exitcode
            return code


# What runs in the process


def work(line: Connection, find: Find) -> None:
    """Thinks until nobody asks any more, or whoever asks is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the host, which ends us in good order
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    questions: SimpleQueue[tuple[str, Turn, dict[str, Any]]] = SimpleQueue()
    Thread(target=_listen, args=(line, questions), daemon=True).start()
    while True:
        try:
            spec, turn, state = questions.get(timeout=2 * IDLE_SECONDS)  # long after it was of use
        except Empty:
            return
        thought, after = _think(find, spec, turn, state)
        with suppress(OSError):  # nobody waits for it any more
            line.send(thought)
            line.send_bytes(after)


def _think(find: Find, spec: str, turn: Turn, state: dict[str, Any]) -> tuple[Thought, bytes]:
    try:
        brain = find(spec)
        bot = brain.__new__(brain)
        vars(bot).update(state)
        return attempt(bot.choose, turn), _packed(bot)
    except Exception as error:  # what it cannot be made of, or what of it cannot travel
        return Failure.crash(error), b"nothing"


def _listen(line: Connection, questions: SimpleQueue[Any]) -> None:
    try:
        while True:
            spec, turn = line.recv()
            questions.put((spec, turn, line.recv()))
    except (EOFError, OSError):
        os._exit(0)  # also in mid-thought: nobody waits for it
