"""Dots and Boxes by random games: where there is too much to search, the safe edge that does best in them.

Law: as in the search, no clock: all work is counted.
"""

from __future__ import annotations

from random import Random
from statistics import fmean

from .chains import BoxesBoard, Edge, Edges
from .search import BoxesSearch, Judgement, OutOfWork, Work

CANDIDATES = 24
"""At most so many edges are compared, picked at random."""
FIRST_ROUND = 4
"""Playouts of each edge before the worse half is dropped; each round after it plays twice as many."""


def judge_by_playouts(board: BoxesBoard, free: Edges, random: Random, work: Work) -> Judgement:
    """A board with safe edges where nothing can be taken. Each round halves the edges that are compared."""
    safe = board.safe(free)
    results: dict[Edge, list[int]] = {edge: [] for edge in random.sample(safe, min(len(safe), CANDIDATES))}
    ends = BoxesSearch(board, work, narrow=True)
    rounds = FIRST_ROUND
    try:
        while len(results) > 1:
            for _ in range(rounds):
                for edge, worths in results.items():
                    work.do()
                    worths.append(-playout(board, free ^ edge, random, ends))
            ranked = sorted(results, key=lambda edge: -fmean(results[edge]))
            results = {edge: results[edge] for edge in ranked[: (len(ranked) + 1) // 2]}
            rounds *= 2
    except OutOfWork:
        pass
    means = {edge: fmean(worths) if worths else 0.0 for edge, worths in results.items()}
    best = max(means, key=means.__getitem__)
    return Judgement(means[best], best)


def playout(board: BoxesBoard, free: Edges, random: Random, ends: BoxesSearch) -> int:
    """What the board is worth if both seats draw safe edges at random, then play as `ends` does."""
    sides = [(four & free).bit_count() for four in board.boxes]
    edges = board.all_safe(free)
    random.shuffle(edges)
    drawn = 0
    for edge in edges:
        beside = board.beside[edge]
        if all(sides[box] > 2 for box in beside):
            free ^= edge
            drawn += 1
            for box in beside:
                sides[box] -= 1
    worth = ends.worth(free)
    return -worth if drawn % 2 else worth
