"""`tablero engine SPEC`: a Python bot behind standard input and output.

Law: standard output carries messages and nothing else; what a bot prints goes to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import IO

from tablero.bot import Bot, Thought, Turn
from tablero.hosting.pool import Pool
from tablero.hosting.threads import Thinkers
from tablero_protocol.messages import ClientMessage

from .answering import Answering
from .lines import line_of

Task = Callable[[], bool]
"""Something to do in the main thread; False ends the program."""


def serve(brain: type[Bot]) -> int:
    """Runs until `bye` or the end of the input; the exit code."""
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "w", encoding="ascii") as output:
        os.dup2(2, 1)
        _converse(brain, sys.stdin, output)
    return 0


def _converse(brain: type[Bot], source: IO[str], output: IO[str]) -> None:
    tasks: SimpleQueue[Task] = SimpleQueue()
    pool, threads = Pool(), Thinkers()

    def say(message: ClientMessage) -> None:
        output.write(line_of(message))
        output.flush()

    def note(sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)

    def think(bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        def in_time() -> None:
            tasks.put(partial(_hand_over, pool.think(bot, turn, bot.limit_seconds), done))

        threads.submit(in_time)

    answering = Answering(brain, say, think, note)
    answering.hello()

    def listen() -> None:
        for line in source:
            tasks.put(partial(answering.hear, line))
        tasks.put(lambda: False)

    Thread(target=listen, daemon=True).start()
    while tasks.get()():
        pass


def _hand_over(thought: Thought, done: Callable[[Thought], None]) -> bool:
    done(thought)
    return True
