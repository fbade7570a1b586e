"""The brain that every game has: it plays any legal move."""

from __future__ import annotations

from functools import cache

from tablero.bot import Bot, Turn


class RandomMover(Bot):
    level = "random"

    def choose(self, turn: Turn) -> str:
        return self.random.choice(turn.legal_moves)


@cache
def random_mover(game: str) -> type[Bot]:
    """The random mover for `game`."""
    return type("RandomMover", (RandomMover,), {"game": game, "level": "random"})
