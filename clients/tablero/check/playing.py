"""Play a bot at many tables, and check whether every move is legal, in time, and repeatable."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tablero.bot import GRACE_SECONDS, Bot, Failure, Resign, Thought, Turn
from tablero.bots.pool import Pool
from tablero.dice import dice
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import GAMES, IllegalMove, Play, Seat
from tablero_protocol.messages import NextPlayer

from .findings import Report, written_otherwise
from .tables import TriedSeat, at_random, in_the_middle

_SEED = 0
_MOST_PLIES = 300
"""Maximum number of plies. Without it, flags could be set and removed without end."""
_WAITED = "It waits where nobody else can move: play something."
Watch = Callable[[str, float], object]
"""Function that is told the next step, and the seconds that it may take."""
_PROBLEM = {"crashed": "crash", "timeout": "time", "illegal": "legal"}


def unwatched(what: str, seconds: float) -> None:
    """Report to no one."""


class Trouble(Exception):
    """A finding that ends a game."""

    def __init__(self, id: str, sentence: str) -> None:
        super().__init__(sentence)
        self.id = id
        self.sentence = sentence


class StrictSeat:
    """One bot at one strict table, where every error ends the game (see bot.Table)."""

    def __init__(
        self,
        brain: type[Bot],
        table: TriedSeat,
        seed: int,
        repeatable: bool = False,
        watch: Watch = unwatched,
    ) -> None:
        rules = GAMES[table.game]
        self.game = table.game
        self.options = rules.read_options(table.options).model_dump(by_alias=True, exclude_none=True)
        self.next_player: Event[NextPlayer] = Event()
        self.table = table
        self.slowest = 0.0
        self._limit = brain.limit_seconds + (GRACE_SECONDS if repeatable else 0.0)
        self._watch = watch
        self._pool = Pool()
        watch(str(table), self._limit)
        self._move: str | None = None
        self._trouble: Trouble | None = None
        try:
            self.bot = brain()
            self.bot.random = dice(seed)
            self.bot.repeatable = repeatable
            self.bot.init(self, table.seat)
        except Exception as error:
            raise Trouble("crash", f"It cannot sit down: {Failure.crash(error).sentence}") from None

    def tell(self, play: Play) -> str | None:
        """Tell the bot the state of the game and return its move; None if it has none. Raises Trouble."""
        self._move = self._trouble = None
        seat = self.table.seat
        event = NextPlayer(room="check", seq=play.ply, seat=seat, **play.shown_to(seat))
        try:
            self.bot.play_turn(event)
        except Exception as error:
            raise Trouble("crash" if event.seats else "end", Failure.crash(error).sentence) from None
        if self._trouble is not None:
            raise self._trouble
        return self._move

    def get_up(self) -> None:
        try:
            self.bot.disconnect()
        except Exception as error:
            raise Trouble("end", f"disconnect() failed: {Failure.crash(error).sentence}") from None

    # The interface for bots

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        self._watch(f"{self.table}, ply {turn.ply}", self._limit)
        began = time.monotonic()
        thought = self._pool.think(bot, turn, self._limit)
        self.slowest = max(self.slowest, time.monotonic() - began)
        if self.slowest > self._limit:
            limit = f"{self._limit:g} s (its limit_seconds)"
            self._trouble = Trouble("time", f"A thought took longer than {limit}: think less, or say more.")
            return
        if isinstance(thought, Resign):
            self._trouble = Trouble("", "It resigned.")
        else:
            done(thought)

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._move = move
        done(None)

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        assert failure is not None
        self._trouble = Trouble(_PROBLEM[failure.kind], failure.sentence)


class PlayCheck:
    """A check that plays brains and reports on all of them together."""

    def __init__(self, report: Report, until: float, watch: Watch = unwatched) -> None:
        self._report = report
        self._watch = watch
        self._until = until
        self._positions = 0
        self._tables = 0
        self._missed = 0
        self._slowest = 0.0
        self._limit = 0.0
        self._went_on = True

    @property
    def _goes_on(self) -> bool:
        return self._went_on and time.monotonic() < self._until

    def play(self, brain: type[Bot], tables: Sequence[TriedSeat], entries: int) -> None:
        """Play a whole game at every table, then start in mid-game `entries` times, while there is time."""
        self._limit = brain.limit_seconds
        for table in tables:
            if not self._goes_on:
                self._missed += 1
                continue
            self._tables += 1
            self._try(table, partial(self._whole_game, brain, table))
            for number in range(entries):
                self._try(table, partial(self._enter, brain, table, number))
        self._repeat(brain, tables[0])

    def sum_up(self) -> None:
        report = self._report
        more = f"; there was no time for {self._missed} more: --seconds 300" if self._missed else ""
        report.ok("legal", f"Every move was legal: {self._positions} positions, {self._tables} tables{more}.")
        report.ok("notation", "It wrote every move as it is listed.")
        report.ok("waits", "It waited nowhere that it must not.")
        report.ok("crash", "It raised no error.")
        slowest = f"The slowest move took {self._slowest:.2f} s of {self._limit:g} s"
        if self._slowest > self._limit / 2:
            report.warn("time", f"{slowest}: a slower machine would lose games by it.")
        else:
            report.ok("time", f"{slowest}.")

    def _try(self, table: TriedSeat, play: Callable[[], Any]) -> None:
        try:
            if self._goes_on:
                play()
        except Trouble as trouble:
            if trouble.id:
                self._report.fail(trouble.id, f"{table}: {trouble.sentence}")
            # A bot that is too slow once is too slow again, and costs its full time limit each time.
            self._went_on = trouble.id != "time"

    def _whole_game(self, brain: type[Bot], table: TriedSeat, repeatable: bool = False) -> list[str]:
        random = dice(f"{_SEED} {table}")
        strict = StrictSeat(brain, table, _SEED, repeatable, self._watch)
        play, moves = table.start(_SEED), list[str]()
        try:
            while (
                (to_move := play.position.to_move)
                and len(moves) < _MOST_PLIES
                and time.monotonic() < self._until
            ):
                others = to_move - {table.seat}
                may_both = table.seat in to_move and others
                if not (may_both and random.random() < 0.5):
                    move = strict.tell(play)
                    if move is not None:
                        play = self._checked(play, table, move, moves)
                        continue
                    if not others:
                        raise Trouble("waits", _WAITED)
                play = at_random(play, random, moves, others)
            if not to_move:
                strict.tell(play)
        finally:
            self._slowest = max(self._slowest, strict.slowest)
            strict.get_up()
        self._report.ok("end", "It took the end of every game well.")
        return moves

    def _enter(self, brain: type[Bot], table: TriedSeat, number: int) -> None:
        """Seat a new bot in the middle of a game, as after a lost connection."""
        found = in_the_middle(table, dice(f"{_SEED} {table} {number}"))
        if found is None:
            return
        play, moves = found
        strict = StrictSeat(brain, table, _SEED, watch=self._watch)
        try:
            move = strict.tell(play)
            if move is not None:
                self._checked(play, table, move, moves)
            elif len(play.position.to_move) == 1:
                raise Trouble("waits", _WAITED)
        finally:
            self._slowest = max(self._slowest, strict.slowest)
            strict.get_up()

    def _checked(self, play: Play, table: TriedSeat, move: str, moves: list[str]) -> Play:
        """The game after the bot's `move`, which is added to `moves`. Raises Trouble for a wrong move."""
        self._positions += 1
        try:
            after, written = play.turn(table.seat, move), play.position.canonical(move)
        except IllegalMove as illegal:
            before = ", ".join(moves) or "no moves"
            sentence = f"{move!r:.40} is illegal after {before}: {illegal.sentence}"
            raise Trouble("legal", f"{sentence} Return one of turn.legal_moves.") from None
        if written != move:
            self._report.warn("notation", written_otherwise(table, move, written, "turn.legal_moves"))
        moves.append(written)
        return after

    def _repeat(self, brain: type[Bot], table: TriedSeat) -> None:
        games: list[list[str]] = []
        for _ in range(2):
            self._try(table, lambda: games.append(self._whole_game(brain, table, repeatable=True)))
        if len(games) < 2 or not self._goes_on:
            return  # a game cut short shows no fault
        if games[0] == games[1]:
            self._report.ok("repeat", "Equal seeds gave equal games.")
        else:
            advice = "roll self.random only, or in an engine begin from `dice`."
            sentence = f"Two games from one seed were different: {advice}"
            self._report.warn("repeat", sentence)
