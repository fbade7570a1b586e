"""The program `tablero engine SPEC`: a Python bot behind standard input and output.

Law: standard output carries only messages. The bot's own prints go to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from tablero.bot import Bot, Failure, Thought, Turn
from tablero.bots.pool import Pool
from tablero.bots.threads import Thinkers
from tablero.dice import dice
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import Seat
from tablero_protocol import messages
from tablero_protocol.codec import ProtocolError
from tablero_protocol.messages import (
    PROTOCOL,
    BotCard,
    Brain,
    Bye,
    ClientMessage,
    Hello,
    Joined,
    NextPlayer,
    PlayTurn,
    Resign,
    Say,
)
from tablero_protocol.text import clean

from .lines import JSON, line_of

Think = Callable[[Bot, Turn, Callable[[Thought], None]], None]
"""Function that runs the bot's thought where it may take its time, then calls the callback with the
result.
"""


class Answering:
    """A session that plays one bot at a time, for one host."""

    def __init__(
        self,
        brain: type[Bot],
        say: Callable[[ClientMessage], None],
        think: Think,
        note: Callable[[str], None],
    ) -> None:
        """Prepare the session. `say` writes to the host, `note` to the standard error."""
        self._brain = brain
        self._say = say
        self._think = think
        self._note = note
        self._bot: Bot | None = None
        self._seat: Seat = 0
        self._room = ""
        self._commands = 0
        # The attributes of the bot's table
        self.game = brain.game
        self.options: Mapping[str, Any] = {}
        self.next_player: Event[NextPlayer] = Event()

    def hello(self) -> None:
        brains = [Brain(game=self.game, levels=[self._brain.level])]
        name, bot = self._brain.level[:64], BotCard(brains=brains)
        self._say(Hello(id=self._id(), protocol=PROTOCOL, client="tablero engine", name=name, bot=bot))

    def hear(self, line: str) -> bool:
        """Answer one line. Returns False after the last one."""
        try:
            message = JSON.decode_server(line)
        except ProtocolError as error:
            self._note(f"Passed over a line: {error.sentence}")
            return True
        match message:
            case Joined(table=table, seat=seat) if table is not None and seat is not None:
                self._sit_down(table, seat, message.dice)
            case NextPlayer() if message.room == self._room:
                if self._bot is not None:
                    self._bot.repeatable = message.nodes is not None
                self.next_player.emit(message)
            case messages.Refused():
                self._note(f"Refused: {clean(message.message)}")
            case Bye():
                return False
            case _:
                pass
        return True

    def _sit_down(self, table: messages.Table, seat: Seat, dice_from: int | None) -> None:
        if self._bot is not None:
            self._bot.disconnect()
            self._bot = None
        self._room, self._seat, self.options = table.room, seat, table.options
        if table.game != self.game:
            self._note(f"This bot plays {self.game}.")
            self.give_up(seat, None)
            return
        self._bot = self._brain()
        self._bot.random = dice(dice_from)
        self._bot.init(self, seat)

    def _id(self) -> str:
        self._commands += 1
        return str(self._commands)

    # The interface for bots (see bot.Table)

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        if turn.event.movetime is not None:
            turn.seconds = turn.event.movetime / 1000
        self._think(bot, turn, done)

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._say(PlayTurn(id=self._id(), room=self._room, seat=seat, ply=ply, move=move[:24] or "?"))
        done(None)

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        if failure is not None:
            self._note(failure.sentence)
            self._say(Say(id=self._id(), room=self._room, text=failure.said))
        self._say(Resign(id=self._id(), room=self._room, seat=seat))


Task = Callable[[], bool]
"""A task for the main thread. False ends the program."""


def serve(brain: type[Bot]) -> int:
    """Run until `bye` or the end of the input, and return the exit code."""
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
