"""Battleship: both players secretly place their ships at the same time, then shoot in turn.

A ship is two cells long, named by its lower left cell and its direction, h or v. Both players see every shot.
The first to sink all ships of the other wins. A player may resign at any time, even while the other places
ships.
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
    Counts,
    Game,
    Options,
    Outcome,
    Position,
    Reason,
    Seat,
    Style,
    View,
    Wording,
    in_english,
)
from tablero_games.refusals import IllegalMove
from tablero_games.two_seats import BOTH, NOBODY, ONLY, SEATS, adjudicated, given_up, won

LETTERS = "abcdefgh"
Ship = tuple[str, str]
"""The names of a ship's two cells."""


class BattleshipOptions(Options):
    size: int = Field(6, ge=3, le=8)
    ships: int = Field(3, ge=1, le=3)


@dataclass(frozen=True, slots=True)
class BattleshipPosition:
    """The ships and the shots of each seat, in order."""

    options: BattleshipOptions
    ships: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    shots: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    outcome: Outcome | None = None

    @property
    def to_move(self) -> frozenset[Seat]:
        if self.outcome is not None:
            return NOBODY
        placing = frozenset(seat for seat in SEATS if len(self.ships[seat]) < self.options.ships)
        return placing or ONLY[len(self.shots[0]) > len(self.shots[1])]

    @property
    def playing(self) -> frozenset[Seat]:
        return BOTH if self.outcome is None else NOBODY

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        return legal_moves(self.options, self.ships[seat], self.shots[seat]) if seat in self.to_move else ()

    def play(self, seat: Seat, move: str) -> Self:
        self._refuse_when_over()
        if seat not in self.to_move:
            raise IllegalMove("notYourTurn", seat=1 - seat)
        name = self.canonical(move)
        if name not in self.legal_moves(seat):
            placing = len(self.ships[seat]) < self.options.ships
            raise IllegalMove("noShipThere" if placing else "noShotThere", move=name)
        if len(self.ships[seat]) < self.options.ships:
            return replace(self, ships=with_one_more(self.ships, seat, name))
        shots = with_one_more(self.shots, seat, name)
        sunk = cells_of(self.ships[1 - seat]) <= set(shots[seat])
        return replace(self, shots=shots, outcome=won(seat, "sunk") if sunk else None)

    def canonical(self, move: str) -> str:
        name = move.strip().lower()
        cells = cells_on(self.options.size)
        if name not in cells and name not in ships_on(self.options.size):
            raise IllegalMove("noShipOrCell", move=move, last=cells[-1])
        return name

    def withdraw(self, seat: Seat, reason: Reason) -> Self:
        self._refuse_when_over()
        if seat not in SEATS:
            raise IllegalMove("noSuchSeat", seat=seat, last=1)
        return replace(self, outcome=given_up(seat, reason, None))

    def adjudicate(self, kind: Adjudication, reason: str) -> Self:
        self._refuse_when_over()
        return replace(self, outcome=adjudicated(kind, reason, None))

    def view(self, seat: Seat | None) -> View:
        view: View = {
            "size": self.options.size,
            "fleet": self.options.ships,
            "placed": [len(ships) for ships in self.ships],
            "ships": [
                list(ships) if owner == seat or self.outcome is not None else None
                for owner, ships in enumerate(self.ships)
            ],
            "shots": [list(shots) for shots in self.shots],
            "hits": [
                [shot for shot in shots if shot in cells_of(self.ships[1 - by])]
                for by, shots in enumerate(self.shots)
            ],
        }
        return view if self.outcome is None else view | {"outcome": self.outcome.to_json()}

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise IllegalMove("gameOver")


