"""Local matches: bots at one table in this process, with the same bot loop as on a server.

Law: a match is a pure function of its game, brains and seed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablero.bot import Bot, Choose, Failure, Thought, Turn, attempt
from tablero.dice import dice
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import GAMES, IllegalMove, Outcome, Position, Seat
from tablero_protocol import messages
from tablero_protocol.messages import NextPlayer


@dataclass(frozen=True)
class Match:
    """One game that was played."""

    seed: int
    brains: tuple[type[Bot], ...]
    """Who sat on each seat."""
    moves: tuple[str, ...]
    outcome: Outcome
    failures: Mapping[Seat, Failure]


class LocalRoom:
    """A table without a server (see bot.Table). Moves wait in a line: a long game is no deep recursion."""

    def __init__(self, game: str, seats: int, position: Position, options: Mapping[str, Any]) -> None:
        self.game = game
        self.seats = range(seats)
        self.options = options
        self.position = position
        self.next_player: Event[NextPlayer] = Event()
        self.moves: list[str] = []
        self.failures: dict[Seat, Failure] = {}
        self._races = GAMES[game].pace(GAMES[game].read_options(dict(options))) == "race"
        self._plies = [0] * seats
        self._last: messages.Turn | None = None
        self._waiting: deque[Callable[[], None]] = deque()

    def play_to_the_end(self) -> Outcome:
        self._announce()
        while True:
            while self._waiting:
                self._waiting.popleft()()
            if self.position.outcome is not None:
                return self.position.outcome
            for seat in self.position.to_move:  # everybody waits for somebody else
                self.give_up(seat, Failure("illegal", "It waited, and so did everybody."))

    # What a bot needs

    def think(self, choose: Choose, turn: Turn, done: Callable[[Thought], None]) -> None:
        done(attempt(choose, turn))

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._waiting.append(lambda: done(self._play(seat, move)))

    def give_up(self, seat: Seat, failure: Failure) -> None:
        self.failures.setdefault(seat, failure)
        self._waiting.append(lambda: self._withdraw(seat))

    def _play(self, seat: Seat, move: str) -> Refused | None:
        try:
            self.position = self.position.play(seat, move)
        except IllegalMove as illegal:
            return Refused(illegal.code, illegal.sentence)
        self.moves.append(move)
        self._plies[seat] += 1
        self._last = messages.Turn(seat=seat, move=move)
        self._announce()
        return None

    def _withdraw(self, seat: Seat) -> None:
        if self.position.outcome is None:
            self.position = self.position.withdraw(seat, "resign")
            self._last = messages.Turn(seat=seat, withdrew="resign")
            self._announce()

    def _announce(self) -> None:
        for seat in self.seats:
            event = NextPlayer(
                room="local",
                seq=len(self.moves),
                ply=self._plies[seat] if self._races else len(self.moves),
                seats=sorted(self.position.to_move),
                seat=seat,
                view=self.position.view(seat),
                last=self._last,
            )
            self.next_player.emit(event)


def play_match(game: str, brains: Sequence[type[Bot]], seed: int = 0, **options: Any) -> Match:
    """One game, `brains` by seat."""
    room = LocalRoom(game, len(brains), GAMES[game].start(len(brains), seed, **options), options)
    for seat, brain in enumerate(brains):
        bot = brain()
        bot.random = dice(f"{seed}/{seat}")
        bot.init(room, seat)
    outcome = room.play_to_the_end()
    room.next_player.unsubscribe_all()
    return Match(seed, tuple(brains), tuple(room.moves), outcome, room.failures)


@dataclass
class Score:
    """How a brain did against another."""

    matches: list[Match]
    wins: int = 0
    draws: int = 0
    losses: int = 0
    crashed: int = 0
    illegal: int = 0

    @property
    def first_failure(self) -> tuple[Match, Failure] | None:
        failures = ((match, failure) for match in self.matches for failure in match.failures.values())
        return next(failures, None)


def play_many(brain: type[Bot], other: type[Bot], games: int, seed: int = 0, **options: Any) -> Score:
    """`brain` against `other`, on each seat in turn. The score is `brain`'s."""
    rules = GAMES[brain.game]
    seats = rules.seats(rules.read_options(options))[0]
    matches, tally = [], Counter[str]()
    for number in range(games):
        own = number % seats
        brains = [brain if seat == own else other for seat in range(seats)]
        match = play_match(brain.game, brains, seed + number, **options)
        matches.append(match)
        if own in match.failures:
            tally[match.failures[own].kind] += 1
        if match.outcome.kind == "draw":
            tally["draws"] += 1
        else:
            tally["wins" if own in match.outcome.winners else "losses"] += 1
    return Score(matches, **tally)
