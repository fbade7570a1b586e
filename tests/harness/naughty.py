"""Brains that do what brains should not, under names by which a process finds them."""

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
    """Plays the first legal move, and counts its thoughts."""

    thoughts = 0

    def choose(self, turn: Turn) -> str:
        self.thoughts += 1
        return turn.legal_moves[0]


class Counts(Fine):
    """Plays the number of its thoughts, which no rule allows, and says where it had them."""

    def choose(self, turn: Turn) -> str:
        super().choose(turn)
        return f"{self.thoughts} in {os.getpid()}"


class Patient(Naughty):
    """Plays how long it may think."""

    def choose(self, turn: Turn) -> str:
        return str(turn.seconds)


class Crashes(Naughty):
    def choose(self, turn: Turn) -> str:
        return str(1 // 0)


class Garbled(str):
    """A move that no one else can read."""

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
    """Is told to end, as every process of a service is."""

    def choose(self, turn: Turn) -> str:
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(os.getpid(), number)
        return super().choose(turn)


class Hangs(Naughty):
    """Write its process to `told`, and think for ever."""

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
    """Keeps what cannot travel."""

    def choose(self, turn: Turn) -> str:
        self.secret = lambda: None
        return turn.legal_moves[0]


_ALL = (
    Fine, Counts, Patient, Crashes, Garbles, Exits, Dies, Faults,
    Signalled, Hangs, HangsBriefly, Cheats, Holds,
)  # fmt: skip


def find(spec: str) -> type[Bot]:
    return {brain.level: brain for brain in _ALL}[spec.rpartition(":")[2]]
