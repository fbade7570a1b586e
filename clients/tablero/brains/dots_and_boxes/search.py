"""The value of a Dots and Boxes board: alpha-beta over free edges, or playouts if that is too much.

Law: no clock is used. All work is counted in boxes looked at, and a search that has used up its work raises
OutOfWork.

The value of a board is the number of boxes the seat to move will get, minus those of the other seat. Boxes
that can be taken at once are counted without a search (`BoxesBoard.harvest`). Only boards without such boxes
are searched, and only one edge of a chain is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .chains import BoxesBoard, Edge, Edges, Harvest


class OutOfWork(Exception):
    """The search needs more work than it was allowed."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of a board where no box can be taken, and the edge to draw there."""

    worth: float
    edge: Edge


class Work:
    """The boxes that a search may still look at."""

    def __init__(self, board: BoxesBoard, boxes: int) -> None:
        self._step = len(board.boxes)
        self.left = boxes

    def do(self) -> None:
        self.left -= self._step
        if self.left < 0:
            raise OutOfWork


def with_harvest(harvest: Harvest, worth: float) -> float:
    """The value of a board before its harvest, when the seat takes all boxes or hands the last ones out,
    whichever is better. `worth` is the value after the harvest.
    """
    take_all = harvest.boxes + worth
    if not harvest.handout:
        return take_all
    return max(take_all, harvest.boxes - 2 * harvest.handout - worth)


class BoxesSearch:
    """Alpha-beta search with a memory: exact, or `narrow`. A narrow search gives nothing away while an edge
    is safe, then only the shortest chain or loop.
    """

    def __init__(self, board: BoxesBoard, work: Work, *, narrow: bool = False) -> None:
        self._board = board
        self._work = work
        self._narrow = narrow
        self._bounds: dict[Edges, tuple[int, int]] = {}

    def worth(self, free: Edges) -> int:
        """The value of any board."""
        harvest = self._board.harvest(free)
        left = self._board.open_boxes(harvest.after)
        return int(with_harvest(harvest, self._worth(harvest.after, left, -left, left)))

    def judge(self, free: Edges, random: Random) -> Judgement:
        """The best edge where no box can be taken. Of equal edges, a random safe one if there is any."""
        left = self._board.open_boxes(free)
        safe = self._board.safe(free)
        random.shuffle(safe)
        best, choice = -left - 1, 0
        for edge in safe:
            worth = -self._worth(free ^ edge, left, -left, -best)
            if worth > best:
                best, choice = worth, edge
        for edge in self._openings(free, bool(safe)):
            worth = self._given(free ^ edge, left, best, left + 1)
            if worth > best:
                best, choice = worth, edge
        return Judgement(best, choice)

    def _worth(self, free: Edges, left: int, alpha: int, beta: int) -> int:
        """The value of a board where no box can be taken, with `left` boxes left. Exact between alpha and
        beta; alpha or less is an upper bound, beta or more a lower bound.
        """
        if not left:
            return 0
        free = self._board.standard(free)
        low, high = self._bounds.get(free, (-left, left))
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return low if alpha == low else high
        self._work.do()
        best = low
        safe = self._board.safe(free)
        for edge in safe:
            best = max(best, -self._worth(free ^ edge, left, -beta, -max(best, alpha)))
            if best >= beta:
                break
        else:
            for edge in self._openings(free, bool(safe)):
                best = max(best, self._given(free ^ edge, left, max(best, alpha), beta))
                if best >= beta:
                    break
        self._bounds[free] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    def _given(self, free: Edges, left: int, alpha: int, beta: int) -> int:
        """The value for the seat that opened a chain and left the edges `free`."""
        harvest = self._board.harvest(free)
        boxes, handout = harvest.boxes, harvest.handout
        if not handout:
            return -boxes - self._worth(harvest.after, left - boxes, -boxes - beta, -boxes - alpha)
        # The taker gets boxes - handout + |worth + handout|: the giver keeps more than alpha only while
        # worth is close to -handout.
        reach = handout - boxes - alpha
        if reach <= 0:
            return alpha
        worth = self._worth(harvest.after, left - boxes, -handout - reach, -handout + reach)
        return -int(with_harvest(harvest, worth))

    def _openings(self, free: Edges, safe: bool) -> list[Edge]:
        """The edges that give a chain or a loop away: one edge for each kind, the shortest first."""
        if self._narrow and safe:
            return []
        chains = self._board.chains(free)
        if self._narrow:
            shortest = {chain.loop: chain for chain in reversed(chains)}
            return [chain.opening for chain in shortest.values()]
        alike = {chain.kind: chain for chain in reversed(chains)}
        return [chain.opening for chain in chains if not chain.kind or chain is alike[chain.kind]]
