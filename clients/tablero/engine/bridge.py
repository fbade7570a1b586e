"""A bot whose thinking is done by an engine: a process that speaks the text protocol, in any language.

Law: the process holds nothing that is not told again with every turn. A bot that was packed up and sent
elsewhere, or whose process is gone between two turns, starts a new one and goes on.
"""

from __future__ import annotations

import re
import shlex
import time
from functools import cache
from typing import Any, ClassVar

from tablero.bot import Bot, CannotGoOn, Failure, Resign, Turn
from tablero.brains import UnknownBrain
from tablero_games import GAMES, Outcome, Seat
from tablero_protocol.messages import NextPlayer

from .conversation import HANDSHAKE_SECONDS, Conversation, TooSlow
from .lines import Go, Result, ResultKind, Seen
from .process import CannotStart, Ended, EngineProcess

NODES = 5_000
"""How much work a move is worth where equal seeds must give equal games."""
_SLOWER = 10
"""There the clock is only for what hangs: it may take so many times its limit."""
_START_SECONDS = 4 * HANDSHAKE_SECONDS
"""Whoever only asks for its name is patient: nobody waits for a move yet."""
_MARGIN = 0.95
"""How much of its limit a thought may use up; the rest is for the way."""


class EngineBot(Bot):
    """One process for one seat in one game."""

    command: ClassVar[str]
    move_seconds: ClassVar[float] = 1.0
    """How long it is asked to think where no clock runs; it loses the game only by `limit_seconds`."""

    def __init__(self) -> None:
        self._process: EngineProcess | None = None
        self._talk: Conversation | None = None
        self._seed: int | None = None
        self._history: list[str] | None = None
        """Every move of the game so far; None where we were not there from the start, or it is hidden."""
        self._is_over = False

    def __reduce__(self) -> tuple[Any, ...]:
        state = {**self.__getstate__(), "_process": None, "_talk": None}
        return _packed_up, (self.command, self.game, self.level), state

    def choose(self, turn: Turn) -> str | None:
        limit = turn.seconds * _MARGIN * (_SLOWER if self.repeatable else 1)
        try:
            return self._ask(turn, limit)
        except (CannotStart, Ended) as error:
            self._end()
            if self._is_over:
                return None  # the game ended while it thought, and so did the process
            raise CannotGoOn(Failure("crashed", str(error))) from None
        except TooSlow as slow:
            self._end()
            raise CannotGoOn(Failure("timeout", str(slow))) from None

    def _ask(self, turn: Turn, seconds: float) -> str | None:
        until = time.monotonic() + seconds
        process, talk = self._ready(turn, seconds)
        moves = tuple(self._history) if self._history is not None else None
        talk.show(Seen(turn.view, turn.ply, _last(turn)), tuple(turn.legal_moves), moves)
        answer = talk.ask(self._go(turn), until - time.monotonic())
        if self._is_over:
            process.dismiss()
        if answer.resigns:
            raise Resign
        return answer.move

    def _ready(self, turn: Turn, seconds: float) -> tuple[EngineProcess, Conversation]:
        """The process, started if there is none, and told of the game; it is all one thought."""
        if self._process is None or self._talk is None:
            process = self._process = EngineProcess(shlex.split(self.command))
            talk = self._talk = Conversation(process)
            talk.greet(seconds)
            if self._seed is None:
                self._seed = self.random.getrandbits(31)
            talk.set_seed(self._seed)
            talk.begin(turn.game, dict(turn.options), seats_of(turn), turn.seat)
            talk.get_ready(seconds)
        return self._process, self._talk

    def _go(self, turn: Turn) -> Go:
        seconds = turn.seconds * _MARGIN * _MARGIN
        if turn.clocks is None:
            seconds = min(seconds, self.move_seconds)
        return Go(
            movetime=max(1, int(seconds * 1000)),
            nodes=NODES if self.repeatable else None,
            clock=None if turn.clocks is None else tuple(turn.clocks),
        )

    def play_turn(self, event: NextPlayer) -> None:
        if event.seat == self.player:
            self._take_note(event)
        super().play_turn(event)

    def _take_note(self, event: NextPlayer) -> None:
        """Keeps the moves so far, and tells the engine when the game is over."""
        if event.ply == 0:
            self._history = None if GAMES[self.game].hidden else []
        elif self._history is not None and event.ply != len(self._history):
            follows = event.ply == len(self._history) + 1 and event.last is not None and event.last.move
            self._history = [*self._history, str(follows)] if follows else None
        if event.outcome is not None or "outcome" in event.view:
            outcome = Outcome.from_json(event.outcome or event.view["outcome"])
            self._is_over = True
            if self._process is not None:
                self._process.say(Result(_how(outcome, self.player), outcome.reason))
                self._process.dismiss()

    def disconnect(self) -> None:
        super().disconnect()
        self._is_over = True
        if self._process is not None:
            self._process.dismiss()

    def _end(self) -> None:
        process, self._process, self._talk = self._process, None, None
        if process is not None:
            process.kill()


def seats_of(turn: Turn) -> int:
    """How many play: as many as the game has, or as its view lists."""
    rules = GAMES[turn.game]
    allowed = rules.seats(rules.read_options(dict(turn.options)))
    return allowed[0] if len(allowed) == 1 else len(turn.view["players"])


def _last(turn: Turn) -> tuple[Seat, str] | None:
    last = turn.last
    return None if last is None or last.seat is None or last.move is None else (last.seat, last.move)


def _how(outcome: Outcome, seat: Seat) -> ResultKind:
    if outcome.kind == "draw":
        return "draw"
    return "win" if seat in outcome.winners else "loss"


def engine_brain(command: str, game: str | None = None) -> type[Bot]:
    """The engine that `command` starts, for one game; its first one unless you say another.

    Starts it to ask for its name and its games. Raises UnknownBrain.
    """
    try:
        process = EngineProcess(shlex.split(command) or [""])
    except (CannotStart, ValueError) as error:
        raise UnknownBrain(str(error)) from None
    try:
        identity = Conversation(process).greet(_START_SECONDS)
        process.dismiss()
    except (TooSlow, Ended) as error:
        process.kill()
        raise UnknownBrain(f"{command} is no engine: {error}") from None
    games = identity.known_games
    if game not in (None, *games) or not games:
        plays = " ".join(games) or "none of our games"
        raise UnknownBrain(f"{command} does not play {game or 'here'}: it plays {plays} (its `id games`).")
    return engine_class(command, game or games[0], level_of(identity.name or command))


@cache
def engine_class(command: str, game: str, level: str) -> type[EngineBot]:
    """The same class for the same engine, also in another process."""
    return type("EngineBot", (EngineBot,), {"command": command, "game": game, "level": level})


def _packed_up(command: str, game: str, level: str) -> EngineBot:
    return engine_class(command, game, level)()


def level_of(name: str) -> str:
    """A name as it stands behind the colon of GAME:LEVEL."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "engine"
