"""Counts made only by `legal_moves` and `play`, so that a wrong rule gives a wrong number.

Equal positions are counted once; the contract test checks that they are really equal.
"""

from __future__ import annotations

from typing import TypeVar

from tablero_games import Outcome, Position

P = TypeVar("P", bound=Position)


def following(position: P) -> list[P]:
    """Every position after one more move."""
    return [position.play(seat, move) for seat in position.to_move for move in position.legal_moves(seat)]


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` moves from here."""
    known: dict[tuple[Position, int], int] = {}

    def count(here: Position, depth: int) -> int:
        if depth == 1:
            return sum(len(here.legal_moves(seat)) for seat in here.to_move)
        if (here, depth) not in known:
            known[here, depth] = sum(count(there, depth - 1) for there in following(here))
        return known[here, depth]

    return count(position, depth)


def games_by_outcome(position: Position) -> dict[Outcome, int]:
    """The number of whole games for each outcome."""
    known: dict[Position, dict[Outcome, int]] = {}

    def count(here: Position) -> dict[Outcome, int]:
        if here.outcome is not None:
            return {here.outcome: 1}
        if here not in known:
            total: dict[Outcome, int] = {}
            for there in following(here):
                for outcome, games in count(there).items():
                    total[outcome] = total.get(outcome, 0) + games
            known[here] = total
        return known[here]

    return count(position)


def reachable(position: P) -> set[P]:
    """Every position that can be reached from this position, and the position itself."""
    found, waiting = {position}, [position]
    while waiting:
        new = set(following(waiting.pop())) - found
        found |= new
        waiting += new
    return found
