"""Connect Four: drop tokens into columns; the first player to get enough in a line wins.

A board is two integers, one for each seat. Each column has `rows` bits, from the bottom up, and a spare bit
above them that is always empty. So a line never continues from one column into the next. The numbers of the
bits with 7 columns of 6 rows:

     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Self

from pydantic import Field, ValidationInfo, field_validator

from .drawing import framed
from .position import Game, Json, Options, Outcome, Seat, Style, View, Wording, in_english
from .refusals import IllegalMove, bad_value
from .two_seats import TwoSeats, drawn, outcome_told, won

_FULL = drawn("full")
_LINE = (won(0, "line"), won(1, "line"))


REFUSALS = {
    "noSuchColumn": "There is no column '{column}'; the columns are 1 to {last}.",
    "columnFull": "Column {column} is full.",
    "lineTooLong": "Option {option}: {connect} is too long for this board; use at most {longest}.",
}


class ConnectFourOptions(Options):
    columns: int = Field(7, ge=4, le=12)
    rows: int = Field(6, ge=4, le=12)
    connect: int = Field(4, ge=3)

    @field_validator("connect")
    @classmethod
    def fits_the_board(cls, connect: int, others: ValidationInfo) -> int:
        longest = max(others.data.get("columns", 12), others.data.get("rows", 12))
        if connect > longest:
            raise bad_value("lineTooLong", connect=connect, longest=longest)
        return connect


@dataclass(frozen=True, slots=True)
class Shape:
    """The masks and shifts for one choice of options, computed once and shared by all positions."""

    columns: int
    rows: int
    connect: int
    column: dict[str, int] = field(compare=False, repr=False)
    floor: tuple[int, ...] = field(compare=False, repr=False)
    """The lowest cell of each column."""
    floors: int = field(compare=False, repr=False)
    inside: tuple[int, ...] = field(compare=False, repr=False)
    """All cells of each column."""
    tops: tuple[tuple[str, int], ...] = field(compare=False, repr=False)
    """The name and the highest cell of each column."""
    all_cells: int = field(compare=False, repr=False)
    starts: tuple[int, ...] = field(compare=False, repr=False)
    """The number of the lowest bit of each column."""
    whole_column: int = field(compare=False, repr=False)
    """The bits of the first column, with the spare bit on top."""
    told: View = field(compare=False, repr=False)
    """The shape as it is in a view."""
    shifts: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    """The shifts for each of the four directions. Applied in turn with "and", they leave the bit where a
    whole line starts.
    """

    def has_line(self, stones: int) -> bool:
        for shifts in self.shifts:
            starts = stones
            for shift in shifts:
                starts &= starts >> shift
            if starts:
                return True
        return False


@cache
def shape_of(columns: int, rows: int, connect: int) -> Shape:
    stride = rows + 1
    names = [str(column + 1) for column in range(columns)]
    floor = tuple(1 << column * stride for column in range(columns))
    inside = tuple(lowest * ((1 << rows) - 1) for lowest in floor)
    return Shape(
        columns,
        rows,
        connect,
        column={name: column for column, name in enumerate(names)},
        floor=floor,
        floors=sum(floor),
        inside=inside,
        tops=tuple((name, lowest << rows - 1) for name, lowest in zip(names, floor, strict=True)),
        all_cells=sum(inside),
        starts=tuple(range(0, columns * stride, stride)),
        whole_column=(1 << stride) - 1,
        told={"columns": columns, "rows": rows, "connect": connect},
        shifts=tuple(_shifts(connect, direction) for direction in (1, stride, stride + 1, stride - 1)),
    )


def _shifts(connect: int, direction: int) -> tuple[int, ...]:
    """The shifts that find a line in one direction. Each shift at most doubles the length checked so far,
    until it is `connect`.
    """
    shifts, known = [], 1
    while known < connect:
        step = min(known, connect - known)
        shifts.append(step * direction)
        known += step
    return tuple(shifts)


@dataclass(frozen=True, slots=True)
class ConnectFourPosition(TwoSeats):
    """The tokens of each seat, and the outcome if the game is over."""

    shape: Shape
    stones: tuple[int, int] = (0, 0)

    @property
    def next_seat(self) -> Seat:
        return (self.stones[0] | self.stones[1]).bit_count() & 1

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if self.outcome is not None or seat != self.next_seat:
            return ()
        occupied = self.stones[0] | self.stones[1]
        return [name for name, top in self.shape.tops if not occupied & top]

    def play(self, seat: Seat, move: str) -> Self:
        first, second = self.stones
        occupied, shape = first | second, self.shape
        if self.outcome is not None or seat != occupied.bit_count() & 1:
            self.refuse_out_of_turn(seat)
        column = shape.column.get(move)
        if column is None:
            column = self._column(move)
        landing = (occupied + shape.floor[column]) & shape.inside[column]
        # Above a full column only the spare bit is left, which is not in `inside`.
        if not landing:
            raise IllegalMove("columnFull", column=column + 1)
        if seat:
            second |= landing
        else:
            first |= landing
        outcome = _ending(shape, (first, second), seat)
        return type(self)(shape, (first, second), outcome=outcome)

    def canonical(self, move: str) -> str:
        return move if move in self.shape.column else str(self._column(move) + 1)

    def _column(self, move: str) -> int:
        column = self.shape.column.get(move.strip())
        if column is None:
            raise IllegalMove("noSuchColumn", column=move, last=self.shape.columns)
        return column

    def view(self, seat: Seat | None) -> View:
        (first, second), shape = self.stones, self.shape
        board, column = (first | second) + shape.floors | second, shape.whole_column
        stacks = [_stack(board >> start & column) for start in shape.starts]
        view: View = {**shape.told, "stacks": stacks}
        if self.outcome is not None:
            view["outcome"] = self.outcome.to_json()
        return view


@cache
def _stack(column: int) -> str:
    """The seats of a column's tokens as digits, from the bottom up. `column` has a 1 above the tokens."""
    return bin(column)[:2:-1]


