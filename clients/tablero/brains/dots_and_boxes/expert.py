"""The Dots and Boxes expert: take what is free, hand boxes out where that pays, else search or sample.

Law: equal boards and dice give equal edges. The search is limited by `work`, not by a clock.
"""

from __future__ import annotations

from random import Random
from statistics import fmean

from .chains import BoxesBoard, Edge, Edges, Harvest
from .search import BoxesSearch, Judgement, OutOfWork, Work

CANDIDATES = 24
"""Maximum number of edges to compare, picked at random."""
FIRST_ROUND = 4
"""Playouts of each edge in the first round. Each round drops the worse half; the next one plays twice as
many.
"""


def judge_by_playouts(board: BoxesBoard, free: Edges, random: Random, work: Work) -> Judgement:
    """Compare the safe edges of a board where no box can be taken. Each round halves the number of edges to
    compare.
    """
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
    """The value of the board if both seats draw safe edges at random, then play as `ends` does."""
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


def best_edge(board: BoxesBoard, free: Edges, random: Random, work: int) -> Edge:
    """The edge to draw on any board. Each search looks at `work` boxes at most, and the playouts do too."""
    harvest = board.harvest(free)
    if harvest.first:
        return max(harvest.first, key=lambda edge: board.closes(free, edge))
    if harvest.last:
        handed_out = hands_out(board, harvest, random, work)
        return harvest.double_deal if handed_out else harvest.last[0]
    return judge(board, free, random, work).edge


def hands_out(board: BoxesBoard, harvest: Harvest, random: Random, work: int) -> bool:
    """Whether to give the last boxes away, so that the other seat must draw the next edge elsewhere."""
    return bool(harvest.after) and judge(board, harvest.after, random, work).worth < -harvest.handout


def judge(board: BoxesBoard, free: Edges, random: Random, work: int) -> Judgement:
    """The best answer within `work` for a board where no box can be taken: exact, narrow, or by playouts."""
    for narrow in (False, True):
        try:
            return BoxesSearch(board, Work(board, work), narrow=narrow).judge(free, random)
        except OutOfWork:
            pass
    return judge_by_playouts(board, free, random, Work(board, work))
