"""In how many ways mines can lie under cells whose numbers depend on each other: as many as there are.

test_odds tries what is left out where there are too many.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest

from tablero.brains.minesweeper.component import Component, Constraint, Ways, components
from tablero.dice import dice

CELLS = 8


def listed(constraints: list[Constraint]) -> tuple[Ways, dict[int, Counter[int]]]:
    """The ways by number of mines, and for each cell in how many of these it is one; all of them tried."""
    among = 0
    for cells, _ in constraints:
        among |= cells
    free = [cell for cell in range(CELLS) if among >> cell & 1]
    ways, mined = Counter[int](), {cell: Counter[int]() for cell in free}
    for laid in product((0, 1), repeat=len(free)):
        bits = sum(mine << cell for cell, mine in zip(free, laid, strict=True))
        if all((bits & cells).bit_count() == mines for cells, mines in constraints):
            ways[sum(laid)] += 1
            for cell in free:
                mined[cell][sum(laid)] += bits >> cell & 1
    return dict(ways), mined


def together(parts: list[Component]) -> Ways:
    """The ways of all parts, each with each."""
    ways: Ways = {0: 1}
    for part in parts:
        more = Counter[int]()
        for (mines, count), (others, times) in product(ways.items(), part.ways.items()):
            more[mines + others] += count * times
        ways = dict(more)
    return ways


def drawn(seed: int) -> list[Constraint]:
    """Numbers that fit some way to lay mines."""
    random = dice(seed)
    mines = random.getrandbits(CELLS)
    sets = [
        random.getrandbits(CELLS) & random.getrandbits(CELLS) | 1 << random.randrange(CELLS) for _ in range(4)
    ]
    return [(cells, (cells & mines).bit_count()) for cells in sets]


@pytest.mark.parametrize("seed", range(60))
def test_the_ways_are_those_that_trying_all_of_them_finds(seed: int) -> None:
    constraints = drawn(seed)
    assert together(components(constraints)) == listed(constraints)[0]


@pytest.mark.parametrize("seed", range(60))
def test_each_box_counts_its_mines_over_all_ways(seed: int) -> None:
    constraints = drawn(seed)
    parts = components(constraints)
    for part in parts:
        own = [each for each in constraints if any(each[0] & cells for cells, _ in part.boxes)]
        ways, mined = listed(own)
        assert part.ways == ways
        for cells, counted in part.boxes:
            expected = sum((mined[cell] for cell in mined if cells >> cell & 1), Counter[int]())
            assert counted == +expected


def test_parts_that_share_no_cell_are_counted_apart() -> None:
    constraints: list[Constraint] = [(0b000011, 1), (0b000110, 1), (0b110000, 1)]
    parts = sorted(components(constraints), key=lambda part: part.boxes[0][0])
    assert sorted(sum(cells for cells, _ in part.boxes) for part in parts) == [0b000111, 0b110000]
    assert sorted(sorted(part.ways.items()) for part in parts) == [[(1, 1), (2, 1)], [(1, 2)]]


def test_what_contradicts_itself_has_no_ways() -> None:
    for constraints in ([(0b1, 1), (0b1, 0)], [(0b11, 3)], [(0b11, 1), (0b111, 3)]):
        assert all(part.ways == {} for part in components(constraints)), constraints


def test_a_box_of_many_cells_costs_no_more_than_one_of_few() -> None:
    [small], [large] = components([(0b11, 1)]), components([((1 << 60) - 1, 1)])
    assert small.work == large.work
    [many] = components([((1 << 60) - 1, 8)])
    assert many.ways == {8: comb(60, 8)}
