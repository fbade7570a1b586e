"""Dots and Boxes as in document 000: a level that looks for a box to close, and weaker and stronger levels.

Law: the levels up to `hard` look one edge ahead and search nothing. `medium` is the document's "moyen", check
by check. The other levels come from its neighbouring chapters and its list of improvements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tablero.bot import Bot, Turn
from tablero_games.dots_and_boxes import DOT_COLUMNS, DotsAndBoxesPosition

from .chains import board_of
from .expert import best_edge


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the document's grid. It holds its top and left edges; its neighbours hold the others."""

    top: bool
    """Whether the horizontal edge is selected."""
    left: bool
    """Whether the vertical edge is selected."""
    complete: bool


Grille = Sequence[Sequence[Cell]]
"""The cells by row, from the top left. An extra row and column hold the outer edges."""


def grille_of(view: dict[str, Any]) -> Grille:
    """The document's grid for a view, whose rows start at the bottom."""
    no_edges = "." * (view["columns"] + 1)
    tops = [row + "." for row in reversed(view["horizontal"])]
    lefts = [*reversed(view["vertical"]), no_edges]
    owners = [*(row + "." for row in reversed(view["owners"])), no_edges]
    return [
        [Cell(top != ".", left != ".", owner != ".") for top, left, owner in zip(*row, strict=True)]
        for row in zip(tops, lefts, owners, strict=True)
    ]


def horizontal_edge(grille: Grille, row: int, column: int) -> str:
    """The name of the cell's top edge."""
    return f"{DOT_COLUMNS[column]}{len(grille) - row}h"


def vertical_edge(grille: Grille, row: int, column: int) -> str:
    """The name of the cell's left edge."""
    return f"{DOT_COLUMNS[column]}{len(grille) - row - 1}v"


# The four checks of "compléter un carré"


def arrete_en_bas_manquante(grille: Grille, row: int, column: int) -> str | None:
    """The bottom edge of the box, if all its other edges are selected; else None."""
    cell = grille[row][column]
    if (
        not cell.complete
        and (cell.left and cell.top)
        and not _last_column(grille, column)
        and grille[row][column + 1].left
        and not _last_row(grille, row)
    ):
        return horizontal_edge(grille, row + 1, column)
    return None


def arrete_a_droite_manquante(grille: Grille, row: int, column: int) -> str | None:
    """The right edge of the box, if all its other edges are selected; else None."""
    cell = grille[row][column]
    if (
        not cell.complete
        and (cell.left and cell.top)
        and not _last_row(grille, row)
        and grille[row + 1][column].top
        and not _last_column(grille, column)
    ):
        return vertical_edge(grille, row, column + 1)
    return None


def arrete_en_haut_manquante(grille: Grille, row: int, column: int) -> str | None:
    """The top edge of the box, if all its other edges are selected; else None."""
    cell = grille[row][column]
    if (
        not cell.complete
        and (cell.left and not cell.top)
        and not _last_column(grille, column)
        and grille[row][column + 1].left
        and not _last_row(grille, row)
        and grille[row + 1][column].top
    ):
        return horizontal_edge(grille, row, column)
    return None


def arrete_a_gauche_manquante(grille: Grille, row: int, column: int) -> str | None:
    """The left edge of the box, if all its other edges are selected; else None."""
    cell = grille[row][column]
    if (
        not cell.complete
        and (cell.top and not cell.left)
        and not _last_column(grille, column)
        and grille[row][column + 1].left
        and not _last_row(grille, row)
        and grille[row + 1][column].top
    ):
        return vertical_edge(grille, row, column)
    return None


Check = Callable[[Grille, int, int], str | None]
CHECKS: tuple[Check, ...] = (
    arrete_en_bas_manquante,
    arrete_a_droite_manquante,
    arrete_en_haut_manquante,
    arrete_a_gauche_manquante,
)


def completer_un_carre(grille: Grille) -> str | None:
    """The first edge, row by row from the top left, that completes a box; None if there is no such edge."""
    for row in range(len(grille)):
        for column in range(len(grille[row])):
            for check in CHECKS:
                if (edge := check(grille, row, column)) is not None:
                    return edge
    return None


def _last_row(grille: Grille, row: int) -> bool:
    return row == len(grille) - 1


def _last_column(grille: Grille, column: int) -> bool:
    return column == len(grille[0]) - 1


def safe_edges(position: DotsAndBoxesPosition) -> list[str]:
    """The free edges that offer no box: no box beside them has two edges already."""
    grid = position.grid
    return [
        name
        for edge, name in enumerate(grid.edges)
        if not position.edges >> edge & 1
        and all((grid.boxes[box] & position.edges).bit_count() < 2 for box in grid.beside[edge])
    ]


# The levels


class TresFacile(Bot):
    """The document's "très facile": any free edge."""

    game = "dots-and-boxes"
    level = "very-easy"

    def choose(self, turn: Turn) -> str:
        return self.random.choice(turn.legal_moves)


class Moyen(TresFacile):
    """The document's "moyen": completes a box if it can, else plays as "très facile"."""

    level = "medium"

    def choose(self, turn: Turn) -> str:
        return completer_un_carre(grille_of(turn.view)) or super().choose(turn)


class Facile(Moyen):
    """The level between "très facile" and "moyen": it looks for a box to complete every other time."""

    level = "easy"
    pace_seconds = 1.0
    chance: ClassVar[float] = 0.5

    def choose(self, turn: Turn) -> str:
        if self.random.random() < self.chance:
            return super().choose(turn)
        return TresFacile.choose(self, turn)


class Difficile(Moyen):
    """The level with the document's second improvement too: if no box can be completed, it offers none."""

    level = "hard"
    pace_seconds = 0.6

    def choose(self, turn: Turn) -> str:
        if (edge := completer_un_carre(grille_of(turn.view))) is not None:
            return edge
        assert isinstance(turn.position, DotsAndBoxesPosition)
        return self.random.choice(safe_edges(turn.position) or turn.legal_moves)


class Expert(Bot):
    """The level with all of the document's improvements: it searches for the most points, and the fewest
    given away.
    """

    game = "dots-and-boxes"
    pace_seconds = 0.4
    work: ClassVar[int] = 50_000
    """Maximum number of boxes that each of the two searches and the playouts may look at in a turn."""

    def choose(self, turn: Turn) -> str:
        assert isinstance(turn.position, DotsAndBoxesPosition)
        grid = turn.position.grid
        edge = best_edge(board_of(grid), grid.all_edges & ~turn.position.edges, self.random, self.work)
        name: str = grid.edges[edge.bit_length() - 1]
        return name
