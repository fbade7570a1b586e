"""A Python bot behind the text protocol: what it answers to each line of a host.

Law: knows no process, no threads and no clock. The bot is an ordinary one at an ordinary table (see
bot.Table); the thinking is handed to whoever made this, who hands the thought back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tablero.bot import Bot, Choose, Failure, Thought, Turn, attempt
from tablero.dice import dice
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import GAMES, BadOptions, IllegalMove, Play, Seat
from tablero_protocol import messages
from tablero_protocol.messages import NextPlayer
from tablero_protocol.text import clean

from .lines import (
    BestMove,
    EngineLine,
    EngineWord,
    Go,
    HostWord,
    Id,
    Info,
    Legal,
    Moves,
    NewGame,
    Option,
    Result,
    Seen,
    SetOption,
    read_host_line,
)

Think = Callable[[Callable[[], Thought], Callable[[Thought], None]], None]
"""Has the first done where it may take its time, then calls the second with what came of it."""


class Answering:
    """One bot at a time, for one host."""

    def __init__(self, brain: type[Bot], say: Callable[[EngineLine], None], think: Think) -> None:
        self._brain = brain
        self._say = say
        self._think = think
        self._seed: int | None = None
        self._bot: Bot | None = None
        self._seat: Seat = 0
        self._seats = 2
        self._seen: Seen | None = None
        self._legal: tuple[str, ...] | None = None
        self._answer: Callable[[Thought], None] | None = None
        """What to do with the thought that is awaited."""
        # The table that the bot sits at
        self.game = brain.game
        self.options: Mapping[str, Any] = {}
        self.next_player: Event[NextPlayer] = Event()

    def hear(self, text: str) -> bool:
        """Answers one line; False when it was the last."""
        match read_host_line(text):
            case HostWord.UBGI:
                self._introduce()
            case HostWord.IS_READY:
                self._say(EngineWord.READY_OK)
            case SetOption("seed", value) if value.isdecimal():
                self._seed = int(value)
            case NewGame() as new_game:
                self._sit_down(new_game)
            case Seen() as seen:
                self._seen, self._legal = seen, None
            case Moves(moves):
                self._replay(moves)
            case Legal(moves):
                self._legal = moves
            case Go() as go:
                self._go(go)
            case HostWord.STOP:
                self._stop()
            case Result():
                self._get_up()
            case HostWord.QUIT:
                return False
            case _:
                pass
        return True

    def _introduce(self) -> None:
        self._say(Id("name", self._brain.level))
        self._say(Id("games", self._brain.game))
        self._say(Option("seed", "spin", "default 0 min 0 max 4294967295"))
        self._say(EngineWord.UBGI_OK)

    def _sit_down(self, new_game: NewGame) -> None:
        self._get_up()
        try:
            if new_game.game != self.game:
                self._explain(f"This bot plays {self.game}.")
                return
            GAMES[self.game].read_options(dict(new_game.options))
        except BadOptions as bad:
            self._explain(bad.sentence)
            return
        self.options = new_game.options
        self._seat, self._seats = new_game.seat, new_game.players
        self._bot = self._brain()
        self._bot.random = dice(self._seed)
        self._bot.init(self, self._seat)

    def _get_up(self) -> None:
        if self._bot is not None:
            self._bot.disconnect()
        self._bot = self._seen = self._legal = self._answer = None

    def _replay(self, moves: tuple[str, ...]) -> None:
        """The position behind all these moves, where the moves say all."""
        rules = GAMES[self.game]
        if rules.hidden:
            return
        play = Play.begin(rules, self._seats, options=self.options)
        try:
            for move in moves:
                [seat] = play.position.to_move
                play = play.turn(seat, move)
        except (IllegalMove, ValueError) as error:
            self._explain(str(error))
            return
        self._seen, self._legal = Seen.of(play, self._seat), None

    def _go(self, go: Go) -> None:
        if self._bot is None or self._seen is None or self._answer is not None:
            self._explain("Nothing to think about: newgame and position come first.")
            return
        seen, self._answer = self._seen, None
        self._bot.repeatable = go.nodes is not None
        event = NextPlayer(
            room="text",
            seq=seen.ply,
            ply=seen.ply,
            seats=[self._seat],
            seat=self._seat,
            view=seen.view,
            last=messages.Turn(seat=seen.last[0], move=seen.last[1]) if seen.last else None,
            legal_moves=list(self._legal) if self._legal is not None else None,
            clocks=list(go.clock) if go.clock is not None else None,
        )
        self.next_player.emit(event)

    def _stop(self) -> None:
        """The bot cannot be interrupted: any legal move goes out, and its own is dropped when it comes."""
        if self._answer is not None and self._bot is not None and self._seen is not None:
            legal = self._legal or GAMES[self.game].legal_moves(self._seen.view, self._seat)
            self._answer(self._bot.random.choice(legal))

    def _explain(self, sentence: str) -> None:
        self._say(Info(f"string {clean(sentence)}"))

    # What a bot needs (see bot.Table)

    def think(self, choose: Choose, turn: Turn, done: Callable[[Thought], None]) -> None:
        def answer(thought: Thought) -> None:
            if self._answer is answer:
                self._answer = None
                if thought is None:
                    self._say(BestMove(None))
                done(thought)

        self._answer = answer
        self._think(partial(attempt, choose, turn), answer)

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._say(BestMove(move))
        done(None)

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        if failure is not None:
            self._explain(failure.sentence)
        self._say(BestMove(None, resigns=True))
