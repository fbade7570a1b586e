"""Check the claimed strength of the bundled brains: ladders, with a bar for each rung.

`python -m trials.strength [--only NAME] [--scale X] [--json]`, or `make strength`. FULL=1 plays as many games
as the bars need; then the observed share must reach the bar. With fewer games, it is enough if the 95 %
interval reaches the bar. A rung also fails by a crash, an illegal move, a timeout, or a missing brain.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from tablero.arena.plan import Contest
from tablero.arena.processes import play_all
from tablero.arena.report import percent
from tablero.arena.result import Result
from tablero.arena.score import Score
from tablero.arena.statistics import wilson
from tablero.brains import UnknownBrain, find_brain

Seen = tuple[float, float, float]
"""A share, and the 95 % interval around it."""


@dataclass(frozen=True)
class Bar:
    """The required share."""

    told: str
    measure: Callable[[Score], Seen]
    passes: Callable[[Score, bool], bool]
    """Whether the bar is passed, given the score and whether all games were played."""


def share(score: Score) -> Seen:
    return (score.share, *score.wilson)


def cleared(score: Score, who: int = 0) -> Seen:
    """The share of the fields that one of the two brains cleared."""
    won = score.cleared[who]
    return (won / score.games, *wilson(won, score.games))


def at_least(bar: float) -> Bar:
    def passes(score: Score, full: bool) -> bool:
        seen, _, high = share(score)
        return (seen if full else high) >= bar

    return Bar(f"≥ {percent(bar)}", share, passes)


def more_than_half() -> Bar:
    def passes(score: Score, full: bool) -> bool:
        seen, _, high = share(score)
        return (seen if full else high) > 0.5

    return Bar("> 50 %", share, passes)


def clears(low: float, high: float) -> Bar:
    """A bar for the first brain's share of cleared fields: between the two values."""

    def passes(score: Score, full: bool) -> bool:
        seen, least, most = cleared(score)
        return low <= seen <= high if full else least <= high and most >= low

    return Bar(f"clears {100 * low:g}-{100 * high:g} %", cleared, passes)


def may_clear(bar: float) -> Bar:
    """A bar for the first brain: the upper end of its interval reaches `bar`, and it clears more fields than
    the second.
    """

    def passes(score: Score, full: bool) -> bool:
        better = score.cleared[0] > score.cleared[1] if full else score.wilson[1] >= 0.5
        return cleared(score)[2] >= bar and better

    return Bar(f"may clear {100 * bar:g} %, more than the other", cleared, passes)


def no_bar() -> Bar:
    return Bar("none", share, lambda score, full: True)


@dataclass(frozen=True)
class Rung:
    """Two brains of one game, and the claim about the first."""

    game: str
    stronger: str
    weaker: str
    bar: Bar
    games: int
    """The number of games without FULL=1; 0 for games that take long and are played only with FULL=1."""
    full: int
    opening_plies: tuple[int, int] = (0, 0)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        options = "".join(f" {value}" for value in self.options.values())
        return f"{self.game}{options} {self.stronger} v {self.weaker}"

    @property
    def specs(self) -> tuple[str, str]:
        return f"{self.game}:{self.stronger}", f"{self.game}:{self.weaker}"


def _field(level: str) -> dict[str, str]:
    return {"level": level}


LADDERS = [
    Rung("dots-and-boxes", "medium", "random", at_least(0.99), 40, 400, (2, 2)),
    Rung("dots-and-boxes", "hard", "medium", at_least(0.85), 40, 400, (2, 2)),
    Rung("dots-and-boxes", "expert", "hard", at_least(0.80), 4, 200, (2, 2)),
    Rung("connect-four", "child", "random", at_least(0.90), 200, 1000, (2, 4)),
    Rung("connect-four", "case-value", "random", at_least(0.85), 200, 1000, (2, 4)),
    Rung("connect-four", "child", "case-value", more_than_half(), 100, 1000, (2, 4)),
    Rung("connect-four", "full-text", "child", more_than_half(), 100, 1000, (2, 4)),
    Rung("connect-four", "lookahead", "full-text", more_than_half(), 40, 400, (2, 4)),
    Rung("quoridor", "easy", "random", at_least(0.99), 10, 400, (2, 2)),
    Rung("quoridor", "normal", "easy", at_least(0.50), 4, 200, (2, 2)),
    Rung("quoridor", "hard", "normal", at_least(0.50), 8, 100, (2, 2)),
    Rung("quoridor", "expert", "hard", no_bar(), 0, 20, (2, 2)),
    Rung("minesweeper", "pinv", "random", clears(0.94, 0.985), 300, 1000, options=_field("beginner")),
    Rung("minesweeper", "pinv", "random", clears(0.78, 0.91), 80, 400, options=_field("intermediate")),
    Rung("minesweeper", "pinv", "random", clears(0.24, 0.47), 40, 200, options=_field("expert")),
    Rung("minesweeper", "exact", "pinv", may_clear(0.965), 400, 4000, options=_field("beginner")),
    Rung("minesweeper", "exact", "pinv", may_clear(0.865), 100, 2000, options=_field("intermediate")),
    Rung("minesweeper", "exact", "pinv", may_clear(0.49), 40, 2000, options=_field("expert")),
]
"""The ladders. docs/bots.md promises these strengths; this trial checks them."""


