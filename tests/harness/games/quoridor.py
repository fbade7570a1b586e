"""Positions of Quoridor for tests: drawn, played, or random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tablero_games import IllegalMove
from tablero_games.quoridor.rules import Quoridor, QuoridorPosition

QUORIDOR = Quoridor()


def start(**options: Any) -> QuoridorPosition:
    position = QUORIDOR.start(**options)
    assert isinstance(position, QuoridorPosition)
    return position


def drawn(picture: str, *, seat: int = 0, walls_left: tuple[int, int] = (5, 5)) -> QuoridorPosition:
    """The position in an ASCII drawing without labels: X is seat 0's pawn, O seat 1's, = and # are walls."""
    lines = [line.strip()[1:-1] for line in picture.strip().splitlines()]
    size = (len(lines) + 1) // 2
    pawns: dict[str, str] = {}
    walls = []
    for y, line in enumerate(lines):
        row = size - y // 2
        for letter, cell in zip("abcdefghi"[:size], range(1, 4 * size, 4), strict=True):
            if y % 2 == 0:
                pawns[line[cell]] = f"{letter}{row}"
            elif (stroke := line[cell + 2 : cell + 3]) in ("=", "#"):
                walls.append(f"{letter}{row - 1}{'h' if stroke == '=' else 'v'}")
    view = {"size": size, "ply": 20 + seat, "pawns": [pawns["X"], pawns["O"]], "walls": walls, "earlier": []}
    return QUORIDOR.from_view(view | {"wallsLeft": list(walls_left)})


def played(position: QuoridorPosition, moves: str) -> QuoridorPosition:
    for move in moves.split():
        position = position.play(position.next_seat, move)
    return position


def refusal(position: QuoridorPosition, move: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        position.play(position.next_seat, move)
    assert refused.value.code == "illegalMove"
    return refused.value.sentence


def ending(position: QuoridorPosition) -> tuple[str, set[int], str] | None:
    outcome = position.outcome
    return None if outcome is None else (outcome.kind, set(outcome.winners), outcome.reason)


def random_positions(seed: int, games: int, **options: Any) -> Iterator[QuoridorPosition]:
    """Every position before the end of some random games; half of the moves are walls while there are any."""
    choice = random.Random(seed)
    for _ in range(games):
        position = start(**options)
        while position.outcome is None:
            yield position
            moves = position.legal_moves(position.next_seat)
            walls = [move for move in moves if move[-1] in "hv"]
            if not walls or choice.random() < 0.5:
                walls = [move for move in moves if move[-1] not in "hv"]
            position = position.play(position.next_seat, choice.choice(walls))
