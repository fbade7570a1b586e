"""A process in which bundled brains think, one thought at a time: how it is asked, and what runs in it.

Law: a brain's state travels to the process with each turn and back with the move, so any process may think
for any seat, and one that dies takes nothing with it but the thought it was asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from threading import Lock
from time import monotonic
from typing import Any

from ..bot import GRACE_SECONDS, Bot, Failure, Thought, Turn, attempt
from ..processes import Ended
from ..processes.apart import Apart, messages
from .threads import IDLE_SECONDS

Find = Callable[[str], type[Bot]]
"""Gives the brain of a name, "GAME:LEVEL", in whichever process it is called."""

CONTEXT: Any = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
NICENESS = 5
"""Thinking gives way to a server and a host on the same machine."""


class BrainState:
    """A bundled brain at one seat: its state between two thoughts, and the process it is thinking in."""

    def __init__(self, bot: Bot) -> None:
        self.spec = f"{bot.game}:{bot.level}"
        self._state = self._first_state = _packed(bot)
        """As it came from a process; here it is never looked into."""
        self._lock = Lock()
        self._worker: Worker | None = None
        self._stopped = False

    @property
    def packed(self) -> bytes:
        return self._state

    def begin(self, worker: Worker) -> bool:
        """Whether it may think in `worker`, and was not told to stop."""
        with self._lock:
            self._worker = None if self._stopped else worker
            return not self._stopped

    def end(self, state: bytes | None) -> bool:
        """The process is free for others; whether the thought still counts."""
        with self._lock:
            self._worker, self._state = None, state or self._first_state
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
        self._apart = Apart(CONTEXT, work, find)
        self._idle_since: float | None = monotonic()

    @property
    def is_usable(self) -> bool:
        """Whether it is there, and will be for as long as it takes to ask it."""
        since = self._idle_since
        return since is not None and monotonic() - since < IDLE_SECONDS and not self._apart.pipe.poll()

    def ask(self, brain: BrainState, turn: Turn, since: float, limit: float) -> Thought:
        """Waits for the thought, and a moment more. The process is of no more use if none comes."""
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
        except Exception as error:  # what came back cannot be read
            thought = Failure.crash(error)
            self.end()
        return thought if brain.end(state) else None

    def kill(self) -> None:
        self._apart.kill()

    def end(self, patience: float = 0.0) -> int | None:
        """Ends it, unless it does so by itself in time; gives its exit code."""
        return self._apart.end(patience)


# What runs in the process


def work(pipe: Connection, find: Find) -> None:
    """Thinks until nobody asks any more, or for long after it was of use."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for spec, turn, packed in messages(pipe, 2 * IDLE_SECONDS):
        answer = _answer(find, spec, turn, packed)
        with suppress(OSError):  # nobody waits for it any more
            pipe.send(answer)


def _answer(find: Find, spec: str, turn: Turn, packed: bytes) -> tuple[Thought, bytes]:
    try:
        brain = find(spec)
        bot = brain.__new__(brain)
        vars(bot).update(ForkingPickler.loads(packed))
        return attempt(bot.choose, turn), _packed(bot)
    except Exception as error:  # what it cannot be made of, or what of it cannot travel
        return Failure.crash(error), b"nothing"
