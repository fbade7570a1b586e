"""The result of a contest so far.

Law: matches may arrive in any order, but count in the order of the plan. So a contest that stops early always
stops at the same game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from .match import Match
from .plan import Contest, Task
from .score import Score
from .statistics import Sprt, Verdict, elo, wilson


@dataclass
class Standing:
    """A brain's result against all others together."""

    name: str
    games: int = 0
    points: float = 0.0
    failed: int = 0

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "games": self.games,
            "points": self.points,
            "share": self.share,
            "wilson": list(wilson(self.points, self.games)),
            "elo": elo(self.share),
            "failed": self.failed,
        }


@dataclass
class Result:
    """The matches of a contest, added as they finish."""

    contest: Contest
    sprt: Sprt | None = None
    """The test after each pair of games whether the result is certain enough; None to play all games."""
    tasks: list[Task] = field(default_factory=list)
    """Matches played and counted."""
    matches: list[Match] = field(default_factory=list)
    scores: dict[tuple[int, int], Score] = field(default_factory=dict)
    verdict: Verdict = "undecided"
    _early: dict[int, tuple[Task, Match]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.sprt is not None and len(self.contest.specs) > 2:
            raise ValueError("A sequential test compares two.")
        for pair in combinations(range(len(self.contest.specs)), 2):
            self.scores[pair] = Score(self.contest.solo)

    @property
    def decided(self) -> bool:
        """Whether the result is certain enough to stop."""
        return self.verdict != "undecided"

    def add(self, task: Task, match: Match) -> None:
        self._early[task.number] = (task, match)
        while not self.decided and len(self.tasks) in self._early:
            self._count(*self._early.pop(len(self.tasks)))

    def _count(self, task: Task, match: Match) -> None:
        self.tasks.append(task)
        self.matches.append(match)
        score = self.scores[task.pair]
        score.add(match, task.side)
        if self.sprt is not None:
            self.verdict = self.sprt.verdict(score.llr(self.sprt.elo0, self.sprt.elo1))

    @property
    def failed(self) -> bool:
        return any(score.failed for score in self.scores.values())

    def names(self, task: Task) -> tuple[str, ...]:
        """The names of the players by seat."""
        return tuple(self.contest.names[each] for each in task.seats)

    def standings(self) -> list[Standing]:
        """The standings, best first."""
        standings = [Standing(name) for name in self.contest.names]
        for (first, second), score in self.scores.items():
            for each, points in ((first, score.points), (second, score.games - score.points)):
                standings[each].games += score.games
                standings[each].points += points
            for failed in score.failed:
                standings[first if failed.by_first else second].failed += 1
        return sorted(standings, key=lambda standing: -standing.share)

    def thoughts(self) -> dict[str, list[float]]:
        """The seconds of each thought, by name."""
        seconds: dict[str, list[float]] = {name: [] for name in self.contest.names}
        for task, match in zip(self.tasks, self.matches, strict=True):
            for name, own in zip(self.names(task), match.thoughts, strict=True):
                seconds[name] += own
        return seconds
