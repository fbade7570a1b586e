"""Brains that misbehave, with names by which processes load them."""

from __future__ import annotations

import ctypes
import os
import signal
from threading import Event as Flag
from typing import ClassVar

from tablero import Bot, Turn


class Naughty(Bot):
    game = "tic-tac-toe"


class Fine(Naughty):
    """A brain that plays the first legal move, and counts its thoughts."""

    thoughts = 0

    def choose(self, turn: Turn) -> str:
        self.thoughts += 1
        return turn.legal_moves[0]


class Counts(Fine):
    """A brain that plays the number of its thoughts, which is illegal, and reports its process."""

    def choose(self, turn: Turn) -> str:
        super().choose(turn)
        return f"{self.thoughts} in {os.getpid()}"


class Patient(Naughty):
    """A brain whose move is its time limit."""

    def choose(self, turn: Turn) -> str:
        return str(turn.seconds)


class Crashes(Naughty):
    def choose(self, turn: Turn) -> str:
        return str(1 // 0)


class Garbled(str):
    """A move that other processes cannot read."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("garbled",)


class Garbles(Naughty):
    def choose(self, turn: Turn) -> str:
        return Garbled(turn.legal_moves[0])


class Exits(Naughty):
    def choose(self, turn: Turn) -> str:
        raise SystemExit(3)


class Dies(Naughty):
    def choose(self, turn: Turn) -> str:
        os._exit(7)


class Faults(Naughty):
    def choose(self, turn: Turn) -> str:
        return ctypes.string_at(0).decode()


class Signalled(Fine):
    """A brain whose process is told to end, as every process of a service is."""

    def choose(self, turn: Turn) -> str:
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(os.getpid(), number)
        return super().choose(turn)


class Hangs(Naughty):
    """A brain that writes its process id to `told` and never ends."""

    told: str | None = None
    limit_seconds: ClassVar[float] = 30.0

    def choose(self, turn: Turn) -> str:
        if self.told is not None:
            with open(self.told, "w") as listener:
                listener.write(str(os.getpid()))
        Flag().wait()
        raise AssertionError("nobody sets it")


class HangsBriefly(Hangs):
    level = "hangs-briefly"
    limit_seconds = 0.1


class Cheats(Naughty):
    def choose(self, turn: Turn) -> str:
        return "z9"


class Holds(Naughty):
    """A brain with state that cannot be sent to another process."""

    def choose(self, turn: Turn) -> str:
        self.secret = lambda: None
        return turn.legal_moves[0]


_ALL = (
    Fine, Counts, Patient, Crashes, Garbles, Exits, Dies, Faults,
    Signalled, Hangs, HangsBriefly, Cheats, Holds,
)  # fmt: skip


def find(spec: str) -> type[Bot]:
    return {brain.level: brain for brain in _ALL}[spec.rpartition(":")[2]]
