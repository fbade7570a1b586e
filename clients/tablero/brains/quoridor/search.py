"""Minimax with alpha-beta over Quoridor states, one ply deeper each time until told to stop.

Law: a stored score says whether it is exact or a bound, and a bound is used only if it decides. So the score
equals that of a search that neither stores nor prunes.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import NamedTuple

from tablero_games import Seat

from .state import Move, State, apply_move, get_all_possible_moves

DISTANCE = 20
"""The value of each step that the rival is further from its goal than the player."""
ROBUSTNESS = 2
"""The value of each alternative first step of a shortest way."""
WALLS = 10
"""The value of each wall left."""
NEAR = 4
"""Distance from its goal at which a rival is near."""
WALLS_WHEN_NEAR = 4
"""The additional value of each wall left when the rival is near."""
MOBILITY = 1
"""The value of each cell that the pawn can reach with its next step."""
GREATEST_LEAD = 900
"""Maximum value of a lead, in either direction."""
WIN = 1000


def evaluate_state(state: State, player: Seat, depth: int = 0) -> int:
    """The score for `player`. A finished game counts more if more `depth` was still to be searched."""
    if state.is_over:
        return WIN + depth if state.seat != player else -WIN - depth
    ways, pawn, other, left, others_left, seat = state
    own, others = ways.distances[seat], ways.distances[1 - seat]
    distance, others_distance = own.of(pawn), others.of(other)
    steps, occupied = ways.maze.steps, pawn | other
    score = (
        DISTANCE * (others_distance - distance)
        + ROBUSTNESS * (own.shortest_steps(pawn) - others.shortest_steps(other))
        + WALLS * (left - others_left)
        + MOBILITY * (steps(pawn, occupied).bit_count() - steps(other, occupied).bit_count())
    )
    if others_distance <= NEAR:
        score += WALLS_WHEN_NEAR * left
    if distance <= NEAR:
        score -= WALLS_WHEN_NEAR * others_left
    score = max(-GREATEST_LEAD, min(GREATEST_LEAD, score))
    return score if seat == player else -score


INFINITY = 1 << 20
DRAW = 0
"""The value of a state that already occurred in the game."""
NODES_BETWEEN_CHECKS = 64
"""Number of nodes between two checks of the clock: some milliseconds."""


class Bound(Enum):
    EXACT = "="
    LOWER = ">="
    UPPER = "<="


EXACT, LOWER, UPPER = Bound


class Stored(NamedTuple):
    """The stored result of searching one state."""

    depth: int
    """The number of plies searched below the state."""
    bound: Bound
    score: int
    best: Move | None
    """The best move; None if the game is over or nothing was searched."""

    def decides(self, depth: int, alpha: int, beta: int) -> bool:
        """Whether the score replaces a search to `depth` with this window."""
        if self.depth < depth:
            return False
        if self.bound is EXACT:
            return True
        return self.score >= beta if self.bound is LOWER else self.score <= alpha


@dataclass(frozen=True)
class Statistics:
    """Counters of a search."""

    nodes_explored: int
    """Number of calls of `minimax`."""
    cache_hits: int
    """Number of calls answered from the transposition table."""
    depth: int
    """The depth of the deepest finished search."""
    score: int
    """The score of the chosen move."""


class OutOfTime(Exception):
    """Raised when the search was told to stop."""


class QuoridorSearch:
    """The search for one move; the player to move maximises."""

    def __init__(
        self, root: State, random: Random, stop: Callable[[int], bool], earlier: Set[State] = frozenset()
    ) -> None:
        self.root = root
        self.player = root.seat
        self.random = random
        self.nodes_explored = 0
        self.cache_hits = 0
        self._stop = stop
        self._earlier = earlier
        """States that occurred before; returning to one counts as a draw."""
        self._may_stop = False
        self._table: dict[tuple[State, bool], Stored] = {}
        self._history: dict[Move, int] = {}
        self._killers: dict[int, Move] = {}
        """The move that last cut off a branch, by the depth left."""

    def find_best_move(self, deepest: int) -> tuple[Move, Statistics]:
        """The best move of the deepest search, up to `deepest`, that is finished before `stop`. Ties are
        broken at random.
        """
        moves = get_all_possible_moves(self.root)
        best_moves, finished, score = moves, 0, 0
        for depth in range(1, deepest + 1):
            try:
                score, best_moves = self.best_moves(moves, depth)
            except OutOfTime:
                break
            finished = depth
            if abs(score) > GREATEST_LEAD:
                break  # the game is decided, and a deeper search would find the same
            moves.sort(key=lambda move: move not in best_moves)
            self._may_stop = True
        move = self.random.choice(best_moves)
        return move, Statistics(self.nodes_explored, self.cache_hits, finished, score)

    def best_moves(self, moves: list[Move], depth: int) -> tuple[int, list[Move]]:
        """The highest score, and all moves that have it.

        The window of each move starts just below the best score. So an equal score is exact, not just a
        bound.
        """
        best, best_moves = -INFINITY, moves
        for move in moves:
            score = self.minimax(apply_move(self.root, move), depth - 1, best - 1, INFINITY, is_max=False)
            if score > best:
                best, best_moves = score, [move]
            elif score == best:
                best_moves.append(move)
        return best, best_moves

    def minimax(self, state: State, depth: int, alpha: int, beta: int, is_max: bool) -> int:
        """The score of `state`: exact between alpha and beta, else a bound. Raises OutOfTime."""
        self.nodes_explored += 1
        if self._may_stop and not self.nodes_explored % NODES_BETWEEN_CHECKS:
            self._check_time()
        if state in self._earlier:
            return DRAW
        key = (state, is_max)
        stored = self._table.get(key)
        if stored is not None and stored.decides(depth, alpha, beta):
            self.cache_hits += 1
            return stored.score
        if depth == 0 or state.is_over:
            score = evaluate_state(state, self.player, depth)
            self._table[key] = Stored(depth, EXACT, score, None)
            return score
        moves = self._by_promise(get_all_possible_moves(state), stored, depth)
        search = self._maximise if is_max else self._minimise
        score, best = search(state, moves, depth, alpha, beta)
        bound = LOWER if score >= beta else UPPER if score <= alpha else EXACT
        if bound is (LOWER if is_max else UPPER):
            self._killers[depth] = best
            self._history[best] = self._history.get(best, 0) + depth * depth
        self._table[key] = Stored(depth, bound, score, best)
        return score

    def _maximise(
        self, state: State, moves: list[Move], depth: int, alpha: int, beta: int
    ) -> tuple[int, Move]:
        max_eval, best = -INFINITY, moves[0]
        for move in moves:
            score = self.minimax(apply_move(state, move), depth - 1, alpha, beta, False)
            if score > max_eval:
                max_eval, best = score, move
                alpha = max(alpha, score)
                if beta <= alpha:
                    break
        return max_eval, best

    def _minimise(
        self, state: State, moves: list[Move], depth: int, alpha: int, beta: int
    ) -> tuple[int, Move]:
        min_eval, best = INFINITY, moves[0]
        for move in moves:
            score = self.minimax(apply_move(state, move), depth - 1, alpha, beta, True)
            if score < min_eval:
                min_eval, best = score, move
                beta = min(beta, score)
                if beta <= alpha:
                    break
        return min_eval, best

    def _by_promise(self, moves: list[Move], stored: Stored | None, depth: int) -> list[Move]:
        """The moves in the order in which to try them: the stored best move, the last move that caused a
        cut-off, then those that most often caused one.
        """
        best, killer, history = stored and stored.best, self._killers.get(depth), self._history

        def promise(move: Move) -> int:
            if move == best:
                return 2 * INFINITY
            return INFINITY if move == killer else history.get(move, 0)

        return sorted(moves, key=promise, reverse=True)

    def _check_time(self) -> None:
        if self._stop(self.nodes_explored):
            raise OutOfTime
