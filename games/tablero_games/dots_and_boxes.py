"""Dots and Boxes: draw an edge between two dots; a player who closes a box owns it and draws again.

The name of an edge starts with its left or lower dot: `a1h` goes from a1 to b1, `a1v` from a1 to a2. Each
edge is a bit: first the horizontal edges from the bottom row up, then the vertical edges. With 1 row of 2
boxes:

     3 > + -2- + -3- +
         4     5     6
     1 > + -0- + -1- +
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from typing import Self

from pydantic import Field

from .drawing import ASCII, UNICODE
from .position import Game, Json, Options, Outcome, Seat, Style, View, Wording, in_english
from .refusals import IllegalMove
from .two_seats import SEATS, TwoSeats, drawn, outcome_told, won

DOT_COLUMNS = "abcdefghijklm"
EDGES = {"ascii": ("+", "---", "|"), "unicode": ("∙", "⎯⎯⎯", "⏐")}
"""The drawings of a dot, a horizontal edge and a vertical edge."""


REFUSALS = {
    "noSuchEdge": "There is no edge '{edge}'; an edge is a dot, a1 to {last}, and h or v.",
    "edgeDrawn": "Edge {edge} is already drawn.",
}


class DotsAndBoxesOptions(Options):
    rows: int = Field(5, ge=1, le=12)
    columns: int = Field(5, ge=1, le=12)


@dataclass(frozen=True, slots=True)
class DotGrid:
    """The edges of a board of one size, made once and shared by all positions."""

    rows: int
    columns: int
    edges: tuple[str, ...] = field(compare=False, repr=False)
    """The names of the edges, by number."""
    number: dict[str, int] = field(compare=False, repr=False)
    boxes: tuple[int, ...] = field(compare=False, repr=False)
    """The four edges of each box as bits, from the bottom left."""
    beside: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    """The one or two boxes that each edge belongs to."""
    all_edges: int = field(compare=False, repr=False)

    @property
    def horizontal(self) -> int:
        """The number of horizontal edges."""
        return (self.rows + 1) * self.columns


@cache
def grid_of(rows: int, columns: int) -> DotGrid:
    edges = [f"{DOT_COLUMNS[x]}{y + 1}h" for y in range(rows + 1) for x in range(columns)]
    edges += [f"{DOT_COLUMNS[x]}{y + 1}v" for y in range(rows) for x in range(columns + 1)]
    number = {edge: index for index, edge in enumerate(edges)}
    boxes = [_around(number, x, y) for y in range(rows) for x in range(columns)]
    beside = [[box for box, four in enumerate(boxes) if four >> edge & 1] for edge in range(len(edges))]
    return DotGrid(
        rows,
        columns,
        edges=tuple(edges),
        number=number,
        boxes=tuple(boxes),
        beside=tuple(map(tuple, beside)),
        all_edges=(1 << len(edges)) - 1,
    )


def _around(number: dict[str, int], x: int, y: int) -> int:
    """The four edges of the box to the right of and above the dot at x, y."""
    here, right = DOT_COLUMNS[x], DOT_COLUMNS[x + 1]
    names = (f"{here}{y + 1}h", f"{here}{y + 2}h", f"{here}{y + 1}v", f"{right}{y + 1}v")
    return sum(1 << number[name] for name in names)


@dataclass(frozen=True, slots=True)
class DotsAndBoxesPosition(TwoSeats):
    """The drawn edges, the owner of each box, the seat to move, and the outcome if the game is over."""

    grid: DotGrid
    owners: str
    """One character for each box, from the bottom left: the owner's digit, or "." for an open box."""
    edges: int = 0
    turn: Seat = 0

    @property
    def next_seat(self) -> Seat:
        return self.turn

    @property
    def scores(self) -> tuple[int, int]:
        return self.owners.count("0"), self.owners.count("1")

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if self.outcome is not None or seat != self.turn:
            return ()
        names = self.grid.edges
        marks = _text(self.edges, len(names), "-")
        return [name for name, mark in zip(names, marks, strict=True) if mark == "."]

    def play(self, seat: Seat, move: str) -> Self:
        self.refuse_out_of_turn(seat)
        grid, owners = self.grid, self.owners
        edge = self._edge(move)
        if self.edges >> edge & 1:
            raise IllegalMove("edgeDrawn", edge=grid.edges[edge])
        edges = self.edges | 1 << edge
        for box in grid.beside[edge]:
            if edges & grid.boxes[box] == grid.boxes[box]:
                owners = f"{owners[:box]}{seat}{owners[box + 1 :]}"
        turn = 1 - seat if owners == self.owners else seat
        outcome = _ending(owners) if edges == grid.all_edges else None
        return type(self)(grid, owners, edges, turn, outcome=outcome)

    def canonical(self, move: str) -> str:
        return self.grid.edges[self._edge(move)]

    def _edge(self, move: str) -> int:
        grid = self.grid
        edge = grid.number.get(move)
        if edge is None:
            edge = grid.number.get(move.strip().lower())
        if edge is None:
            last = f"{DOT_COLUMNS[grid.columns]}{grid.rows + 1}"
            raise IllegalMove("noSuchEdge", edge=move, last=last)
        return edge

    def view(self, seat: Seat | None) -> View:
        grid = self.grid
        count = grid.horizontal
        horizontal = _text(self.edges & (1 << count) - 1, count, "-")
        vertical = _text(self.edges >> count, len(grid.edges) - count, "|")
        view: View = {
            "rows": grid.rows,
            "columns": grid.columns,
            "horizontal": _cut(horizontal, grid.columns),
            "vertical": _cut(vertical, grid.columns + 1),
            "owners": _cut(self.owners, grid.columns),
            "scores": list(self.scores),
            "toMove": self.turn,
        }
        if self.outcome is not None:
            view["outcome"] = self.outcome.to_json()
        return view


