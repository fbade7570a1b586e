"""A bot whose thinking is done by an engine: a process in any language that speaks the protocol in lines.

Law: an engine sees only what its seat may see. Every turn repeats everything that the process needs, so an
engine that ended between two turns can be started again.
"""

from __future__ import annotations

import re
import shlex
import time
from functools import cache
from typing import ClassVar

from tablero.bot import Bot, CannotGoOn, Failure, Resign, Turn
from tablero.brains import UnknownBrain
from tablero.errors import Refused
from tablero_games import GAMES, Outcome
from tablero_protocol import messages
from tablero_protocol.messages import NextPlayer

from ..processes import Ended
from ..processes.program import CannotStart, Program
from .conversation import HELLO_SECONDS, Conversation, Introduction, TooMuch, TooSlow

_START_SECONDS = 4 * HELLO_SECONDS
"""Seconds for the start if only the engine's name is asked for, so that no game waits."""
_MARGIN = 0.95
"""The share of its limit that a thought may use. The rest is for sending."""


class EngineBot(Bot):
    """One process for one seat in one game."""

    command: ClassVar[str]

    def __init__(self) -> None:
        self._process: Program | None = None
        self._talk: Conversation | None = None
        self._dice: int | None = None
        self._is_over = False

    def choose(self, turn: Turn) -> str | None:
        try:
            return self._ask(turn, turn.seconds * _MARGIN)
        except (CannotStart, Ended, TooMuch) as error:
            self._end()
            if self._is_over:
                return None  # the game ended during the thought, and the process with it
            raise CannotGoOn(Failure("crashed", str(error))) from None
        except TooSlow as slow:
            self._end()
            raise CannotGoOn(Failure("timeout", str(slow))) from None

    def _ask(self, turn: Turn, seconds: float) -> str | None:
        until = time.monotonic() + seconds
        talk = self._ready(turn, seconds)
        answer = talk.ask(self._shown(turn), until - time.monotonic())
        if self._is_over:
            self._dismiss()
        if isinstance(answer, messages.Resign):
            raise Resign
        return None if answer is None else answer.move

    def _ready(self, turn: Turn, seconds: float) -> Conversation:
        """The conversation about this game, which begins if there is none. Its start counts as part
        of the thought.
        """
        if self._process is None or self._talk is None:
            self._process = Program(shlex.split(self.command))
            talk = Conversation(self._process)
            talk.greet(seconds)
            if self._dice is None:
                self._dice = self.random.getrandbits(31)
            talk.begin(
                turn.game, turn.options, seats_of(turn), turn.seat, room=turn.event.room, dice=self._dice
            )
            self._talk = talk
        return self._talk

    def _shown(self, turn: Turn) -> NextPlayer:
        """The turn with all that helps to think about it."""
        milliseconds = turn.seconds * _MARGIN * _MARGIN * 1000
        if turn.clocks is None:
            milliseconds = min(milliseconds, self.budget.movetime)
        told = {
            "legal_moves": list(turn.legal_moves),
            "movetime": max(1, int(milliseconds)),
            "nodes": (self.repeatable and self.budget.nodes) or None,
        }
        return turn.event.model_copy(update=told)

    def play_turn(self, event: NextPlayer) -> None:
        is_told_elsewhere = self.player in event.seats  # the question itself tells the turn
        if self._talk is not None and event.seat == self.player and not is_told_elsewhere:
            self._talk.show(event)
        super().play_turn(event)

    def on_end(self, outcome: Outcome) -> None:
        self._dismiss()

    def disconnect(self) -> None:
        super().disconnect()
        self._dismiss()

    def _dropped(self, turn: Turn, refused: Refused | None) -> None:
        if refused is not None and self._talk is not None:
            self._talk.refuse(refused)
        super()._dropped(turn, refused)

    def _dismiss(self) -> None:
        """Send `bye`, once."""
        was_over, self._is_over = self._is_over, True
        if self._process is not None:
            if self._talk is not None and not was_over:
                self._talk.end()
            self._process.dismiss()

    def _end(self) -> None:
        process, self._process, self._talk = self._process, None, None
        if process is not None:
            process.end()


def seats_of(turn: Turn) -> int:
    """The number of seats of the game: fixed, or the number in the view."""
    rules = GAMES[turn.game]
    allowed = rules.seats(rules.read_options(dict(turn.options)))
    return allowed[0] if len(allowed) == 1 else len(turn.view["players"])


def engine_brain(command: str, game: str | None = None) -> type[Bot]:
    """The class for the engine that `command` starts, and for one of its games: by default the first.

    Starts the engine to ask for its name and games. Raises UnknownBrain.
    """
    try:
        process = Program(shlex.split(command) or [""])
    except (CannotStart, ValueError) as error:
        raise UnknownBrain(str(error)) from None
    try:
        talk = Conversation(process)
        identity = talk.greet(_START_SECONDS)
        talk.end("That was all.")
        process.dismiss()
    except (TooSlow, TooMuch, Ended) as error:
        process.end()
        raise UnknownBrain(f"{command} is no engine: {error}") from None
    games = identity.known_games
    if game not in (None, *games) or not games:
        plays = " ".join(identity.levels) or "nothing"
        raise UnknownBrain(f"{command} does not play {game or 'a game of ours'}: its `hello` says {plays}.")
    return engine_class(command, game or games[0], level_of(identity, game or games[0], command))


@cache
def engine_class(command: str, game: str, level: str) -> type[EngineBot]:
    """The class for this engine, game and level. The same arguments give the same class."""
    return type("EngineBot", (EngineBot,), {"command": command, "game": game, "level": level})


def level_of(identity: Introduction, game: str, command: str) -> str:
    """The level in GAME:LEVEL: the first level that the engine offers, else its name."""
    name = next(iter(identity.levels.get(game, ())), "") or identity.name or command
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "engine"
