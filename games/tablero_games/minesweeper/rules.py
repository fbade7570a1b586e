"""Minesweeper: open every cell without a mine, alone, together on one board, or in a race on equal boards.

Law: only the field is hidden. A view consists of boards, which contain only open cells. No seat sees the
field before the end, not even a seat that is out: its player may know somebody who still plays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as hidden
from typing import Self

from ..position import (
    Adjudication,
    Counts,
    Game,
    Json,
    Options,
    Outcome,
    Position,
    Reason,
    Seat,
    Style,
    View,
    Wording,
    in_english,
    never,
)
from ..record.commitment import salt_and_seed
from ..refusals import IllegalMove
from ..two_seats import NOBODY
from .board import apply_user_action, legal_moves, lose, read_move, revealed
from .drawing import show_map
from .ending import Digger, ending, scores_of
from .field import COVERED, MINE, excluded_cells, generate_map, opening_cell, setup, three_bv
from .grid import Cell, Grid, grid_of
from .no_guess import no_guess_field
from .options import MinesweeperOptions

_COUNTS: dict[str, Counts] = {"solo": "all", "race": "own", "coop": "none"}


REFUSALS = {
    "noSuchAction": "A move is {actions} and a cell, like 'dig c4'; not '{move}'.",
    "noFlag": "There is no flag on {cell}.",
    "flagged": "There is a flag on {cell}; take it off first.",
    "openAlready": "Cell {cell} is open already.",
    "noOpenNumber": "Cell {cell} shows no number; a chord digs around an open number.",
    "wrongFlags": "A chord on {cell} needs flags around it: {number}, not {flags}.",
    "nothingToDig": "There is nothing left to dig around {cell}.",
    "againstLevel": "Option {option}: level {level} sets it to {value}; leave out {option} or level.",
    "tooManyMines": "Option {option}: {width} by {height} cells have room for at most {most} mines.",
}


@dataclass(frozen=True, slots=True)
class MinesweeperPosition:
    """One board, or in a race a board for each seat, and the field. The first dig creates the field if there
    is none.
    """

    options: MinesweeperOptions
    boards: tuple[bytes, ...]
    players: tuple[Digger, ...]
    seed: int = hidden(repr=False)
    field: bytes | None = hidden(repr=False)
    ply: int = 0
    outcome: Outcome | None = None

    @property
    def to_move(self) -> frozenset[Seat]:
        """The seats that are not out: each may move at any time."""
        if self.outcome is not None:
            return NOBODY
        return frozenset(seat for seat, player in enumerate(self.players) if player.out is None)

    @property
    def playing(self) -> frozenset[Seat]:
        return self.to_move

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        return legal_moves(self._grid, self.boards[self._board_of(seat)])

    def play(self, seat: Seat, move: str) -> Self:
        self._refuse_unless_playing(seat)
        grid = self._grid
        choice, cell = read_move(grid, move)
        field = self.field
        if field is None:
            # Only a dig needs a field here: without an open cell, a chord is refused before it reads the
            # field.
            field = setup(self.options, self.seed, cell) if choice == "dig" else b""
        at = self._board_of(seat)
        before = self.boards[at]
        board = apply_user_action(grid, field, before, choice, cell)
        ply, player = self.ply + 1, self.players[seat]
        if newly := revealed(board) - revealed(before):
            player = Digger(player.opened + newly, ply)
        if lose(board):
            player = replace(player, out="mine")
        boards = (*self.boards[:at], board, *self.boards[at + 1 :])
        players = (*self.players[:seat], player, *self.players[seat + 1 :])
        outcome = ending(self.options, boards, players)
        return type(self)(self.options, boards, players, self.seed, field or None, ply, outcome)

    def canonical(self, move: str) -> str:
        choice, cell = read_move(self._grid, move)
        return self._grid.moves[choice][cell]

    def withdraw(self, seat: Seat, reason: Reason) -> Self:
        self._refuse_unless_playing(seat)
        player = replace(self.players[seat], out=reason)
        players = (*self.players[:seat], player, *self.players[seat + 1 :])
        outcome = ending(self.options, self.boards, players, reason)
        return replace(self, players=players, ply=self.ply + 1, outcome=outcome)

    def adjudicate(self, kind: Adjudication, reason: str) -> Self:
        self._refuse_when_over()
        return replace(self, outcome=Outcome(kind, NOBODY, reason, scores_of(self.players)))

    def view(self, seat: Seat | None) -> View:
        options, grid, field = self.options, self._grid, self.field
        shown = options.mode != "race" or seat is not None
        view: View = {
            "mode": options.mode,
            "width": options.width,
            "height": options.height,
            "mines": options.mines,
            "cells": grid.rows(self.boards[self._board_of(seat or 0)]) if shown else None,
            "players": [{"opened": player.opened, "out": player.out} for player in self.players],
        }
        if self.outcome is not None:
            if field is not None:
                view |= {"field": grid.rows(field), "threeBv": three_bv(grid, field)}
            view["outcome"] = self.outcome.to_json()
        return view

    @property
    def _grid(self) -> Grid:
        return grid_of(self.options.height, self.options.width)

    def _board_of(self, seat: Seat) -> int:
        return seat if self.options.mode == "race" else 0

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise IllegalMove("gameOver")

    def _refuse_unless_playing(self, seat: Seat) -> None:
        self._refuse_when_over()
        if seat not in range(len(self.players)):
            raise IllegalMove("noSuchSeat", seat=seat, last=len(self.players) - 1)
        if self.players[seat].out is not None:
            raise IllegalMove("outOfGame")


class Minesweeper(Game):
    name = "minesweeper"
    title = "Minesweeper"
    needs_drawing = False
    options = MinesweeperOptions
    hidden = True
    example_moves = ("dig c4", "flag c4")
    tables = (
        {},
        {"mode": "race", "width": 6, "height": 4, "mines": 4},
        {"mode": "coop", "width": 5, "height": 7, "mines": 5},
        {"width": 30, "height": 2, "mines": 3, "firstDig": "cell"},
    )
    shows_marks = False
    refusals = REFUSALS

    def seats(self, options: Options) -> range:
        assert isinstance(options, MinesweeperOptions)
        return range(1, 2) if options.mode == "solo" else range(2, 9)

    def counts(self, options: Options) -> Counts:
        assert isinstance(options, MinesweeperOptions)
        return _COUNTS[options.mode]

    def together(self, options: Options) -> bool:
        assert isinstance(options, MinesweeperOptions)
        return options.mode == "coop"

    def told(self, position: Position, by: Seat, move: str, to: Seat | None) -> str | None:
        """The move, but None during a race: a rival's dig would show that a cell has no mine."""
        assert isinstance(position, MinesweeperPosition)
        racing = position.options.mode == "race" and position.outcome is None
        return None if racing else move

    def one_seat_each(self, options: Options) -> bool:
        """Whether the mode is a race, in which all boards have the same mines."""
        assert isinstance(options, MinesweeperOptions)
        return options.mode == "race"

    def course(self, options: Options) -> str | None:
        """The course of a solo game at an official level with a first dig of "zone". Fields without guesses
        have separate courses.
        """
        assert isinstance(options, MinesweeperOptions)
        if options.mode != "solo" or options.level is None or options.first_dig != "zone":
            return None
        return f"{options.level}-no-guess" if options.no_guess else options.level

    def needs_preparation(self, options: Options) -> bool:
        assert isinstance(options, MinesweeperOptions)
        return options.no_guess

    def prepare(self, seed: int, options: Options, give_up: Callable[[], bool] = never) -> Json:
        """The rows of a field without guesses, lowest first; None without `noGuess`. Raises NoFieldFound."""
        assert isinstance(options, MinesweeperOptions)
        if not self.needs_preparation(options):
            return None
        _, own_seed = salt_and_seed(seed)
        return grid_of(options.height, options.width).rows(no_guess_field(options, own_seed, give_up))

    def begin(self, seats: int, seed: int, options: Options) -> MinesweeperPosition:
        return self.begin_prepared(seats, seed, options, self.prepare(seed, options))

    def begin_prepared(self, seats: int, seed: int, options: Options, prepared: Json) -> MinesweeperPosition:
        """The first position. In a race or without guesses one cell is open, otherwise all are covered."""
        assert isinstance(options, MinesweeperOptions)
        _, seed = salt_and_seed(seed)
        grid = grid_of(options.height, options.width)
        race = options.mode == "race"
        board = bytes([COVERED]) * len(grid.names)
        field = None
        if race or options.no_guess:
            opening = opening_cell(options, seed)
            field = _laid(options, seed, opening, prepared)
            board = apply_user_action(grid, field, board, "dig", opening)
        boards = (board,) * (seats if race else 1)
        players = (Digger(revealed(board) if race else 0),) * seats
        return MinesweeperPosition(
            options, boards, players, seed, field, outcome=ending(options, boards, players)
        )

    def legal_moves(self, view: View, seat: Seat) -> Sequence[str]:
        if view["cells"] is None or "outcome" in view or view["players"][seat]["out"] is not None:
            return ()
        return legal_moves(grid_of(view["height"], view["width"]), "".join(view["cells"]).encode())

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        return show_map(view, style, say)


def _laid(options: MinesweeperOptions, seed: int, opening: Cell, prepared: Json) -> bytes:
    """The field with this opening. Raises ValueError for a prepared field that does not fit the options."""
    if not options.no_guess:
        return setup(options, seed, opening)
    field = "".join(prepared).encode()
    bombs = {cell for cell, content in enumerate(field) if content == MINE}
    fits = len(bombs) == options.mines and bombs.isdisjoint(excluded_cells(options, opening))
    if not fits or field != generate_map(options.height, options.width, bombs):
        raise ValueError("The prepared field does not fit the options.")
    return field