def _ending(owners: str) -> Outcome:
    first, second = owners.count("0"), owners.count("1")
    if first == second:
        return drawn("full", (first, second))
    return won(0 if first > second else 1, "boxes", (first, second))


def _text(bits: int, count: int, mark: str) -> str:
    """The bits as text, lowest first: `mark` for 1, "." for 0."""
    return bin(bits | 1 << count)[:2:-1].replace("1", mark).replace("0", ".")


def _cut(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]


class DotsAndBoxes(Game):
    name = "dots-and-boxes"
    title = "Dots and Boxes"
    needs_drawing = False
    options = DotsAndBoxesOptions
    example_moves = ("a1h", "a1v")
    tables = ({}, {"rows": 1, "columns": 1}, {"rows": 2, "columns": 4})
    refusals = REFUSALS

    def begin(self, seats: int, seed: int, options: Options) -> DotsAndBoxesPosition:
        assert isinstance(options, DotsAndBoxesOptions)
        return DotsAndBoxesPosition(
            grid_of(options.rows, options.columns), "." * options.rows * options.columns
        )

    def from_view(self, view: View) -> DotsAndBoxesPosition:
        options = self.read_options({name: view.get(name) for name in ("rows", "columns")})
        assert isinstance(options, DotsAndBoxesOptions)
        grid = grid_of(options.rows, options.columns)
        horizontal = _joined(view.get("horizontal"), grid.rows + 1, grid.columns, ".-")
        vertical = _joined(view.get("vertical"), grid.rows, grid.columns + 1, ".|")
        owners = _joined(view.get("owners"), grid.rows, grid.columns, ".01")
        edges = sum(1 << index for index, mark in enumerate(horizontal + vertical) if mark != ".")
        _refuse_wrong_owners(grid, edges, owners)
        if view.get("toMove") not in SEATS:
            raise ValueError("Field toMove is a seat, 0 or 1.")
        on_board = _ending(owners) if edges == grid.all_edges else None
        position = DotsAndBoxesPosition(grid, owners, edges, view["toMove"])
        if view.get("scores") != list(position.scores):
            raise ValueError(f"By its owners, the scores are {list(position.scores)}.")
        return replace(position, outcome=outcome_told(view, on_board, position.scores))

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        dot, line, bar = EDGES["ascii" if style == "ascii" else "unicode"]
        marks = {**(ASCII if style == "ascii" else UNICODE), ".": " "}
        width = len(str(view["rows"] + 1))
        lines = []
        for y in reversed(range(view["rows"] + 1)):
            if y < view["rows"]:
                bars = [bar if mark == "|" else " " for mark in view["vertical"][y]]
                owners = [f" {marks[owner]} " for owner in view["owners"][y]]
                lines.append(
                    " " * (width + 1) + "".join(map("".join, zip_longest(bars, owners, fillvalue="")))
                )
            between = [line if mark == "-" else "   " for mark in view["horizontal"][y]]
            lines.append(f"{y + 1:>{width}} {dot}" + dot.join(between) + dot)
        lines.append(" " * (width + 1) + "   ".join(DOT_COLUMNS[: view["columns"] + 1]))
        return "\n".join(line.rstrip() for line in lines)


def _joined(rows: Json, count: int, length: int, marks: str) -> str:
    """The rows of one field of a view as one string. Raises ValueError if the rows have another form."""
    if isinstance(rows, list) and len(rows) == count and all(isinstance(row, str) for row in rows):
        text = "".join(rows)
        if all(len(row) == length for row in rows) and not set(text) - set(marks):
            return text
    raise ValueError(f"On this board there are {count} rows of {length} characters, each one of {marks!r}.")


def _refuse_wrong_owners(grid: DotGrid, edges: int, owners: str) -> None:
    for box, four in enumerate(grid.boxes):
        if (edges & four == four) != (owners[box] != "."):
            x, y = box % grid.columns, box // grid.columns
            raise ValueError(f"The box at {DOT_COLUMNS[x]}{y + 1} has an owner if and only if it is closed.")
