"""The value of a Dots and Boxes position under perfect play, computed only by `legal_moves` and `play`.

The value is the number of boxes that the seat to move still gets, minus those of the other seat. It depends
only on the drawn edges, so positions with the same edges are searched once.
"""

from __future__ import annotations

from collections.abc import Callable

from tablero_games.dots_and_boxes import DotGrid, DotsAndBoxesPosition


def closed_by(move: str, position: DotsAndBoxesPosition) -> tuple[int, DotsAndBoxesPosition]:
    after = position.play(position.turn, move)
    return sum(after.scores) - sum(position.scores), after


def by_all_games(position: DotsAndBoxesPosition) -> int:
    """The value, by trying every move of every position."""
    known: dict[int, int] = {}

    def worth(here: DotsAndBoxesPosition) -> int:
        if here.outcome is not None:
            return 0
        if here.edges not in known:
            tried = [closed_by(move, here) for move in here.legal_moves(here.turn)]
            known[here.edges] = max(
                closed + worth(then) if closed else -worth(then) for closed, then in tried
            )
        return known[here.edges]

    return worth(position)


def by_bounds(position: DotsAndBoxesPosition) -> int:
    """The value by alpha-beta search, with bounds from the boxes left; mirrored positions are
    searched once.
    """
    canonical = canonical_on(position.grid)
    bounds: dict[int, tuple[int, int]] = {}

    def worth(here: DotsAndBoxesPosition, alpha: int, beta: int) -> int:
        left = here.owners.count(".")
        key = canonical(here.edges)
        low, high = bounds.get(key, (-left, left))
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return alpha if low == alpha else beta
        best = low
        tried = [closed_by(move, here) for move in here.legal_moves(here.turn)]
        for closed, then in sorted(tried, key=lambda closed_and_then: -closed_and_then[0]):
            most = max(best, alpha)
            if closed:
                best = max(best, closed + worth(then, most - closed, beta - closed))
            else:
                best = max(best, -worth(then, -beta, -most))
            if best >= beta:
                break
        bounds[key] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    boxes = len(position.owners)
    return worth(position, -boxes, boxes)


def canonical_on(grid: DotGrid) -> Callable[[int], int]:
    """A function that returns the same number for all mirror images of a set of edges."""
    mirrors = [tables_of(permutation) for permutation in mirrored(grid)]
    chunks = range(0, len(grid.edges), 8)

    def canonical(edges: int) -> int:
        parts = [edges >> start & 255 for start in chunks]
        return min(sum(map(list.__getitem__, tables, parts)) for tables in mirrors)

    return canonical


def mirrored(grid: DotGrid) -> list[list[int]]:
    """The image of each edge in every symmetry of the board, as a list of edge numbers."""
    middles = []
    for name in grid.edges:
        x, y = "abcdefghijklm".index(name[0]) * 2, (int(name[1:-1]) - 1) * 2
        middles.append((x + 1, y) if name[-1] == "h" else (x, y + 1))
    width, height = 2 * grid.columns, 2 * grid.rows
    images = [
        [(x if a else width - x, y if b else height - y) for x, y in middles] for a in (0, 1) for b in (0, 1)
    ]
    if width == height:
        images += [[(y, x) for x, y in image] for image in images]
    number = {middle: index for index, middle in enumerate(middles)}
    return [[number[middle] for middle in image] for image in images]


def tables_of(permutation: list[int]) -> list[list[int]]:
    """The permutation of bits as tables, one for each eight bits."""
    starts = range(0, len(permutation), 8)
    return [
        [
            sum(1 << to for bit, to in enumerate(permutation[start : start + 8]) if byte >> bit & 1)
            for byte in range(256)
        ]
        for start in starts
    ]
