"""Check that ratings find the strong players: simulated players of known strength, rated by the server's own
code.

`python -m trials.ratings [--players N] [--games N] [--spread S] [--seed N] [--plot FILE]`, or `make ratings`.
Each round pairs all players at random. The stronger player wins as often as Elo's curve says. Afterwards the
order of the ratings is compared with that of the strengths: Spearman's correlation has to reach the bar.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from tablero_server.core.meeting.glicko import Rating
from tablero_server.core.meeting.ratings import after_game

BAR = 0.95
_BETWEEN_GAMES_MS = 8 * 3_600_000
"""The time between two games: each player plays three a day."""
_SHOWN = 600
"""The number of players in the plot."""


class Outcome(NamedTuple):
    strengths: list[float]
    ratings: list[Rating]
    correlations: list[float]
    """Spearman's correlation after each round."""

    @property
    def inside(self) -> float:
        """The share of players whose strength is within two deviations of their rating; 0.95 would
        be exact.
        """
        pairs = zip(self.strengths, self.ratings, strict=True)
        return sum(abs(true - seen.value) < 2 * seen.deviation for true, seen in pairs) / len(self.ratings)


def simulate(players: int, games: int, spread: float, seed: int) -> Outcome:
    chance = Random(seed)
    strengths = [chance.gauss(1500, spread) for _ in range(players)]
    ratings = [Rating()] * players
    order, correlations = list(range(players)), []
    for game in range(games):
        chance.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=False):
            expected = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
            score = float(chance.random() < expected)
            waited = _BETWEEN_GAMES_MS if game else 0
            ratings[one], ratings[other] = after_game((ratings[one], waited), (ratings[other], waited), score)
        correlations.append(spearman(strengths, [rating.value for rating in ratings]))
    return Outcome(strengths, ratings, correlations)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """The correlation of two orders: 1 if they are equal, 0 if they are unrelated."""
    count = len(one)
    ranks = zip(_ranks(one), _ranks(other), strict=True)
    return 1 - 6 * sum((a - b) ** 2 for a, b in ranks) / (count * (count * count - 1))


def _ranks(values: Sequence[float]) -> list[int]:
    ranks = [0] * len(values)
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        ranks[index] = rank
    return ranks


def plot(outcome: Outcome) -> str:
    """An SVG: on the left each player's rating by strength, on the right the correlation after each round."""
    low, high = 400.0, 2_600.0
    x, y = _axis(low, high, 60, 420), _axis(low, high, 400, 40)
    shown = list(zip(outcome.strengths, outcome.ratings, strict=True))[:_SHOWN]
    dots = [
        f'<circle cx="{x(true):.1f}" cy="{y(seen.value):.1f}" r="1.5"/>'
        for true, seen in shown
        if low < true < high and low < seen.value < high
    ]
    rounds = len(outcome.correlations)
    along, up = _axis(0, rounds, 500, 860), _axis(0, 1, 400, 40)
    curve = " ".join(f"{along(i + 1):.1f},{up(each):.1f}" for i, each in enumerate(outcome.correlations))
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 450" font-family="sans-serif"'
        ' font-size="13">',
        '<rect width="900" height="450" fill="white"/>',
        f'<g fill="#1f77b4" fill-opacity="0.5">{"".join(dots)}</g>',
        f'<line x1="{x(low)}" y1="{y(low)}" x2="{x(high)}" y2="{y(high)}" stroke="#888"/>',
        f'<line x1="500" y1="{up(BAR):.1f}" x2="860" y2="{up(BAR):.1f}" stroke="#d62728"/>',
        f'<polyline points="{curve}" fill="none" stroke="#1f77b4" stroke-width="2"/>',
        *_frame(60, [(x(v), f"{v}") for v in (500, 1500, 2500)], [(y(v), f"{v}") for v in (500, 1500, 2500)]),
        *_frame(500, [(along(v), f"{v}") for v in range(0, rounds + 1, 10)],
                [(up(v), f"{v}") for v in (0, 0.5, BAR)]),
        '<text x="240" y="440" text-anchor="middle">strength</text>',
        f'<text x="240" y="28" text-anchor="middle">rating after {rounds} games</text>',
        '<text x="680" y="440" text-anchor="middle">games of each player</text>',
        '<text x="680" y="28" text-anchor="middle">Spearman: order by rating beside order by strength</text>',
        "</svg>",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _axis(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _frame(left: int, below: list[tuple[float, str]], beside: list[tuple[float, str]]) -> list[str]:
    """The box of a diagram, with its numbers."""
    lines = [f'<rect x="{left}" y="40" width="360" height="360" fill="none" stroke="#888"/>']
    lines += [f'<text x="{at:.1f}" y="418" text-anchor="middle">{text}</text>' for at, text in below]
    lines += [f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{text}</text>' for at, text in beside]
    return lines


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m trials.ratings", description=__doc__)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--spread", type=float, default=350.0, help="standard deviation of the strengths")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args(arguments)
    outcome = simulate(asked.players, asked.games, asked.spread, asked.seed)
    seen = outcome.correlations[-1]
    deviation = sum(rating.deviation for rating in outcome.ratings) / asked.players
    print(f"{asked.players} players of 1500 ± {asked.spread:g}, {asked.games} games each, seed {asked.seed}")
    print(f"Spearman {seen:.4f}, bar {BAR}; mean deviation {deviation:.0f}; {outcome.inside:.1%} within two")
    if asked.plot is not None:
        asked.plot.write_text(plot(outcome), "utf-8")
    return 0 if seen >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
