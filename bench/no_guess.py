"""Measure the time to make a minefield that can be cleared without a guess, by level.

`python -m bench.no_guess [--json] [--fields N]`. A game with `noGuess` starts once its field is made.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser

from tablero_games import GAMES
from tablero_games.minesweeper.options import LEVELS

LIMIT = 2.0
"""The seconds within which 95 of 100 fields must be ready."""


def seconds(level: str, fields: int) -> list[float]:
    """The time for each field, shortest first."""
    game = GAMES["minesweeper"]
    options = game.read_options({"level": level, "noGuess": True})
    taken = []
    for seed in range(fields):
        began = time.perf_counter()
        game.prepare(seed, options)
        taken.append(time.perf_counter() - began)
    return sorted(taken)


def main() -> int:
    arguments = ArgumentParser(
        prog="python -m bench.no_guess", description="What a field without guesses costs."
    )
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--fields", type=int, default=200)
    chosen = arguments.parse_args()
    costs = {}
    for level in (name.lower() for name in LEVELS):
        taken = seconds(level, chosen.fields)
        median, late = taken[len(taken) // 2], taken[len(taken) * 95 // 100]
        costs[level] = {"median": median, "p95": late, "longest": taken[-1]}
    if chosen.json:
        print(json.dumps(costs))
    else:
        print(f"{'seconds a field':16}{'median':>9}{'p95':>9}{'longest':>9}")
        for level, cost in costs.items():
            print(f"{level:16}" + "".join(f"{value:9.4f}" for value in cost.values()))
    return 0 if all(cost["p95"] <= LIMIT for cost in costs.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
