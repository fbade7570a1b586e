"""What a Quoridor state is worth to a player: the document's four criteria, and its reward for winning.

Law: a lead, however great, counts less than a win.
"""

from __future__ import annotations

from tablero_games import Seat

from .state import State

DISTANCE = 20
"""For each step that the rival is further from its goal than the player."""
ROBUSTNESS = 2
"""For each alternative: each first step with which a shortest way can begin."""
WALLS = 10
"""For each wall left."""
NEAR = 4
"""So many steps from its goal, a rival is near."""
WALLS_WHEN_NEAR = 4
"""For each wall left on top of that, when the rival is near."""
MOBILITY = 1
"""For each cell that the pawn can go to at once."""
GREATEST_LEAD = 900
"""More than this a lead never counts, in either direction."""
WIN = 1000


def evaluate_state(state: State, player: Seat, depth: int = 0) -> int:
    """The score for `player`. An end counts the more, the more `depth` was still to be searched."""
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