def _ending(shape: Shape, stones: tuple[int, int], last: Seat) -> Outcome | None:
    """The outcome of this board, or None. Only a line of the seat `last` can be new."""
    if shape.has_line(stones[last]):
        return _LINE[last]
    return _FULL if stones[0] | stones[1] == shape.all_cells else None


class ConnectFour(Game):
    name = "connect-four"
    title = "Connect Four"
    needs_drawing = False
    options = ConnectFourOptions
    example_moves = ("4",)
    tables = ({}, {"columns": 4, "rows": 5, "connect": 3}, {"columns": 9, "rows": 4, "connect": 5})
    refusals = REFUSALS

    def begin(self, seats: int, seed: int, options: Options) -> ConnectFourPosition:
        assert isinstance(options, ConnectFourOptions)
        return ConnectFourPosition(shape_of(options.columns, options.rows, options.connect))

    def from_view(self, view: View) -> ConnectFourPosition:
        options = self.read_options({name: view.get(name) for name in ("columns", "rows", "connect")})
        assert isinstance(options, ConnectFourOptions)
        shape = shape_of(options.columns, options.rows, options.connect)
        stones = _stones(view.get("stacks"), shape)
        ahead = stones[0].bit_count() - stones[1].bit_count()
        if ahead not in (0, 1):
            raise ValueError("Seats 0 and 1 take turns, so these stacks cannot come about.")
        last = 1 - ahead
        if shape.has_line(stones[1 - last]):
            raise ValueError(f"Seat {1 - last} already had a line when seat {last} made the last move.")
        return ConnectFourPosition(shape, stones, outcome=outcome_told(view, _ending(shape, stones, last)))

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        columns, rows = view["columns"], view["rows"]
        stacks = [stack.ljust(rows, ".") for stack in view["stacks"]]
        from_the_top = [[stack[row] for stack in stacks] for row in reversed(range(rows))]
        return framed(from_the_top, map(str, range(1, columns + 1)), style)


def _stones(stacks: Json, shape: Shape) -> tuple[int, int]:
    if not isinstance(stacks, list) or len(stacks) != shape.columns:
        raise ValueError(f"A view of {shape.columns} columns has as many stacks.")
    first = second = 0
    for stack, floor in zip(stacks, shape.floor, strict=True):
        if not isinstance(stack, str) or len(stack) > shape.rows or set(stack) - {"0", "1"}:
            raise ValueError(f"A stack is at most {shape.rows} digits, '0' or '1', from the bottom.")
        above = 1 << len(stack)
        of_second = int("0" + stack[::-1], 2)
        second |= of_second * floor
        first |= (above - 1 - of_second) * floor
    return first, second
