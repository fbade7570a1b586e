"""The plan of a contest: every pair, opening and seat, from one seed.

Law: a plan is a pure function of its contest. It doesn't depend on results, or on how many games are played
at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from tablero.bot import Bot, Budget
from tablero.brains import UnknownBrain, find_brain
from tablero.dice import dice
from tablero_games import GAMES, BadOptions, Seat

_TRIES = 100
"""Number of times to draw an opening again if it ends the game or is already used."""

Opening = tuple[str, ...]


class WrongContest(ValueError):
    """A contest that can't be played; the text says why."""


@dataclass(frozen=True)
class Task:
    """One game to be played."""

    number: int
    pair: tuple[int, int]
    """The two players, as numbers in the contest."""
    seats: tuple[int, ...]
    """The player on each seat; only one in a game for one."""
    seed: int
    opening: Opening = ()

    @property
    def side(self) -> Seat:
        """The seat of the pair's first brain. In solo games, 0 if the first brain plays, else 1."""
        return self.seats.index(self.pair[0]) if self.pair[0] in self.seats else 1


@dataclass(frozen=True)
class Contest:
    """A round robin: each pair plays `games` games."""

    game: str
    specs: tuple[str, ...]
    """The brains' names, as `tablero.brains.find_brain` takes them."""
    games: int
    seed: int = 0
    opening_plies: tuple[int, int] = (0, 0)
    """Minimum and maximum number of random plies of an opening."""
    options: Mapping[str, Any] = field(default_factory=dict)
    repeatable: bool = True
    """Whether brains stop after a fixed amount of work instead of by the clock; see Bot.repeatable."""
    budget: Budget = field(default_factory=Budget)
    """The limit for engines."""

    def __post_init__(self) -> None:
        """Check the contest. Raises WrongContest."""
        game = GAMES[self.game]
        try:
            options = game.read_options(dict(self.options))
        except BadOptions as bad:
            raise WrongContest(bad.sentence) from None
        if len(self.specs) < 2:
            raise WrongContest("A contest needs two bots or more.")
        if self.games < 1:
            raise WrongContest("A contest needs games.")
        if game.together(options):
            raise WrongContest("Where all play together, nobody can be compared; try mode=race or mode=solo.")
        if self.seats > 2:
            raise WrongContest(
                f"{game.title} is for {self.seats}; in a contest two meet, or everybody plays alone."
            )
        if self.opening_plies[1] and game.hidden:
            raise WrongContest(f"{game.title} is opened by its field, not by random plies.")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The specs, with a number added to each repeated one."""
        return tuple(
            spec if spec not in self.specs[:at] else f"{spec}#{self.specs[:at].count(spec) + 1}"
            for at, spec in enumerate(self.specs)
        )

    @cached_property
    def seats(self) -> int:
        game = GAMES[self.game]
        return game.count_seats(None, game.read_options(dict(self.options)))

    @property
    def solo(self) -> bool:
        """Whether this is a game for one player. Then both brains of a pair play the same fields."""
        return self.seats == 1

    def tasks(self) -> Iterator[Task]:
        """All games: every pair plays every opening twice, with seats swapped."""
        number = 0
        for round, opening in enumerate(self.openings()):
            for first, second in combinations(range(len(self.specs)), 2):
                for swap, seats in enumerate(self._seatings(first, second, round)):
                    yield Task(number, (first, second), seats, self._seed(round, swap), opening)
                    number += 1

    def openings(self) -> Iterator[Opening]:
        """One opening for each pair of games, all different if there are enough."""
        seen: set[Opening] = set()
        for round in range(self.games if self.solo else (self.games + 1) // 2):
            if not self.opening_plies[1]:
                yield ()
                continue
            roll = dice(f"{self.seed}/opening {round}")
            for _ in range(_TRIES):
                opening = self._random_plies(roll.randint(*self.opening_plies), roll.getrandbits(32))
                if opening is not None and opening not in seen:
                    break
            seen.add(opening or ())
            yield opening or ()

    def _seatings(self, first: int, second: int, round: int) -> list[tuple[int, ...]]:
        if self.solo:
            return [(first,), (second,)]
        lone = self.games % 2 and round == self.games // 2
        return [(first, second)] if lone else [(first, second), (second, first)]

    def _seed(self, round: int, swap: int) -> int:
        """The seed of a game. If the game hides something, both games of an opening share a seed."""
        return dice(f"{self.seed}/game {round if GAMES[self.game].hidden else (round, swap)}").getrandbits(48)

    def _random_plies(self, plies: int, seed: int) -> Opening | None:
        """Draw an opening; None if the game ends in the opening."""
        roll, moves = dice(seed), []
        position = GAMES[self.game].start(**self.options)
        for _ in range(plies):
            [seat] = position.to_move
            moves.append(roll.choice(position.legal_moves(seat)))
            position = position.play(seat, moves[-1])
            if position.outcome is not None:
                return None
        return tuple(moves)


def find_brains(specs: Sequence[str]) -> list[type[Bot]]:
    """The classes with these names, all for one game. Raises WrongContest."""
    try:
        brains = [find_brain(spec) for spec in specs]
    except UnknownBrain as unknown:
        raise WrongContest(str(unknown)) from None
    check_games(brains)
    return brains


def check_games(brains: Sequence[type[Bot]]) -> None:
    """Check that all brains play the same game. Raises WrongContest."""
    if len({brain.game for brain in brains}) > 1:
        raise WrongContest(f"These play different games: {', '.join(brain.game for brain in brains)}.")
