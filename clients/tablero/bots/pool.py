"""The pool in which bots think: bundled bots in processes, all others in threads of this process.

Law: all callers use this one pool, and every thought ends in time.
"""

from __future__ import annotations

from threading import Lock
from time import monotonic
from weakref import WeakKeyDictionary, WeakSet

from ..bot import Bot, Failure, Thought, Turn
from .threads import think_here
from .workers import BrainState, Workers


class Pool:
    def __init__(self, workers: Workers | None = None) -> None:
        """Let bots think in the processes of `workers`; without any, each thinks in a thread."""
        self._workers = workers
        self._lock = Lock()
        self._states: WeakKeyDictionary[Bot, BrainState] = WeakKeyDictionary()
        """The states of bots that think in processes, from their first thought on."""
        self._stopped: WeakSet[Bot] = WeakSet()

    def think(self, bot: Bot, turn: Turn, limit: float) -> Thought:
        """Return the move of `bot` for `turn` within `limit` seconds, plus a short tolerance.

        Blocks, so call this in a thread. The time spent waiting for a process counts, too.
        """
        since = monotonic()
        if self._workers is None or not self._workers.knows(type(bot)):
            return think_here(bot.choose, turn, limit)
        try:
            brain = self._state_of(bot)
        except Exception as error:  # the bot's state can't be pickled
            return Failure.crash(error)
        return None if brain is None else self._workers.ask(brain, turn, limit, since)

    def stop(self, bot: Bot) -> None:
        """Stop `bot` because its game is over. A thought in a process ends; a thought in a thread can't be
        stopped.
        """
        if self._workers is None or not self._workers.knows(type(bot)):
            return
        with self._lock:
            self._stopped.add(bot)
            brain = self._states.get(bot)
        if brain is not None:
            brain.stop()

    def _state_of(self, bot: Bot) -> BrainState | None:
        """The state of the bot's brain; None if the bot was stopped."""
        with self._lock:
            if bot in self._stopped:
                return None
            brain = self._states.get(bot)
            if brain is None:
                brain = self._states[bot] = BrainState(bot)
            return brain
