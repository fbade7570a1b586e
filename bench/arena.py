"""Measure games per second in the arena. The brains play at random, so nearly all time is used by the arena
and the rules.

`python -m bench.arena [--json] [--games N] [--concurrency N]`. The start of the processes is included.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from time import perf_counter

from tablero.arena.plan import Contest
from tablero.arena.processes import play_all
from tablero.arena.result import Result
from tablero_games import GAMES


@dataclass(frozen=True)
class Pace:
    """The speed of one contest."""

    game: str
    concurrency: int
    games: int
    turns: int
    seconds: float
    games_per_second: float
    turns_per_second: float


def pace(game: str, games: int, concurrency: int) -> Pace:
    result = Result(Contest(game, (f"{game}:random",) * 2, games))
    began = perf_counter()
    play_all(result, concurrency)
    seconds = perf_counter() - began
    played, turns = len(result.matches), sum(len(match.turns) for match in result.matches)
    return Pace(game, concurrency, played, turns, seconds, played / seconds, turns / seconds)


def main() -> int:
    arguments = ArgumentParser(prog="python -m bench.arena", description="Games a second in the arena.")
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--games", type=int, default=400)
    arguments.add_argument("--concurrency", type=int, default=2, help="compare 1 with so many at once (2)")
    chosen = arguments.parse_args()
    paces = [
        pace(game, chosen.games, concurrency)
        for game in GAMES
        for concurrency in sorted({1, chosen.concurrency})
    ]
    if chosen.json:
        print(json.dumps([asdict(each) for each in paces]))
        return 0
    print(f"{'':16}{'at once':>8}{'games':>7}{'games/s':>9}{'turns/s':>9}")
    for each in paces:
        print(
            f"{each.game:16}{each.concurrency:8}{each.games:7}"
            f"{each.games_per_second:9.0f}{each.turns_per_second:9.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
