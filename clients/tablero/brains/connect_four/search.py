"""Connect Four by the document's full text: complete a four, weigh both players' values, and look ahead.

Law: cells are tried from the centre outwards and the first of equal cells wins, so the centre breaks ties.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablero_games import Seat

from .case_value import (
    VECTOR_DIRECTION,
    Case,
    Grille,
    case_value,
    count_alignement,
    valeur_maximum,
)

DEPTH = 4
"""Depth of the lookahead in moves."""
WIN = 1000
"""The value of a won game. The remaining depth is added."""
_INFINITE = 1_000_000


def completes(grille: Grille, case: Case, player: Seat) -> bool:
    """Whether `player` would win the game with a token there."""
    return any(
        count_alignement(grille, *case, player, direction) + 1 >= grille.connect
        for direction in VECTOR_DIRECTION
    )


def decisive_case(grille: Grille, player: Seat, cases: Sequence[Case]) -> Case | None:
    """The first of `cases` that wins for `player`; else the first with which the opponent would win; else
    None.
    """
    for whose in (player, 1 - player):
        for case in cases:
            if completes(grille, case, whose):
                return case
    return None


def from_the_centre(grille: Grille) -> list[Case]:
    """The landing cells, from the centre outwards."""
    return sorted(grille.cases(), key=lambda case: abs(2 * case[0] - grille.columns + 1))


def choose_by_full_text(grille: Grille, player: Seat) -> Case:
    """The cell to play: a four, else a block, else the cell with the most value to both players together."""
    cases = from_the_centre(grille)
    decisive = decisive_case(grille, player, cases)
    if decisive is not None:
        return decisive

    def value_to_both(case: Case) -> int:
        return case_value(grille, *case, player) + case_value(grille, *case, 1 - player)

    return max(cases, key=value_to_both)


def choose_with_lookahead(grille: Grille, player: Seat, depth: int = DEPTH) -> Case:
    """The cell with the best result after `depth` moves. At least one column must not be full."""
    _, case = _search(grille, player, depth, -_INFINITE, _INFINITE)
    assert case is not None
    return case


def win_value(connect: int) -> int:
    """The value of a win: WIN, or more on boards with long lines, so that no leaf is worth more."""
    return max(WIN, 4 * valeur_maximum(connect) + 1)


def leaf_value(grille: Grille, player: Seat, cases: Sequence[Case]) -> int:
    """The best case value of `player`, who is to move, minus the best of the opponent."""
    own = max(case_value(grille, *case, player) for case in cases)
    return own - max(case_value(grille, *case, 1 - player) for case in cases)


def _search(grille: Grille, player: Seat, depth: int, alpha: int, beta: int) -> tuple[int, Case | None]:
    """Alpha-beta search: the value for `player`, who is to move, and the cell to play."""
    cases = from_the_centre(grille)
    if not cases:
        return 0, None
    if depth == 0:
        return leaf_value(grille, player, cases), None
    for case in cases:
        if completes(grille, case, player):
            return win_value(grille.connect) + depth - 1, case
    best, chosen = -_INFINITE, None
    for case in cases:
        grille.drop(case[0], player)
        value = -_search(grille, 1 - player, depth - 1, -beta, -max(alpha, best))[0]
        grille.lift(case[0])
        if value > best:
            best, chosen = value, case
        if best >= beta:
            break
    return best, chosen
