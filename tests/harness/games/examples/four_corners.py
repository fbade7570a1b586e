"""Four corners: four seats take turns to mark cells, and three in a row win. A seat that withdraws is
skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

from pydantic import Field

from tablero_games.drawing import framed
from tablero_games.position import (
    Adjudication,
    Game,
    Options,
    Outcome,
    Reason,
    Seat,
    Style,
    View,
    Wording,
    in_english,
)
from tablero_games.refusals import IllegalMove

LETTERS = "abcdefgh"
SEATS = 4
LINE = 3


class FourCornersOptions(Options):
    size: int = Field(6, ge=4, le=8)


@dataclass(frozen=True, slots=True)
class FourCornersPosition:
    """The cells from a1 row by row, the next seat, the seats still in the game, and the outcome."""

    size: int
    cells: str
    turn: Seat = 0
    there: tuple[Seat, ...] = tuple(range(SEATS))
    outcome: Outcome | None = None

    @property
    def to_move(self) -> frozenset[Seat]:
        return frozenset() if self.outcome else frozenset({self.turn})

    @property
    def playing(self) -> frozenset[Seat]:
        return frozenset() if self.outcome else frozenset(self.there)

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        names = names_of(self.size)
        return [name for name, content in zip(names, self.cells, strict=True) if content == "."]

    def play(self, seat: Seat, move: str) -> Self:
        self._refuse_when_over()
        if seat != self.turn:
            raise IllegalMove("notYourTurn", seat=self.turn)
        name = self.canonical(move)
        at = names_of(self.size).index(name)
        if self.cells[at] != ".":
            raise IllegalMove("occupied", cell=name)
        cells = f"{self.cells[:at]}{seat}{self.cells[at + 1 :]}"
        outcome = None
        if has_line(cells, self.size, str(seat)):
            outcome = Outcome("win", frozenset({seat}), "line")
        elif "." not in cells:
            outcome = Outcome("draw", frozenset(), "full")
        return type(self)(self.size, cells, self._after(seat), self.there, outcome)

    def canonical(self, move: str) -> str:
        name = move.strip().lower()
        if name not in names_of(self.size):
            raise IllegalMove("noSuchCell", cell=move, last=names_of(self.size)[-1])
        return name

    def withdraw(self, seat: Seat, reason: Reason) -> Self:
        self._refuse_when_over()
        if seat not in range(SEATS):
            raise IllegalMove("noSuchSeat", seat=seat, last=SEATS - 1)
        if seat not in self.there:
            raise IllegalMove("outOfGame")
        turn = self._after(seat) if seat == self.turn else self.turn
        there = tuple(each for each in self.there if each != seat)
        outcome = Outcome("win", frozenset(there), reason) if len(there) == 1 else None
        return replace(self, turn=turn, there=there, outcome=outcome)

    def adjudicate(self, kind: Adjudication, reason: str) -> Self:
        self._refuse_when_over()
        return replace(self, outcome=Outcome(kind, frozenset(), reason))

    def view(self, seat: Seat | None) -> View:
        rows = [self.cells[at : at + self.size] for at in range(0, len(self.cells), self.size)]
        view: View = {"rows": rows, "turn": self.turn, "there": list(self.there)}
        return view if self.outcome is None else view | {"outcome": self.outcome.to_json()}

    def _after(self, seat: Seat) -> Seat:
        return next(next for next in self._round(seat) if next in self.there)

    @staticmethod
    def _round(seat: Seat) -> Sequence[Seat]:
        return [(seat + step) % SEATS for step in range(1, SEATS + 1)]

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise IllegalMove("gameOver")


@cache
def names_of(size: int) -> list[str]:
    return [f"{LETTERS[x]}{y + 1}" for y in range(size) for x in range(size)]


def has_line(cells: str, size: int, mark: str) -> bool:
    for at in range(len(cells)):
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            line = [(at % size + right * step, at // size + up * step) for step in range(LINE)]
            inside = all(0 <= x < size and y < size for x, y in line)
            if inside and all(cells[y * size + x] == mark for x, y in line):
                return True
    return False


class FourCorners(Game):
    name = "four-corners"
    title = "Four Corners"
    options = FourCornersOptions
    example_moves = ("a1",)
    tables = ({}, {"size": 4})

    def seats(self, options: Options) -> range:
        return range(SEATS, SEATS + 1)

    def begin(self, seats: int, seed: int, options: Options) -> FourCornersPosition:
        assert isinstance(options, FourCornersOptions)
        return FourCornersPosition(options.size, "." * options.size**2)

    def from_view(self, view: View) -> FourCornersPosition:
        outcome = Outcome.from_json(view["outcome"]) if "outcome" in view else None
        rows = view["rows"]
        return FourCornersPosition(len(rows), "".join(rows), view["turn"], tuple(view["there"]), outcome)

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        return framed(view["rows"][::-1], LETTERS[: len(view["rows"])], style)
