"""The number of ways in which mines can lie under covered cells whose numbers depend on each other.

Cells counted by the same numbers are one box: only the number of mines in it matters. The boxes are decided
one after another; the state is the number of mines that each number still lacks. One pass forwards and one
back over these states count all ways, without listing any.

Law: the counts are exact. If there are more than WIDEST states, some numbers are left out. Then too many ways
are counted, but a cell that is the same in all of them is still certain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb

from tablero_games.minesweeper.solver import Cells, each

Constraint = tuple[Cells, int]
"""Some covered cells, and the number of mines among them."""
Ways = dict[int, int]
"""The number of ways in which mines can lie, by number of mines."""
WIDEST = 1000
"""Maximum number of states. Ordinary fields of mines need some dozens."""

_State = int
"""The mines that each number still needs, four bits a number."""
_Packed = int
"""A `Ways` packed into one integer: the ways with n mines begin at bit n times the component's width."""


@dataclass(frozen=True, slots=True)
class Component:
    """Boxes whose mines depend on each other, but on other cells only through the total number of mines."""

    ways: Ways
    boxes: tuple[tuple[Cells, Ways], ...]
    """The mines of each box, added up over all ways."""
    work: int
    """Number of steps that the count took."""


def components(constraints: Iterable[Constraint]) -> list[Component]:
    """Solve the constraints: each independent group becomes a component."""
    return [solved for together in _apart(constraints) for solved in _solve(together)]


def _apart(constraints: Iterable[Constraint]) -> Iterator[tuple[Constraint, ...]]:
    """The constraints in independent groups: those in a group share cells, directly or through others."""
    groups: list[tuple[Cells, list[Constraint]]] = []
    for constraint in set(constraints):
        cells, together = constraint[0], [constraint]
        others = []
        for group in groups:
            if group[0] & cells:
                cells |= group[0]
                together += group[1]
            else:
                others.append(group)
        groups = [*others, (cells, together)]
    for _, together in groups:
        yield tuple(sorted(together))


@lru_cache(maxsize=1 << 12)
def _solve(constraints: tuple[Constraint, ...]) -> tuple[Component, ...]:
    boxes = _in_order(_boxes(constraints))
    sweep = _Sweep(constraints, boxes)
    for index in range(len(boxes)):
        sweep.decide(index)
        if len(sweep.layers[-1]) > WIDEST:
            left_out = sweep.undecided(index)
            parts = components(one for at, one in enumerate(constraints) if not left_out >> at & 1)
            return tuple(replace(part, work=part.work + sweep.work) for part in parts)
    return (sweep.count(),)


def _boxes(constraints: tuple[Constraint, ...]) -> dict[int, Cells]:
    """The cells by the constraints that count them; each constraint is one bit."""
    counted_by: dict[int, int] = defaultdict(int)
    for at, (cells, _) in enumerate(constraints):
        for cell in each(cells):
            counted_by[cell] |= 1 << at
    boxes: dict[int, Cells] = defaultdict(int)
    for cell, counting in counted_by.items():
        boxes[counting] |= 1 << cell
    return boxes


def _in_order(boxes: dict[int, Cells]) -> list[tuple[int, Cells]]:
    """The boxes in an order that keeps the number of half-decided numbers small."""
    order = []
    left = dict(boxes)
    waiting: dict[int, int] = defaultdict(int)  # by number, its boxes that are left
    for counting in boxes:
        for at in each(counting):
            waiting[at] += 1
    begun = 0
    while left:
        near = [counting for counting in left if counting & begun] or list(left)
        _, chosen = min(
            ((counting & ~begun).bit_count() - sum(waiting[at] == 1 for at in each(counting)), counting)
            for counting in near
        )
        begun |= chosen
        for at in each(chosen):
            waiting[at] -= 1
            if not waiting[at]:
                begun &= ~(1 << at)
        order.append((chosen, left.pop(chosen)))
    return order


class _Sweep:
    """One pass over the boxes forwards, and one back."""

    def __init__(self, constraints: tuple[Constraint, ...], boxes: list[tuple[int, Cells]]) -> None:
        self.boxes = boxes
        self._sizes = [cells.bit_count() for _, cells in boxes]
        self._room = [cells.bit_count() for cells, _ in constraints]
        """The undecided cells of each number."""
        self._width = sum(self._sizes) + 4
        possible = all(0 <= mines <= cells.bit_count() for cells, mines in constraints)
        start = sum(mines << 4 * at for at, (_, mines) in enumerate(constraints))
        self.layers: list[dict[_State, _Packed]] = [{start: 1} if possible else {}]
        self._steps: list[list[tuple[_State, int, _State]]] = []
        """Transitions of each box: state before, number of mines in it, state after."""

    @property
    def work(self) -> int:
        return sum(map(len, self._steps))

    def undecided(self, index: int) -> int:
        """The numbers that are half decided after a box, one bit each."""
        touched = 0
        for counting, _ in self.boxes[: index + 1]:
            touched |= counting
        return sum(1 << at for at in each(touched) if self._room[at])

    def decide(self, index: int) -> None:
        """Try every number of mines in the next box."""
        counting = self.boxes[index][0]
        size = self._sizes[index]
        shifts = []
        for at in each(counting):
            self._room[at] -= size
            shifts.append((4 * at, self._room[at]))
        taken = sum(1 << shift for shift, _ in shifts)
        layer: dict[_State, _Packed] = defaultdict(int)
        steps = []
        for state, packed in self.layers[-1].items():
            lacking = [(state >> shift & 15, room) for shift, room in shifts]
            least = max(0, *(lacks - room for lacks, room in lacking))
            most = min(size, *(lacks for lacks, _ in lacking))
            for mines in range(least, most + 1):
                following = state - mines * taken
                layer[following] += comb(size, mines) * packed << mines * self._width
                steps.append((state, mines, following))
        self.layers.append(layer)
        self._steps.append(steps)

    def count(self) -> Component:
        """Count the arrangements once all boxes are decided."""
        behind: dict[_State, _Packed] = {0: 1}
        """The number of ways from each state to the end."""
        counted = []
        for index in reversed(range(len(self.boxes))):
            size, before = self._sizes[index], self.layers[index]
            here: dict[_State, _Packed] = defaultdict(int)
            in_box = 0
            for state, mines, following in self._steps[index]:
                if packed := behind.get(following):
                    rest = comb(size, mines) * packed << mines * self._width
                    here[state] += rest
                    if mines:
                        in_box += mines * _product(before[state], rest, self._width)
            counted.append((self.boxes[index][1], self._unpacked(in_box)))
            behind = here
        return Component(
            self._unpacked(sum(behind[start] for start in self.layers[0])), tuple(counted), self.work
        )

    def _unpacked(self, packed: _Packed) -> Ways:
        ways, width = {}, self._width
        mask = (1 << width) - 1
        mines = 0
        while packed:
            if number := packed & mask:
                ways[mines] = number
            packed >>= width
            mines += 1
        return ways


def _product(one: _Packed, other: _Packed, width: int) -> _Packed:
    """The product of two packed ways. Multiplies without the lower zeros, which would take most of
    the time.
    """
    low = ((one & -one).bit_length() - 1) // width * width
    less = ((other & -other).bit_length() - 1) // width * width
    return (one >> low) * (other >> less) << low + less
