"""The tables at which a bot is tried: of every game the usual board, and some that are easily forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tablero_games import GAMES, Position, Seat

_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "connect-four": [
        {},
        {"columns": 4, "rows": 5, "connect": 3},
        {"columns": 9, "rows": 4, "connect": 5},
    ],
    "dots-and-boxes": [{}, {"rows": 1, "columns": 1}, {"rows": 2, "columns": 4}],
    "quoridor": [{}, {"size": 4, "walls": 2}, {"size": 5, "walls": 0}],
    "minesweeper": [
        {},
        {"mode": "race", "width": 6, "height": 4, "mines": 4},
        {"mode": "coop", "width": 5, "height": 7, "mines": 5},
        {"width": 30, "height": 2, "mines": 3, "firstDig": "cell"},
    ],
}


@dataclass(frozen=True)
class Table:
    """One seat at one kind of table."""

    game: str
    options: dict[str, Any]
    seats: int
    seat: Seat

    def start(self, seed: int) -> Position:
        return GAMES[self.game].start(self.seats, seed, **self.options)

    @property
    def races(self) -> bool:
        rules = GAMES[self.game]
        return rules.pace(rules.read_options(self.options)) == "race"

    def __str__(self) -> str:
        options = " ".join(f"{name} {value}" for name, value in self.options.items())
        return f"{' '.join([self.game, options]).strip()}, seat {self.seat}"


def tables(game: str) -> Iterator[Table]:
    """The usual table first."""
    rules = GAMES[game]
    for options in _OPTIONS.get(game, [{}]):
        seats = rules.seats(rules.read_options(options))[0]
        for seat in range(seats):
            yield Table(game, options, seats, seat)


def in_the_middle(table: Table, random: Random) -> tuple[Position, list[str]] | None:
    """A position of a random game with this seat to move, and the moves; None if the game ended."""
    position, moves = table.start(random.getrandbits(64)), list[str]()
    for _ in range(random.randrange(1, 30)):
        if not position.to_move:
            return None
        position, (_, move) = at_random(position, random)
        moves.append(move)
    while position.to_move and table.seat not in position.to_move:
        position, (_, move) = at_random(position, random)
        moves.append(move)
    return (position, moves) if position.to_move else None


def at_random(position: Position, random: Random) -> tuple[Position, tuple[Seat, str]]:
    """The position after any move of anybody, and who played which."""
    seat = random.choice(sorted(position.to_move))
    move = random.choice(position.legal_moves(seat))
    return position.play(seat, move), (seat, move)
