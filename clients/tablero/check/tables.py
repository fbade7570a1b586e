"""The tables at which a bot is tried: the usual board of every game, and some that are easily forgotten."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tablero_games import GAMES, Play, Seat


@dataclass(frozen=True)
class TriedSeat:
    """One seat at one kind of table."""

    game: str
    options: dict[str, Any]
    seats: int
    seat: Seat

    def start(self, seed: int) -> Play:
        return Play.begin(GAMES[self.game], self.seats, seed, options=self.options)

    def __str__(self) -> str:
        options = " ".join(f"{name} {value}" for name, value in self.options.items())
        return f"{' '.join([self.game, options]).strip()}, seat {self.seat}"


def tables(game: str) -> Iterator[TriedSeat]:
    """The tables of `game`, the usual one first."""
    rules = GAMES[game]
    for options in map(dict, rules.tables):
        seats = rules.seats(rules.read_options(options))[0]
        for seat in range(seats):
            yield TriedSeat(game, options, seats, seat)


def in_the_middle(table: TriedSeat, random: Random) -> tuple[Play, list[str]] | None:
    """A random game with this seat to move, and its moves; None if the game ended."""
    play, moves = table.start(random.getrandbits(64)), list[str]()
    for _ in range(random.randrange(1, 30)):
        if not play.position.to_move:
            return None
        play = at_random(play, random, moves)
    while play.position.to_move and table.seat not in play.position.to_move:
        play = at_random(play, random, moves)
    return (play, moves) if play.position.to_move else None


def at_random(
    play: Play, random: Random, moves: list[str] | None = None, seats: Collection[Seat] | None = None
) -> Play:
    """The game after a random move of any seat, or of one of `seats`. The move is added to `moves`."""
    seat = random.choice(sorted(seats or play.position.to_move))
    move = random.choice(play.position.legal_moves(seat))
    if moves is not None:
        moves.append(move)
    return play.turn(seat, move)
