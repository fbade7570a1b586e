"""Gomoku: five stones in a row win. After the first stone, seat 1 may take it over with the move "swap"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

from pydantic import Field, ValidationInfo, field_validator

from tablero_games.drawing import framed
from tablero_games.position import Game, Options, Outcome, Seat, Style, View, Wording, in_english
from tablero_games.refusals import IllegalMove, bad_value
from tablero_games.two_seats import TwoSeats, drawn, outcome_told, won

LETTERS = "abcdefghijklmno"
SWAP = "swap"


class GomokuOptions(Options):
    size: int = Field(9, ge=3, le=15)
    line: int = Field(5, ge=3)

    @field_validator("line")
    @classmethod
    def fits_the_board(cls, line: int, others: ValidationInfo) -> int:
        if line > (size := others.data.get("size", 9)):
            raise bad_value("noRoomForLine", size=size)
        return line


@dataclass(frozen=True, slots=True)
class GomokuPosition(TwoSeats):
    """The cells from a1 row by row, each a seat's digit or ".", and whether the seats have swapped."""

    options: GomokuOptions
    cells: str
    swapped: bool = False

    @property
    def next_seat(self) -> Seat:
        return (len(self.cells) - self.cells.count(".") + self.swapped) & 1

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        names = names_on(self.options.size)
        free = [name for name, content in zip(names, self.cells, strict=True) if content == "."]
        return [*free, SWAP] if self._may_swap else free

    def play(self, seat: Seat, move: str) -> Self:
        self.refuse_out_of_turn(seat)
        name = self.canonical(move)
        if name == SWAP:
            if not self._may_swap:
                raise IllegalMove("noSwapNow")
            return type(self)(self.options, self.cells.replace("0", "1"), True)
        at = names_on(self.options.size)[name]
        if self.cells[at] != ".":
            raise IllegalMove("occupied", cell=name)
        cells = f"{self.cells[:at]}{seat}{self.cells[at + 1 :]}"
        return type(self)(self.options, cells, self.swapped, outcome=ending(self.options, cells))

    def canonical(self, move: str) -> str:
        name, names = move.strip().lower(), names_on(self.options.size)
        if name != SWAP and name not in names:
            raise IllegalMove("noSuchCell", cell=move, last=list(names)[-1])
        return name

    def view(self, seat: Seat | None) -> View:
        size = self.options.size
        rows = [self.cells[at : at + size] for at in range(0, len(self.cells), size)]
        view: View = {"size": size, "line": self.options.line, "rows": rows, "swapped": self.swapped}
        return view if self.outcome is None else view | {"outcome": self.outcome.to_json()}

    @property
    def _may_swap(self) -> bool:
        return not self.swapped and self.cells.count(".") == len(self.cells) - 1


@cache
def names_on(size: int) -> dict[str, int]:
    """The number of each cell."""
    return {f"{LETTERS[at % size]}{at // size + 1}": at for at in range(size * size)}


def ending(options: GomokuOptions, cells: str) -> Outcome | None:
    size, line = options.size, options.line
    for at, seat in enumerate(cells):
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            x, y = at % size + right * (line - 1), at // size + up * (line - 1)
            fits = seat != "." and 0 <= x < size and y < size
            if fits and all(cells[at + step * (up * size + right)] == seat for step in range(line)):
                return won(int(seat), "line")
    return None if "." in cells else drawn("full")


class Gomoku(Game):
    name = "gomoku"
    title = "Gomoku"
    options = GomokuOptions
    example_moves = ("e5",)
    word_moves = frozenset({SWAP})
    tables = ({}, {"size": 3, "line": 3}, {"size": 5, "line": 4})
    refusals = {  # noqa: RUF012
        "noSwapNow": "You can swap only in answer to the first stone.",
        "noRoomForLine": "Option {option}: on this board a line has at most {size} stones.",
    }

    def begin(self, seats: int, seed: int, options: Options) -> GomokuPosition:
        assert isinstance(options, GomokuOptions)
        return GomokuPosition(options, "." * options.size**2)

    def from_view(self, view: View) -> GomokuPosition:
        options = GomokuOptions(size=view["size"], line=view["line"])
        cells = "".join(view["rows"])
        outcome = outcome_told(view, ending(options, cells))
        return GomokuPosition(options, cells, view["swapped"], outcome=outcome)

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        return framed(view["rows"][::-1], LETTERS[: view["size"]], style)
