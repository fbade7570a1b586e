"""Tic-tac-toe: three in a row on a board of three by three.

A position is its nine cells as the view shows them, in the order a1, b1, c1, a2, … c3: a seat's digit, or "."
for an empty cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from .drawing import framed
from .position import Game, Options, Outcome, Seat, Style, View, Wording, in_english
from .refusals import IllegalMove
from .two_seats import TwoSeats, drawn, outcome_told, won

COLUMNS = "abc"
CELLS = tuple(column + row for row in "123" for column in COLUMNS)
INDEX = {cell: index for index, cell in enumerate(CELLS)}
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINES_THROUGH = tuple(tuple(line for line in LINES if index in line) for index in range(9))
EMPTY = "." * 9

_FULL = drawn("full")
_LINE = {"0": won(0, "line"), "1": won(1, "line")}


@dataclass(frozen=True, slots=True)
class TicTacToePosition(TwoSeats):
    """The nine cells, and the outcome if the game is over."""

    cells: str = EMPTY

    @property
    def next_seat(self) -> Seat:
        return (9 - self.cells.count(".")) & 1

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if self.outcome is not None or seat != self.next_seat:
            return ()
        return [name for name, content in zip(CELLS, self.cells, strict=True) if content == "."]

    def play(self, seat: Seat, move: str) -> Self:
        self.refuse_out_of_turn(seat)
        index = _cell(move)
        if self.cells[index] != ".":
            raise IllegalMove("occupied", cell=CELLS[index])
        mark = "1" if seat else "0"
        cells = self.cells[:index] + mark + self.cells[index + 1 :]
        return type(self)(cells, outcome=_ending(cells, mark, LINES_THROUGH[index]))

    def canonical(self, move: str) -> str:
        return CELLS[_cell(move)]

    def view(self, seat: Seat | None) -> View:
        if self.outcome is None:
            return {"cells": self.cells}
        return {"cells": self.cells, "outcome": self.outcome.to_json()}


def _cell(move: str) -> int:
    index = INDEX.get(move)
    if index is None:
        index = INDEX.get(move.strip().lower())
    if index is None:
        raise IllegalMove("noSuchCell", cell=move, last="c3")
    return index


def _ending(cells: str, mark: str, lines: Sequence[tuple[int, int, int]]) -> Outcome | None:
    """The outcome of these cells, or None. `lines` are the lines that the last `mark` may have completed."""
    for a, b, c in lines:
        if cells[a] == cells[b] == cells[c] == mark:
            return _LINE[mark]
    return None if "." in cells else _FULL


class TicTacToe(Game):
    name = "tic-tac-toe"
    title = "Tic-tac-toe"
    needs_drawing = False
    example_moves = ("b2",)

    def begin(self, seats: int, seed: int, options: Options) -> TicTacToePosition:
        return TicTacToePosition()

    def from_view(self, view: View) -> TicTacToePosition:
        cells = view.get("cells")
        if not isinstance(cells, str) or len(cells) != 9 or set(cells) - set("01."):
            raise ValueError("A tic-tac-toe view has nine cells, each '0', '1' or '.'.")
        ahead = cells.count("0") - cells.count("1")
        if ahead not in (0, 1):
            raise ValueError(f"Seats 0 and 1 take turns, so {cells} cannot come about.")
        last, other = ("0", "1") if ahead else ("1", "0")
        if _ending(cells, other, LINES) is _LINE[other]:
            raise ValueError(f"Seat {other} already had a line when seat {last} moved in {cells}.")
        return TicTacToePosition(cells, outcome=outcome_told(view, _ending(cells, last, LINES)))

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        cells = view["cells"]
        return framed([cells[6:], cells[3:6], cells[:3]], COLUMNS, style)
