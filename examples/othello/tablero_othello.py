"""Othello: a new disc turns over the discs that it encloses. The player with more discs at the end wins.

A player without a move passes. A pass is not a move here: the other player moves again, and the position
names the seat to move. A position is its cells from a1 to the top right: a seat's digit, or "." if empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, Self

from tablero_games import Game, IllegalMove, Options, Outcome, Seat
from tablero_games.drawing import framed
from tablero_games.position import Style, View, Wording, in_english
from tablero_games.two_seats import TwoSeats, drawn, outcome_told, won

COLUMNS = "abcdefgh"
DIRECTIONS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)


class OthelloOptions(Options):
    size: Literal[8, 6, 4] = 8


@dataclass(frozen=True, slots=True)
class OthelloPosition(TwoSeats):
    cells: str
    size: int = 8
    next: Seat = 0
    """The seat to move. After an end outside the rules, the seat that would have moved."""

    @property
    def next_seat(self) -> Seat:
        return self.next

    @property
    def scores(self) -> tuple[int, int]:
        return self.cells.count("0"), self.cells.count("1")

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if self.outcome is not None or seat != self.next:
            return ()
        return [name_of(at, self.size) for at in range(len(self.cells)) if turned(self.cells, at, seat)]

    def play(self, seat: Seat, move: str) -> Self:
        self.refuse_out_of_turn(seat)
        name = self.canonical(move)
        at = cell_of(name, self.size)
        if self.cells[at] != ".":
            raise IllegalMove("occupied", cell=name)
        over = turned(self.cells, at, seat)
        if not over:
            raise IllegalMove("turnsNothing", cell=name)
        cells = "".join(str(seat) if each in {at, *over} else disc for each, disc in enumerate(self.cells))
        return type(self)(cells, self.size, next_to_move(cells, seat), outcome=ending(cells))

    def canonical(self, move: str) -> str:
        name = move.strip().lower()
        cell_of(name, self.size)
        return name

    def view(self, seat: Seat | None) -> View:
        view: View = {"size": self.size, "cells": self.cells, "next": self.next, "scores": list(self.scores)}
        return view if self.outcome is None else view | {"outcome": self.outcome.to_json()}


def name_of(at: int, size: int) -> str:
    return f"{COLUMNS[at % size]}{at // size + 1}"


def cell_of(name: str, size: int) -> int:
    names = {name_of(at, size): at for at in range(size * size)}
    if name not in names:
        raise IllegalMove("noSuchCell", cell=name, last=name_of(size * size - 1, size))
    return names[name]


@cache
def rays(at: int, size: int) -> tuple[tuple[int, ...], ...]:
    """The cells in each direction, the nearest first."""
    found = []
    for right, up in DIRECTIONS:
        steps = [(at % size + right * far, at // size + up * far) for far in range(1, size)]
        found.append(tuple(y * size + x for x, y in steps if 0 <= x < size and 0 <= y < size))
    return tuple(ray for ray in found if len(ray) > 1)


def turned(cells: str, at: int, seat: Seat) -> list[int]:
    """The discs that a new disc of `seat` turns over; empty if the move is illegal."""
    if cells[at] != ".":
        return []
    own, other, found = str(seat), str(1 - seat), list[int]()
    for ray in rays(at, size_of(cells)):
        enclosed: list[int] = []
        for each in ray:
            if cells[each] != other:
                found += enclosed if cells[each] == own else []
                break
            enclosed.append(each)
    return found


def size_of(cells: str) -> int:
    return int(len(cells) ** 0.5)


def may_move(cells: str, seat: Seat) -> bool:
    return any(turned(cells, at, seat) for at in range(len(cells)))


def next_to_move(cells: str, seat: Seat) -> Seat:
    """The seat that moves after `seat`: the other one, or `seat` again if the other has to pass."""
    return seat if may_move(cells, seat) and not may_move(cells, 1 - seat) else 1 - seat


def ending(cells: str) -> Outcome | None:
    """The outcome if neither seat can move, else None."""
    if may_move(cells, 0) or may_move(cells, 1):
        return None
    scores = cells.count("0"), cells.count("1")
    if scores[0] == scores[1]:
        return drawn("discs", scores)
    return won(0 if scores[0] > scores[1] else 1, "discs", scores)


class Othello(Game):
    name = "othello"
    title = "Othello"
    options = OthelloOptions
    example_moves = ("d3",)
    tables = ({}, {"size": 6}, {"size": 4})
    refusals: ClassVar = {"turnsNothing": "A disc on {cell} would turn no other over."}

    def begin(self, seats: int, seed: int, options: Options) -> OthelloPosition:
        assert isinstance(options, OthelloOptions)
        size = options.size
        cells = ["."] * (size * size)
        for right, up, disc in ((0, 0, "1"), (1, 1, "1"), (0, 1, "0"), (1, 0, "0")):
            cells[(size // 2 - 1 + up) * size + size // 2 - 1 + right] = disc
        return OthelloPosition("".join(cells), size)

    def from_view(self, view: View) -> OthelloPosition:
        cells, size, seat = view.get("cells"), view.get("size"), view.get("next")
        if size not in (4, 6, 8) or not isinstance(cells, str) or len(cells) != size * size:
            raise ValueError("An Othello view has a size of 4, 6 or 8, and as many cells.")
        if set(cells) - set("01.") or seat not in (0, 1):
            raise ValueError("The cells of an Othello view are '0', '1' or '.', and `next` is a seat.")
        over = ending(cells)
        if over is None and not may_move(cells, seat):
            raise ValueError(f"Seat {seat} has no move, so the other is to move.")
        scores = cells.count("0"), cells.count("1")
        return OthelloPosition(cells, size, seat, outcome=outcome_told(view, over, scores))

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        size, cells = view["size"], view["cells"]
        rows = [cells[row * size : (row + 1) * size] for row in reversed(range(size))]
        return framed(rows, COLUMNS[:size], style)
