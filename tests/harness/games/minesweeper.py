"""Minefields drawn by hand, top row first, and slow, simple rules to compare ours with.

"*" is a mine, any other character a cell without one. Only `playing` uses the rules under test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

from tablero_games.minesweeper.ending import Digger
from tablero_games.minesweeper.rules import Minesweeper, MinesweeperPosition
from tablero_games.position import Json

GAME = Minesweeper()
Spot = tuple[int, int]


class SlowField:
    """A minefield as sets of (x, y), with y counted from below."""

    def __init__(self, width: int, height: int, bombs: set[Spot]) -> None:
        self.width, self.height, self.bombs = width, height, bombs
        self.spots = [(x, y) for y in range(height) for x in range(width)]

    def around(self, spot: Spot) -> Iterator[Spot]:
        for x, y in product((-1, 0, 1), (-1, 0, 1)):
            other = spot[0] + x, spot[1] + y
            if other != spot and other in self.spots:
                yield other

    def number(self, spot: Spot) -> int:
        return len([other for other in self.around(spot) if other in self.bombs])

    def text(self) -> bytes:
        return "".join("*" if spot in self.bombs else str(self.number(spot)) for spot in self.spots).encode()

    def flood(self, spot: Spot, opened: set[Spot]) -> set[Spot]:
        """Opens cells recursively, as a beginner would write it."""
        if spot not in opened:
            opened.add(spot)
            if spot not in self.bombs and self.number(spot) == 0:
                for other in self.around(spot):
                    self.flood(other, opened)
        return opened

    def three_bv(self) -> int:
        digs = 0
        left = set(self.spots) - self.bombs
        for spot in sorted(left, key=self.number):
            if spot in left:
                left -= self.flood(spot, set())
                digs += 1
        return digs


class SlowBoard:
    """A player's game on such a field, by the usual rules."""

    def __init__(self, field: SlowField) -> None:
        self.field = field
        self.opened: set[Spot] = set()
        self.flags: set[Spot] = set()

    def moves(self) -> Iterator[tuple[str, Spot]]:
        covered = set(self.field.spots) - self.opened - self.flags
        for spot in self.field.spots:
            if spot in covered:
                yield "dig", spot
                yield "flag", spot
            if spot in self.flags:
                yield "unflag", spot
            if spot in self.opened:
                around = set(self.field.around(spot))
                if len(around & self.flags) == self.field.number(spot) and around & covered:
                    yield "chord", spot

    def play(self, action: str, spot: Spot) -> None:
        if action == "flag":
            self.flags.add(spot)
        elif action == "unflag":
            self.flags.remove(spot)
        else:
            dug = [spot] if action == "dig" else set(self.field.around(spot)) - self.flags
            for other in dug:
                self.field.flood(other, self.opened)
            self.flags -= self.opened

    def lost(self) -> bool:
        return bool(self.opened & self.field.bombs)

    def won(self) -> bool:
        return self.opened == set(self.field.spots) - self.field.bombs

    def text(self) -> bytes:
        shown = zip(self.field.spots, self.field.text().decode(), strict=True)
        return "".join(
            content if spot in self.opened else "F" if spot in self.flags else "#" for spot, content in shown
        ).encode()


def slow_field(picture: str) -> SlowField:
    rows = picture.split()[::-1]
    bombs = {(x, y) for y, row in enumerate(rows) for x, content in enumerate(row) if content == "*"}
    return SlowField(len(rows[0]), len(rows), bombs)


def every_field(width: int, height: int) -> Iterator[SlowField]:
    spots = [(x, y) for y in range(height) for x in range(width)]
    for choice in product((False, True), repeat=len(spots)):
        yield SlowField(width, height, {spot for spot, mined in zip(spots, choice, strict=True) if mined})


def name_of(spot: Spot) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[spot[0]]}{spot[1] + 1}"


def playing(picture: str | SlowField, mode: str = "solo", seats: int | None = None) -> MinesweeperPosition:
    """A game on this field with nothing open, as if the field had been drawn from a seed."""
    field = slow_field(picture) if isinstance(picture, str) else picture
    position = GAME.start(seats, mode=mode, width=field.width, height=field.height, mines=0)
    assert isinstance(position, MinesweeperPosition)
    options = position.options.model_copy(update={"mines": len(field.bombs)})
    boards = (b"#" * len(field.spots),) * len(position.boards)
    players = (Digger(),) * len(position.players)
    return replace(
        position, options=options, field=field.text(), boards=boards, players=players, outcome=None
    )


def started(seats: int | None = None, seed: int = 7, **options: Json) -> MinesweeperPosition:
    position = GAME.start(seats, seed, **options)
    assert isinstance(position, MinesweeperPosition)
    return position


def played(position: MinesweeperPosition, *moves: str, seat: int = 0) -> MinesweeperPosition:
    """The position after moves of `seat`; a move that starts with a number, as "1 dig a1", is by
    that seat.
    """
    for move in moves:
        mover, text = (int(move[0]), move[2:]) if move[0].isdigit() else (seat, move)
        position = position.play(mover, text)
    return position


def board(position: MinesweeperPosition, seat: int = 0) -> str:
    """This seat's view of the cells, top row first, like the pictures."""
    return " ".join(reversed(position.view(seat)["cells"]))


def needs_no_guess(field: SlowField, opening: tuple[int, int]) -> bool:
    """Whether some cell is always certainly safe, found by trying all places of as many mines."""
    count = len(field.bombs)
    ways = [SlowField(field.width, field.height, set(way)) for way in combinations(field.spots, count)]
    opened = field.flood(opening, set())
    while len(opened) + count < len(field.spots):
        ways = [way for way in ways if looks_like(way, field, opened)]
        safe = set(field.spots) - opened - set().union(*(way.bombs for way in ways))
        if not safe:
            return False
        for spot in safe:
            field.flood(spot, opened)
    return True


def looks_like(way: SlowField, field: SlowField, opened: set[tuple[int, int]]) -> bool:
    return not opened & way.bombs and all(way.number(spot) == field.number(spot) for spot in opened)
