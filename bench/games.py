"""Measure the cost of the rules: microseconds to check and apply one random legal move, compared with
OpenSpiel's.

`python -m bench.games [--json]`. Both sides first play random games; then only the moves are timed. OpenSpiel
is called from Python, like our rules. It changes a state in place, where our rules make a new position. It
has wheels for few machines. Its column stays empty without it, and where only some turns are timed.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from random import Random
from typing import Any

from tablero_games import GAMES, Position, Seat
from tests.harness.games.oracle import ORACLES, State
from tests.harness.games.variants import Variant, named

TURNS = 2000
"""The moves timed in a round."""
ROUNDS = 5
"""The number of rounds. The fastest counts, because the others were disturbed by other work."""


@dataclass(frozen=True, slots=True)
class Turn:
    position: Position
    seat: Seat
    move: str
    after: Position


@dataclass(frozen=True, slots=True)
class Case:
    game: str
    variant: Variant
    limit: float
    """The most microseconds for a move."""
    only: Callable[[Turn], bool] = lambda turn: True
    """The turns that are timed, as a predicate."""
    told: str = ""
    """The words for `only` in the output."""
    legal_limit: float | None = None
    """The most microseconds for all legal moves, if there is a limit."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds, as the mean of all turns in the fastest round."""

    name: str
    play: float
    limit: float
    legal_moves: float
    legal_limit: float | None
    view: float
    open_spiel: float | None

    @property
    def within(self) -> bool:
        return self.play <= self.limit and (self.legal_limit is None or self.legal_moves <= self.legal_limit)

    @property
    def ratio(self) -> float | None:
        return None if self.open_spiel is None else self.play / self.open_spiel


def digs_one_cell(turn: Turn) -> bool:
    def opened(position: Position) -> int:
        players: list[dict[str, int]] = position.view(None)["players"]
        return sum(player["opened"] for player in players)

    return turn.move.startswith("dig") and opened(turn.after) == opened(turn.position) + 1


def places_a_wall(turn: Turn) -> bool:
    return turn.move[-1] in "hv"


CASES = [
    Case("tic-tac-toe", {}, 15),
    Case("connect-four", {"columns": 7, "rows": 6, "connect": 4}, 15),
    Case("connect-four", {"columns": 12, "rows": 12, "connect": 5}, 15),
    Case("dots-and-boxes", {"rows": 5, "columns": 5}, 15),
    Case("dots-and-boxes", {"rows": 12, "columns": 12}, 15),
    Case("quoridor", {"size": 9, "walls": 10}, 60, legal_limit=400),
    Case("quoridor", {"size": 9, "walls": 10}, 60, places_a_wall, ", walls only", legal_limit=400),
    Case("minesweeper", {"level": "expert"}, 40, digs_one_cell),
]


def random_turns(case: Case, choose: Random) -> list[Turn]:
    turns: list[Turn] = []
    while len(turns) < TURNS:
        position = GAMES[case.game].start(seed=choose.getrandbits(128), **case.variant)
        while position.to_move:
            seat = choose.choice(sorted(position.to_move))
            move = choose.choice(position.legal_moves(seat))
            turn = Turn(position, seat, move, position.play(seat, move))
            if case.only(turn):
                turns.append(turn)
            position = turn.after
    return turns


def random_actions(case: Case, choose: Random) -> list[tuple[State, int]]:
    first = ORACLES[case.game].start(case.variant)
    actions: list[tuple[State, int]] = []
    while len(actions) < TURNS:
        state = first.clone()
        while not state.is_terminal():
            action = choose.choice(state.legal_actions())
            actions.append((state.clone(), action))
            state.apply_action(action)
    return actions


def microseconds(act: Callable[[Any], object], prepare: Callable[[], list[Any]]) -> float:
    """The mean time of `act` over all values from `prepare`, without the time for `prepare`."""
    rounds = []
    for _ in range(ROUNDS):
        prepared = prepare()
        began = time.perf_counter()
        for each in prepared:
            act(each)
        rounds.append((time.perf_counter() - began) / len(prepared))
    return min(rounds) * 1e6


def cost_of(case: Case) -> Cost:
    turns = random_turns(case, Random(1))
    open_spiel = None
    if case.game in ORACLES and not case.told and find_spec("pyspiel"):
        actions = random_actions(case, Random(1))
        open_spiel = microseconds(
            lambda each: each[0].apply_action_with_legality_check(each[1]),
            lambda: [(state.clone(), action) for state, action in actions],
        )
    return Cost(
        named(GAMES[case.game], case.variant) + case.told,
        play=microseconds(lambda turn: turn.position.play(turn.seat, turn.move), lambda: turns),
        limit=case.limit,
        legal_moves=microseconds(lambda turn: turn.position.legal_moves(turn.seat), lambda: turns),
        legal_limit=case.legal_limit,
        view=microseconds(lambda turn: turn.position.view(turn.seat), lambda: turns),
        open_spiel=open_spiel,
    )


def main() -> int:
    arguments = ArgumentParser(prog="python -m bench.games", description="What the rules cost, in µs a move.")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    costs = [cost_of(case) for case in CASES]
    if chosen.json:
        print(json.dumps([{**asdict(cost), "ratio": cost.ratio} for cost in costs]))
    else:
        print(f"{'µs':46}{'play':>8}{'limit':>8}{'OpenSpiel':>11}{'ratio':>8}{'legal':>8}{'view':>8}")
        for cost in costs:
            theirs = f"{cost.open_spiel:11.2f}{cost.ratio:8.2f}" if cost.open_spiel else f"{'':19}"
            print(
                f"{cost.name:46}{cost.play:8.2f}{cost.limit:8.0f}{theirs}{cost.legal_moves:8.2f}{cost.view:8.2f}"
            )
    return 0 if all(cost.within for cost in costs) else 1


if __name__ == "__main__":
    sys.exit(main())
