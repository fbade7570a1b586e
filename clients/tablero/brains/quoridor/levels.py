"""Quoridor by minimax with alpha-beta: four levels that look two to five plies ahead.

Law: only `AlphaBeta.when_to_stop` decides when a search ends before its depth.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from tablero.bot import Bot, Turn
from tablero_games.quoridor.rules import QuoridorPosition

from .search import QuoridorSearch, Statistics
from .state import earlier_states, move_name, state_of

SHARE_OF_LIMIT = 0.9
"""The share of its time that a level may use; the rest is for sending the answer."""
NODES_PER_SECOND = 20_000
"""Nodes that replace a second when equal seeds must give equal games."""


class AlphaBeta(Bot):
    """The document's player: it searches to `depth`, or as deep as its time allows."""

    game = "quoridor"
    depth: ClassVar[int]
    statistics: Statistics | None = None
    """The statistics of the last move."""
    clock = staticmethod(time.monotonic)

    def choose(self, turn: Turn) -> str:
        stop = self.when_to_stop(min(self.limit_seconds, turn.seconds))
        position = turn.position
        assert isinstance(position, QuoridorPosition)
        root = state_of(position)
        search = QuoridorSearch(root, self.random, stop, earlier_states(position, root))
        move, self.statistics = search.find_best_move(self.depth)
        return move_name(position.maze.board, move)

    def when_to_stop(self, seconds: float) -> Callable[[int], bool]:
        """Return the function that tells a search that begins now, after some nodes, whether to stop."""
        if self.repeatable:
            most = int(self.limit_seconds * NODES_PER_SECOND)
            return lambda nodes: nodes >= most
        clock = self.clock
        end = clock() + seconds * SHARE_OF_LIMIT
        return lambda nodes: clock() >= end
