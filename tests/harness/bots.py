"""Bots that play at once, and turns that they can play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablero import Bot, Turn
from tablero.bot import Thought
from tablero.bots.workers import BrainState, Workers
from tablero_protocol.messages import NextPlayer
from tests.harness.rig import turn as told


class First(Bot):
    """Plays the first legal move, or the moves that a test puts into `moves`."""

    game = "tic-tac-toe"

    def __init__(self) -> None:
        self.moves: list[Any] = []
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> str | None:
        self.turns.append(turn)
        move: str | None = self.moves.pop(0) if self.moves else turn.legal_moves[0]
        if isinstance(move, Exception):
            raise move
        return move


def a_turn(cells: str = "01.......", game: str = "tic-tac-toe", **more: Any) -> Turn:
    event = told(1, cells, **more)
    assert isinstance(event, NextPlayer)
    return Turn(event, game, {})


Thinking = Callable[[BrainState, Turn], Thought]


class FakeWorkers(Workers):
    """Processes that think as the test says, and note which brain thought."""

    def __init__(self, think: Thinking = lambda brain, turn: "c1") -> None:
        super().__init__(1, lambda spec: First)
        self.brains: list[BrainState] = []
        self.seconds: list[float] = []
        self._thinking = think

    def ask(self, brain: BrainState, turn: Turn, limit: float, since: float) -> Thought:
        self.brains.append(brain)
        self.seconds.append(turn.seconds)
        return self._thinking(brain, turn)
