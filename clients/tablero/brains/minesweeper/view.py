"""The view that the Minesweeper brains share, in the document's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from tablero_games.minesweeper.field import COVERED, FLAG
from tablero_games.minesweeper.grid import Cell, Grid, grid_of
from tablero_games.position import View


@dataclass(frozen=True, slots=True)
class GameParam:
    """The document's `game_param`, as a player may know it."""

    height: int
    width: int
    nb_bombs: int
    """The number of mines in the field, regardless of flags."""
    map: bytes
    """The look of each cell: "#" covered, "F" flagged, or its number."""
    revealed: frozenset[Cell]
    flagged: frozenset[Cell]

    @classmethod
    def of(cls, view: View) -> Self:
        cells = "".join(view["cells"]).encode()
        flagged = frozenset(cell for cell, content in enumerate(cells) if content == FLAG)
        covered = frozenset(cell for cell, content in enumerate(cells) if content == COVERED)
        revealed = frozenset(range(len(cells))) - covered - flagged
        return cls(view["height"], view["width"], view["mines"], cells, revealed, flagged)

    @property
    def grid(self) -> Grid:
        return grid_of(self.height, self.width)
