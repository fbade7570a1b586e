"""The Dots and Boxes expert: take what is free, hand boxes out where that pays, else search or sample.

Law: equal boards and dice give equal edges; `work` bounds what is looked at, not the clock.
"""

from __future__ import annotations

from random import Random

from .chains import BoxesBoard, Edge, Edges, Harvest
from .playouts import judge_by_playouts
from .search import BoxesSearch, Judgement, OutOfWork, Work


def best_edge(board: BoxesBoard, free: Edges, random: Random, work: int) -> Edge:
    """The edge to draw on any board. Each search looks at `work` boxes at most, and so do the playouts."""
    harvest = board.harvest(free)
    if harvest.first:
        return max(harvest.first, key=lambda edge: board.closes(free, edge))
    if harvest.last:
        handed_out = hands_out(board, harvest, random, work)
        return harvest.double_deal if handed_out else harvest.last[0]
    return judge(board, free, random, work).edge


def hands_out(board: BoxesBoard, harvest: Harvest, random: Random, work: int) -> bool:
    """Whether it is worth the last boxes to have the other seat draw first elsewhere."""
    return bool(harvest.after) and judge(board, harvest.after, random, work).worth < -harvest.handout


def judge(board: BoxesBoard, free: Edges, random: Random, work: int) -> Judgement:
    """The surest answer that there is work enough for, where nothing can be taken."""
    for narrow in (False, True):
        try:
            return BoxesSearch(board, Work(board, work), narrow=narrow).judge(free, random)
        except OutOfWork:
            pass
    return judge_by_playouts(board, free, random, Work(board, work))