@dataclass(frozen=True)
class Climbed:
    """The result of one rung."""

    rung: Rung
    score: Score
    full: bool
    seconds: float

    @property
    def passed(self) -> bool:
        return not self.score.failed and self.rung.bar.passes(self.score, self.full)

    def to_json(self) -> dict[str, Any]:
        seen, low, high = self.rung.bar.measure(self.score)
        return {
            "name": self.rung.name,
            "bar": self.rung.bar.told,
            "seen": seen,
            "low": low,
            "high": high,
            "full": self.full,
            "passed": self.passed,
            "opening_plies": list(self.rung.opening_plies),
            "seconds": self.seconds,
            **self.score.to_json(),
        }

    def __str__(self) -> str:
        seen, low, high = map(percent, self.rung.bar.measure(self.score))
        result = f"{self.score.wins}/{self.score.draws}/{self.score.losses}"
        if self.score.solo:
            result = "/".join(map(str, self.score.cleared))
        verdict = "PASS" if self.passed else "FAIL"
        failed = f"  {len(self.score.failed)} failed" if self.score.failed else ""
        return (
            f"{self.rung.name:42}{self.score.games:6}{result:>14}{seen:>9}{f'{low} to {high}':>20}"
            f"{self.seconds:8.1f}  {verdict}  {self.rung.bar.told}{failed}"
        )


def climb(rung: Rung, games: int, concurrency: int, seed: int) -> Climbed:
    contest = Contest(rung.game, rung.specs, games, seed, rung.opening_plies, rung.options)
    result = Result(contest)
    began = perf_counter()
    play_all(result, concurrency)
    [score] = result.scores.values()
    return Climbed(rung, score, games >= rung.full, round(perf_counter() - began, 1))


def missing(rungs: Sequence[Rung]) -> list[str]:
    """The reasons why some of the brains cannot be found."""
    why = []
    for spec in dict.fromkeys(spec for rung in rungs for spec in rung.specs):
        try:
            find_brain(spec)
        except UnknownBrain as unknown:
            why.append(str(unknown))
    return why


def main(typed: Sequence[str] | None = None) -> int:
    arguments = ArgumentParser(
        prog="python -m trials.strength", description="Whether the bundled brains reach their bars."
    )
    arguments.add_argument("--only", default="", metavar="NAME", help="only rungs with this in their name")
    arguments.add_argument("--scale", type=float, default=1.0, help="so many times the usual games (1)")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--concurrency", type=int, default=os.cpu_count() or 1)
    arguments.add_argument("--json", action="store_true", help="one JSON list instead of a table")
    chosen = arguments.parse_args(typed)
    rungs = [rung for rung in LADDERS if chosen.only in rung.name]
    if not rungs:
        print(f"No rung is called {chosen.only!r}.", file=sys.stderr)
        return 2
    if unknown := missing(rungs):
        print(*unknown, sep="\n", file=sys.stderr)
        return 2
    if not chosen.json:
        print(f"{'':42}{'games':>6}{'result':>14}{'share':>9}{'95 % interval':>20}{'seconds':>8}        bar")
    climbed = []
    for rung in rungs:
        usual = rung.full if os.environ.get("FULL") else rung.games
        if not usual:
            if not chosen.json:
                print(f"{rung.name:42} only with FULL=1")
            continue
        games = 2 * max(1, round(usual * chosen.scale / 2))
        climbed.append(climb(rung, games, chosen.concurrency, chosen.seed))
        if not chosen.json:
            print(climbed[-1], flush=True)
    if chosen.json:
        print(json.dumps([each.to_json() for each in climbed]))
    return 0 if all(each.passed for each in climbed) else 1


if __name__ == "__main__":
    sys.exit(main())
