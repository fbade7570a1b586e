"""A Dots and Boxes board as chains and loops of boxes, with the boxes that can be taken at once.

Law: a board consists only of its free edges, as bits; an edge is one bit. The owners of the closed boxes
never change the value of the rest.

A box with two free edges is a link. Links in a row are a chain, links in a ring are a loop. A run is a box
with one free edge, and the links behind it that can be taken after it. A run is closed if it ends at another
box with one free edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tablero_games.dots_and_boxes import DotGrid

Edge = int
Edges = int


@dataclass(frozen=True, slots=True)
class Run:
    """Boxes that can be taken one after the other by drawing `edges` in this order."""

    edges: tuple[Edge, ...]
    closed: bool
    """Whether the last edge takes two boxes."""

    @property
    def boxes(self) -> int:
        return len(self.edges) + self.closed

    @property
    def handout(self) -> int:
        """The number of boxes to leave in order to pass the turn: two in an open run, four in a
        closed one.
        """
        price = 4 if self.closed else 2
        return price if self.boxes >= price else 0


@dataclass(frozen=True, slots=True)
class Harvest:
    """The boxes that can be taken at once. Taking `first` is always best; taking `last` is a choice."""

    first: tuple[Edge, ...]
    last: tuple[Edge, ...]
    """The edges that take the boxes of the handout; empty if there is no choice."""
    boxes: int
    handout: int
    """The number of boxes that `last` takes, or that the other seat gets in a handout: 0, 2 or 4."""
    after: Edges
    """The free edges after all boxes are taken. An accepted handout leaves the same edges."""

    @property
    def double_deal(self) -> Edge:
        """The edge that hands the last boxes out: as two halves of a closed run, or as a pair."""
        return self.last[1]


@dataclass(frozen=True, slots=True)
class Chain:
    """Links in a row or in a ring. Drawing any of their edges gives all of them away."""

    opening: Edge
    """The edge that gives the fewest boxes away. Of two boxes it is the edge between, which allows no
    handout.
    """
    boxes: int
    kind: int
    """Chains of the same kind have the same value: a kind above 0 goes from rim to rim, one below 0 is a
    loop. Kind 0 has no equal.
    """

    @property
    def loop(self) -> bool:
        return self.kind < 0


class BoxesBoard:
    """The boxes of a grid and the edges between them."""

    def __init__(self, grid: DotGrid) -> None:
        self.boxes = grid.boxes
        self.beside = {1 << edge: boxes for edge, boxes in enumerate(grid.beside)}
        outer = sum(edge for edge, boxes in self.beside.items() if len(boxes) == 1)
        rims = [four & outer for four in grid.boxes]
        self._twins = [(rim, _lowest_first(rim)) for rim in dict.fromkeys(rims) if rim.bit_count() > 1]

    def standard(self, free: Edges) -> Edges:
        """A standard form of the free edges. It is the same for boards that differ only in which rim edges of
        a box are free.
        """
        for rim, lowest in self._twins:
            part = free & rim
            free ^= part ^ lowest[part]
        return free

    def open_boxes(self, free: Edges) -> int:
        return sum(four & free != 0 for four in self.boxes)

    def closes(self, free: Edges, edge: Edge) -> int:
        """The number of boxes that the edge closes."""
        return sum(self.boxes[box] & free == edge for box in self.beside[edge])

    def harvest(self, free: Edges) -> Harvest:
        """The boxes that can be taken at once, with the cheapest handout at the end."""
        best = Harvest((), (), 0, 0, free)
        for run in self._runs(free):
            found = self._harvest_keeping(run.edges[0], free)
            if not best.boxes or 0 < found.handout < (best.handout or 9):
                best = found
            if best.handout == 2:
                break
        return best

    def _harvest_keeping(self, kept: Edge, free: Edges) -> Harvest:
        """The boxes that can be taken at once. The run that begins with `kept` is taken last."""
        first: list[Edge] = []
        boxes = 0
        while True:
            runs = list(self._runs(free))
            run = next((run for run in runs if kept not in run.edges), runs[0])
            boxes += run.boxes
            free &= ~sum(run.edges)
            if kept in run.edges:
                take = len(run.edges) - (run.handout - run.closed if run.handout else 0)
                return Harvest((*first, *run.edges[:take]), run.edges[take:], boxes, run.handout, free)
            first += run.edges

    def _runs(self, free: Edges) -> Iterator[Run]:
        far_ends = set()
        for box, four in enumerate(self.boxes):
            if (four & free).bit_count() == 1 and box not in far_ends:
                edges, end = self._walk(box, four & free, free)
                closed = end is not None and (self.boxes[end] & free).bit_count() == 1
                if closed:
                    far_ends.add(end)
                yield Run(tuple(edges), closed)

    def _walk(self, box: int, edge: Edge, free: Edges) -> tuple[list[Edge], int | None]:
        """The edges from a box through `edge` along the links, and the box after them; None for the rim."""
        start = box
        edges = [edge]
        while True:
            beyond = self._across(edge, box)
            if beyond is None or beyond == start:
                return edges, beyond
            left = self.boxes[beyond] & free & ~edge
            if left.bit_count() != 1:
                return edges, beyond
            box, edge = beyond, left
            edges.append(edge)

    def _across(self, edge: Edge, box: int) -> int | None:
        beside = self.beside[edge]
        if len(beside) == 1:
            return None
        return beside[0] if beside[1] == box else beside[1]

    def all_safe(self, free: Edges) -> list[Edge]:
        """The edges that give no box away, on a board where no box can be taken."""
        return list(_bits(self._safe(free)))

    def safe(self, free: Edges) -> list[Edge]:
        """The safe edges, but only one of equivalent rim edges of a box."""
        safe = self._safe(free)
        for rim, _ in self._twins:
            twins = safe & rim
            safe ^= twins & (twins - 1)
        return list(_bits(safe))

    def _safe(self, free: Edges) -> Edges:
        safe = free
        for four in self.boxes:
            if (four & free).bit_count() <= 2:
                safe &= ~four
        return safe

    def chains(self, free: Edges) -> list[Chain]:
        """The chains and loops of a board where no box can be taken, the shortest first."""
        found = []
        seen: Edges = 0
        for box, four in enumerate(self.boxes):
            around = four & free
            if around.bit_count() == 2 and not around & seen:
                chain, edges = self._chain(box, free)
                found.append(chain)
                seen |= edges
        return sorted(found, key=lambda chain: (chain.boxes, chain.opening))

    def _chain(self, box: int, free: Edges) -> tuple[Chain, Edges]:
        one, other = _bits(self.boxes[box] & free)
        edges, end = self._walk(box, one, free)
        if end == box:
            return Chain(one, len(edges), -len(edges)), sum(edges)
        back, start = self._walk(box, other, free)
        row = [*reversed(back), *edges]
        boxes = len(row) - 1
        opening = row[1] if boxes == 2 else row[0]
        alone = start is None and end is None
        return Chain(opening, boxes, boxes if alone else 0), sum(row)


@cache
def board_of(grid: DotGrid) -> BoxesBoard:
    return BoxesBoard(grid)


def _bits(edges: Edges) -> Iterator[Edge]:
    while edges:
        yield edges & -edges
        edges &= edges - 1


def _lowest_first(rim: Edges) -> dict[Edges, Edges]:
    """For each set of the rim's edges, an equally large set: that of the first edges of the rim."""
    edges = list(_bits(rim))
    lowest = {}
    for choice in range(1 << len(edges)):
        part = sum(edge for index, edge in enumerate(edges) if choice >> index & 1)
        lowest[part] = sum(edges[: part.bit_count()])
    return lowest
