"""The score of one brain against another, and its statistics.

Law: the unit is a pair of games on one opening. In a game for one, it is a field that both brains played. So
a better seat or an easier field is no advantage.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tablero.bot import Failure
from tablero_games import Seat

from .match import Match
from .statistics import PAIRS, SINGLES, elo, llr, share_interval, wilson


class Failed(NamedTuple):
    """A game that a player could not finish."""

    at: int
    """The index of the match in the score."""
    seat: Seat
    by_first: bool
    failure: Failure


@dataclass(repr=False)
class Score:
    """The score of the first brain against the second; matches are added in the order of their plan."""

    solo: bool = False
    """Whether these are solo games. Then wins, draws and losses compare the two games on each field."""
    matches: list[Match] = field(default_factory=list)
    sides: list[Seat] = field(default_factory=list)
    """The first's seat in each match. In solo games: 0 for the first's game, 1 for the second's."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    observed: Counter[float] = field(default_factory=Counter)
    """Number of pairs or fields by the share of the points that the first got there."""
    cleared: list[int] = field(default_factory=lambda: [0, 0])
    """Number of games that each side won; the second's count is only used in solo games."""
    failed: list[Failed] = field(default_factory=list)
    _half: float | None = None
    """The first's points from a pair whose other game is missing."""

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<Score {self.wins} won, {self.draws} drawn, {self.losses} lost of {self.games}{failed}>"

    def add(self, match: Match, side: Seat) -> None:
        at = len(self.matches)
        self.matches.append(match)
        self.sides.append(side)
        for seat, failure in sorted(match.failures.items()):
            first = side == 0 if self.solo else seat == side
            self.failed.append(Failed(at, seat, first, failure))
        points = match.points(0 if self.solo else side)
        if self.solo:
            self.cleared[side] += points == 1
            if self._half is not None:
                self._count(0.5 + (self._half - points) / 2)
        else:
            self._count(points)
        if self._half is None:
            self._half = points
        else:
            pair = 0.5 + (self._half - points) / 2 if self.solo else (self._half + points) / 2
            self.observed[pair] += 1
            self._half = None

    def _count(self, points: float) -> None:
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0

    @property
    def games(self) -> int:
        """The number of games; in solo games, the number of fields that both brains have played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float | None:
        return elo(self.share)

    @property
    def elo_interval(self) -> tuple[float | None, float | None]:
        """The 95 % interval from the variance of the pairs. A missing bound is None."""
        low, high = share_interval(self.observed, self.games)
        return elo(low), elo(high)

    @property
    def wilson(self) -> tuple[float, float]:
        return wilson(self.points, self.games)

    def llr(self, elo0: float, elo1: float) -> float:
        return llr(self.observed, SINGLES if self.solo else PAIRS, elo0, elo1)

    def failures(self, kind: str) -> int:
        """The number of failures of this kind by both brains."""
        return sum(failed.failure.kind == kind for failed in self.failed)

    @property
    def distinct(self) -> int:
        """The number of different games. Two brains without dice may repeat the same game."""
        return len({(match.seed if self.solo else None, match.moves) for match in self.matches})

    def _own(self, kind: str) -> int:
        return sum(failed.by_first and failed.failure.kind == kind for failed in self.failed)

    # Figures of the first brain only

    @property
    def crashed(self) -> int:
        return self._own("crashed")

    @property
    def illegal(self) -> int:
        return self._own("illegal")

    @property
    def timeouts(self) -> int:
        return self._own("timeout")

    @property
    def first_failure(self) -> tuple[Match, Failure] | None:
        """The first failure of either brain, and its match."""
        return next(((self.matches[failed.at], failed.failure) for failed in self.failed), None)

    def to_json(self) -> dict[str, Any]:
        low, high = self.elo_interval
        told: dict[str, Any] = {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "share": self.share,
            "wilson": list(self.wilson),
            "elo": self.elo,
            "elo_low": low,
            "elo_high": high,
            "distinct": self.distinct,
            "crashes": self.failures("crashed"),
            "illegal": self.failures("illegal"),
            "timeouts": self.failures("timeout"),
        }
        if self.solo:
            told["cleared"] = [
                {"games": won, "share": won / self.games, "wilson": list(wilson(won, self.games))}
                for won in self.cleared
            ]
        return told
