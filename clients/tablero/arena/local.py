"""Local matches: bots at one table in this process, with the same bot loop as on a server.

Law: a match is a pure function of its game, brains, seed and opening, unless a brain looks at the clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tablero.bot import GRACE_SECONDS, Bot, Budget, Failure, Thought, Turn, attempt
from tablero.dice import dice
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import GAMES, IllegalMove, Outcome, Play, Seat
from tablero_games.position import Reason
from tablero_games.record.file import RecordedTurn
from tablero_protocol.messages import NextPlayer

from .match import Match
from .plan import Contest, check_games
from .score import Score

MOST_TURNS = 10_000
"""Maximum number of plies. Some games would never end: for example, a flag is set and removed again and
again.
"""


class Watch:
    """An observer of a match, with a clock. This base class observes nothing and has no clock."""

    def now(self) -> float:
        return 0.0

    def worked(self) -> float:
        """Seconds of work done in this process. A busy machine doesn't increase them."""
        return self.now()

    def thinks(self, seat: Seat | None) -> None:
        """Note that `seat` thinks from now on; None if no seat does."""

    def turned(self, turn: RecordedTurn, failure: Failure | None) -> None:
        """Note a turn, and the failure that caused it if the turn is a withdrawal."""


NOBODY = Watch()


def patience(brain: type[Bot], repeatable: bool) -> float:
    """Seconds that one thought may take.

    Repeatable games must not depend on the speed of this machine: only a brain that hangs is stopped.
    """
    return brain.limit_seconds + (GRACE_SECONDS if repeatable else 0.0)


class LocalRoom:
    """A table without a server (see bot.Table). Moves wait in a queue, so that a long game needs no deep
    recursion.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        seed: int,
        opening: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        watch: Watch = NOBODY,
    ) -> None:
        rules = GAMES[game]
        chosen = rules.read_options(dict(options or {}))
        self.game = game
        self.seats = range(seats)
        self.options = chosen.model_dump(mode="json", by_alias=True)
        self.play = Play.begin(rules, seats, seed, options=self.options)
        self.next_player: Event[NextPlayer] = Event()
        self.turns: list[RecordedTurn] = []
        self.failures: dict[Seat, Failure] = {}
        self.limits: dict[Seat, float] = {}
        """Seconds each seat may think, if a clock is used."""
        self.thoughts: list[list[float]] = [[] for _ in self.seats]
        """Seconds that each thought took."""
        self._watch = watch
        self._waiting: deque[Callable[[], None]] = deque()
        for move in opening:
            [seat] = self.play.position.to_move
            self._move(seat, move)

    def play_to_the_end(self) -> Outcome:
        self._announce()
        while True:
            while self._waiting:
                self._waiting.popleft()()
            position = self.play.position
            if position.outcome is not None:
                return position.outcome
            for seat in position.to_move:  # no seat to move ever answers
                self.give_up(seat, Failure.illegal("It waited, and so did everybody."))

    # The interface for bots

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        seat, watch = turn.seat, self._watch
        watch.thinks(seat)
        worked_before, began = watch.worked(), watch.now()
        thought = attempt(bot.choose, turn)
        seconds, worked = watch.now() - began, watch.worked() - worked_before
        watch.thinks(None)
        self.thoughts[seat].append(seconds)
        limit = self.limits.get(seat)
        if limit is not None and (worked if bot.repeatable else seconds) > limit:
            self.give_up(seat, Failure.late(limit))
        else:
            done(thought)

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._waiting.append(lambda: done(self._play(seat, move)))

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        if failure is not None:
            self.failures.setdefault(seat, failure)
        self._waiting.append(lambda: self._withdraw(seat))

    def _play(self, seat: Seat, move: str) -> Refused | None:
        if len(self.turns) >= MOST_TURNS:
            self.give_up(seat, Failure("timeout", f"After {MOST_TURNS} turns the game was not over."))
            return None
        try:
            self._move(seat, move)
        except IllegalMove as illegal:
            return Refused(illegal.code, illegal.sentence, illegal.reason, illegal.fields)
        self._announce()
        return None

    def _move(self, seat: Seat, move: str) -> None:
        self.play = self.play.turn(seat, move)
        assert self.play.last is not None
        self._note(RecordedTurn(seat=seat, move=self.play.last["move"], at=0))

    def _withdraw(self, seat: Seat) -> None:
        if seat in self.play.position.playing:
            failure = self.failures.get(seat)
            why: Reason = "time" if failure is not None and failure.kind == "timeout" else "resign"
            self.play = self.play.withdraw(seat, why)
            self._note(RecordedTurn(seat=seat, withdrew=why, at=0), failure)
            self._announce()

    def _note(self, turn: RecordedTurn, failure: Failure | None = None) -> None:
        self.turns.append(turn)
        self._watch.turned(turn, failure)

    def _announce(self) -> None:
        for seat in self.seats:
            shown = self.play.shown_to(seat)
            self.next_player.emit(NextPlayer(room="local", seq=self.play.ply, seat=seat, **shown))


def play_match(
    game: str,
    brains: Sequence[type[Bot]],
    seed: int = 0,
    opening: Sequence[str] = (),
    *,
    repeatable: bool = True,
    budget: Budget | None = None,
    watch: Watch = NOBODY,
    **options: Any,
) -> Match:
    """Play one game from the position after `opening`, with `brains` by seat."""
    room = LocalRoom(game, len(brains), seed, opening, options, watch)
    bots = []
    for seat, brain in enumerate(brains):
        watch.thinks(seat)
        try:
            bot = brain()
            bots.append(bot)
            bot.random = dice(f"{seed}/{seat}")
            bot.repeatable = repeatable
            bot.budget = budget or bot.budget
            room.limits[seat] = patience(brain, repeatable)
            bot.init(room, seat)
        except Exception as error:
            room.give_up(seat, Failure.crash(error))
        watch.thinks(None)
    outcome = room.play_to_the_end()
    for bot in bots:
        bot.disconnect()
    thoughts = tuple(tuple(seconds) for seconds in room.thoughts)
    return Match(seed, tuple(brains), tuple(opening), tuple(room.turns), outcome, room.failures, thoughts)


def play_many(
    brain: type[Bot],
    other: type[Bot],
    games: int,
    seed: int = 0,
    opening_plies: tuple[int, int] = (0, 0),
    **options: Any,
) -> Score:
    """Play `brain` against `other` in this process, on each seat in turn.

    The score is the score of `brain`. Raises WrongContest.
    """
    both = (brain, other)
    check_games(both)
    specs = tuple(f"{each.game}:{each.level}" for each in both)
    contest = Contest(brain.game, specs, games, seed, opening_plies, options)
    score = Score(contest.solo)
    for task in contest.tasks():
        brains = [both[each] for each in task.seats]
        score.add(play_match(contest.game, brains, task.seed, task.opening, **options), task.side)
    return score
