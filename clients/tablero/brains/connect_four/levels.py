"""The levels of Connect Four after the document: a child, the pseudo-code, the full text, and looking ahead.

Law: only the child's favourite column is random.
"""

from __future__ import annotations

from tablero.bot import Bot, Turn

from .case_value import choose_best_case, grille_of, move_of
from .search import choose_by_full_text, choose_with_lookahead, decisive_case


class Child(Bot):
    """A player who fills a favourite column, and sees wins and losses only one move ahead."""

    game = "connect-four"
    favourite: str | None = None
    """The favourite column, until that column is full."""

    def choose(self, turn: Turn) -> str:
        if self.favourite is None or self.favourite not in turn.legal_moves:
            self.favourite = self.random.choice(turn.legal_moves)
        grille = grille_of(turn.view)
        decisive = decisive_case(grille, turn.seat, grille.cases())
        return self.favourite if decisive is None else move_of(decisive)


class CaseValue(Bot):
    """The pseudo-code: the landing cell with the highest value. Like the document's, it never blocks."""

    game = "connect-four"
    level = "case-value"

    def choose(self, turn: Turn) -> str:
        return move_of(choose_best_case(grille_of(turn.view), turn.seat))


class FullText(Bot):
    """The text around the pseudo-code: win, block, count both players' lines, and prefer the centre."""

    game = "connect-four"
    level = "full-text"

    def choose(self, turn: Turn) -> str:
        return move_of(choose_by_full_text(grille_of(turn.view), turn.seat))


class Lookahead(Bot):
    """The text's simulated opponent, four moves deep."""

    game = "connect-four"

    def choose(self, turn: Turn) -> str:
        return move_of(choose_with_lookahead(grille_of(turn.view), turn.seat))