def with_one_more(
    lists: tuple[tuple[str, ...], tuple[str, ...]], seat: Seat, name: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    first, second = lists
    return (first, (*second, name)) if seat else ((*first, name), second)


@cache
def cells_on(size: int) -> list[str]:
    return [f"{LETTERS[x]}{y + 1}" for y in range(size) for x in range(size)]


@cache
def ships_on(size: int) -> dict[str, Ship]:
    flat = {
        f"{LETTERS[x]}{y + 1}h": (f"{LETTERS[x]}{y + 1}", f"{LETTERS[x + 1]}{y + 1}")
        for y in range(size)
        for x in range(size - 1)
    }
    tall = {
        f"{LETTERS[x]}{y + 1}v": (f"{LETTERS[x]}{y + 1}", f"{LETTERS[x]}{y + 2}")
        for y in range(size - 1)
        for x in range(size)
    }
    return flat | tall


def cells_of(ships: Sequence[str]) -> set[str]:
    on_any_board = ships_on(len(LETTERS))
    return {cell for ship in ships for cell in on_any_board[ship]}


def legal_moves(options: BattleshipOptions, ships: Sequence[str], shots: Sequence[str]) -> list[str]:
    """The legal moves of a seat with these ships and shots, on its turn."""
    if len(ships) < options.ships:
        taken = cells_of(ships)
        return [name for name, cells in ships_on(options.size).items() if taken.isdisjoint(cells)]
    return [cell for cell in cells_on(options.size) if cell not in shots]


class Battleship(Game):
    name = "battleship"
    title = "Battleship"
    options = BattleshipOptions
    hidden = True
    example_moves = ("a1h", "c3v")
    tables = ({}, {"size": 3, "ships": 1}, {"size": 4})
    refusals = {  # noqa: RUF012
        "noShipOrCell": "There is no cell or ship '{move}'; a cell is a1 to {last}, a ship also h or v.",
        "noShipThere": "No ship can be placed by {move}; name two free cells by the first and h or v.",
        "noShotThere": "You cannot shoot at {move}; name a cell that you have not shot at.",
    }

    def counts(self, options: Options) -> Counts:
        """Only a seat's own moves count: while both place ships, no player knows the number of the other's
        moves.
        """
        return "own"

    def told(self, position: Position, by: Seat, move: str, to: Seat | None) -> str | None:
        """The move; None for a placed ship before the end."""
        return None if move[-1] in "hv" and position.outcome is None else move

    def begin(self, seats: int, seed: int, options: Options) -> BattleshipPosition:
        assert isinstance(options, BattleshipOptions)
        return BattleshipPosition(options)

    def legal_moves(self, view: View, seat: Seat) -> Sequence[str]:
        options = BattleshipOptions(size=view["size"], ships=view["fleet"])
        known = tuple(tuple(each or ()) for each in view["ships"])
        placing = [each for each in SEATS if view["placed"][each] < options.ships]
        shots = view["shots"]
        next_seats = placing or [int(len(shots[0]) > len(shots[1]))]
        if "outcome" in view or seat not in next_seats:
            return ()
        return legal_moves(options, known[seat], shots[seat])

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        """Both seas, seat 0's on the left: `o` a miss, `*` a hit, and the owner's mark for a visible ship."""
        seas = [self._sea(view, owner, style).splitlines() for owner in SEATS]
        width = max(map(len, seas[0]))
        return "\n".join(f"{left:<{width}}   {right}" for left, right in zip(*seas, strict=True))

    def _sea(self, view: View, owner: Seat, style: Style) -> str:
        size, known = view["size"], cells_of(view["ships"][owner] or ())
        shots, hits = view["shots"][1 - owner], view["hits"][1 - owner]
        marks = {
            cell: "*" if cell in hits else "o" if cell in shots else str(owner) if cell in known else "."
            for cell in cells_on(size)
        }
        rows = [[marks[f"{letter}{y}"] for letter in LETTERS[:size]] for y in range(size, 0, -1)]
        return framed(rows, LETTERS[:size], style)


def twin(position: Position, seat: Seat) -> Position | None:
    """A position that `seat` can't distinguish from this one: a hidden ship of the other seat is
    elsewhere.
    """
    assert isinstance(position, BattleshipPosition)
    if position.outcome is not None or not position.ships[1 - seat]:
        return None
    [first, *others], shot = position.ships[1 - seat], set(position.shots[seat])
    everywhere = ships_on(position.options.size)
    taken = shot | cells_of(others) | {*everywhere[first]}
    if not shot.isdisjoint(everywhere[first]):
        return None
    for name, cells in everywhere.items():
        if taken.isdisjoint(cells):
            theirs = (name, *others)
            return replace(
                position, ships=(position.ships[0], theirs) if seat == 0 else (theirs, position.ships[1])
            )
    return None
