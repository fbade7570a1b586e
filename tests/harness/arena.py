"""Contests that are really played, and matches with only a result."""

from __future__ import annotations

from typing import Literal

from tablero.arena.local import play_match
from tablero.arena.match import Match
from tablero.arena.plan import Contest, Task, find_brains
from tablero.bot import Failure
from tablero_games import Outcome


def played(contest: Contest) -> list[tuple[Task, Match]]:
    brains = find_brains(contest.specs)
    return [
        (
            task,
            play_match(
                contest.game,
                [brains[each] for each in task.seats],
                task.seed,
                task.opening,
                **contest.options,
            ),
        )
        for task in contest.tasks()
    ]


RANDOM = "tic-tac-toe:random"


def ended(winner: int | None, seats: int = 2, failed: int | None = None) -> Match:
    """A match with only its result."""
    winners = frozenset() if winner is None else frozenset({winner})
    kind: Literal["win", "draw", "loss"] = "win" if winners else "loss" if seats == 1 else "draw"
    failures = {} if failed is None else {failed: Failure("crashed", "No.")}
    brains = tuple(find_brains([RANDOM]) * seats)
    return Match(0, brains, (), (), Outcome(kind, winners, "line"), failures)
