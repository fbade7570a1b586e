"""Bots that misbehave; arenas load them by this file's name."""

from __future__ import annotations

import os
import re
import sys
import time

from tablero import Bot, Turn
from tablero.processes.program import Program


class First(Bot):
    """A harmless bot that prints much."""

    game = "connect-four"

    def choose(self, turn: Turn) -> str:
        print("This must not get into the report.")
        return turn.legal_moves[0]


class Crashing(First):
    def choose(self, turn: Turn) -> str:
        if turn.ply >= 4:
            raise RuntimeError("<no idea>")
        return turn.legal_moves[0]


class Cheating(First):
    def choose(self, turn: Turn) -> str:
        return "99" if turn.ply >= 4 else turn.legal_moves[0]


class Hanging(First):
    """A bot that holds the interpreter, so that nothing else in its process can run."""

    limit_seconds = 0.0

    def choose(self, turn: Turn) -> str:
        if turn.ply >= 4:
            re.match(r"(a+)+$", "a" * 60 + "b")
        return turn.legal_moves[0]


class Exiting(First):
    def choose(self, turn: Turn) -> str:
        if turn.ply >= 4:
            os._exit(3)
        return turn.legal_moves[0]


class Late(First):
    """A bot that thinks somewhat longer than its limit."""

    limit_seconds = 0.01

    def choose(self, turn: Turn) -> str:
        time.sleep(0.1)
        return turn.legal_moves[0]


class Sleepy(First):
    """A bot that exceeds its limit only on a slow machine."""

    limit_seconds = 0.01

    def choose(self, turn: Turn) -> str:
        time.sleep(0.2)
        return turn.legal_moves[0]


class Telling(First):
    """A bot that reports its start, and waits for an engine that does the same; neither ends soon."""

    ENGINE = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    TELL = (
        "f = open(sys.argv[1], 'w', 1); f.write('here\\n'); import time; time.sleep(8); f.write('still\\n')"
    )

    def choose(self, turn: Turn) -> str:
        fifo = os.environ["TELL"]
        self.engine = Program([sys.executable, "-I", "-S", "-c", self.ENGINE + self.TELL, fifo])
        with open(fifo, "w", 1) as told:
            told.write("here\n")
            time.sleep(8)
            told.write("still\n")
        return turn.legal_moves[0]
