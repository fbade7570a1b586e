"""Minesweeper by exact odds: dig a safe cell, else the cell that most likely survives two digs.

Law: this brain never digs a certain mine, and never guesses while any cell is certainly safe.
"""

from __future__ import annotations

from contextlib import suppress

from tablero.bot import Bot, Turn
from tablero_games.minesweeper.grid import Cell
from tablero_games.minesweeper.solver import Cells, each, neighbours_of, to_bits

from .endgame import TooManyWays, best_dig
from .odds import Odds, Puzzle, odds_of, puzzle_of
from .view import GameParam

FEW_WAYS = 150
"""Maximum number of arrangements to search completely."""
MARGIN = 0.12
"""Cells that are likelier mines than the best cell by more than this are not considered."""
CANDIDATES = 12
"""Maximum number of cells to consider."""
MOST_WORK = 10_000
"""Maximum steps of one count for looking two digs ahead; beyond it the likeliest cell is dug."""


class Exact(Bot):
    """A brain that sets no flags, and ignores other players' flags."""

    game = "minesweeper"
    pace_seconds = 0.8  # some 20, 85 and 210 digs on the fields of the three levels

    def __init__(self) -> None:
        self.guess = False
        """Whether its last dig could have been a mine."""
        self._safe: Cells = 0
        """The known safe cells that are not yet open."""

    def choose(self, turn: Turn) -> str | None:
        game = GameParam.of(turn.view)
        covered = (1 << len(game.map)) - 1 ^ to_bits(game.revealed)
        if not covered:
            return None
        self._safe &= covered
        cell = self._next(game) if game.revealed else opening(game, turn.options.get("firstDig") == "cell")
        return game.grid.moves["unflag" if cell in game.flagged else "dig"][cell]

    def _next(self, game: GameParam) -> Cell:
        self.guess = False
        if not self._safe:
            puzzle = puzzle_of(game)
            odds = odds_of(puzzle)
            self._safe = odds.safe
            if not odds.safe:
                self.guess = True
                return best_guess(game, puzzle, odds)
        without_flag = self._safe & ~to_bits(game.flagged)
        return next(each(without_flag or self._safe))


def opening(game: GameParam, alone: bool) -> Cell:
    """The first dig. If only the first cell is sure to be free (`alone`), dig a corner: its few neighbours
    are the likeliest to be free too. If the neighbours are sure to be free, dig three cells away from a
    corner.
    """
    if alone:
        return 0
    return min(3, game.height // 2) * game.width + min(3, game.width // 2)


def best_guess(game: GameParam, puzzle: Puzzle, odds: Odds) -> Cell:
    """The cell that gives the best chance to survive this dig and the next one."""
    around, _ = neighbours_of(game.grid)
    puzzle = puzzle.with_mines(odds.mines)
    if odds.ways <= FEW_WAYS:
        with suppress(TooManyWays):
            return best_dig(puzzle, around)
    chances = odds.likely()
    least = min(chances.values())
    candidates = sorted(
        (chance, (around[cell] & puzzle.covered).bit_count(), cell)
        for cell, chance in chances.items()
        if chance <= least + MARGIN
    )
    best, most = candidates[0][2], 0.0
    if odds.work > MOST_WORK:
        return best
    for chance, _, cell in candidates[:CANDIDATES]:
        if 1 - chance <= most:
            break
        if (survival := survives_two(puzzle, cell, around[cell], odds.ways)) > most:
            best, most = cell, survival
    return best


def survives_two(puzzle: Puzzle, cell: Cell, around: Cells, ways: int) -> float:
    """The probability that `cell` is safe, and that the best cell to dig next is safe too."""
    survival = 0.0
    for number in range((around & puzzle.covered).bit_count() + 1):
        after = puzzle.opened(cell, around, number)
        odds = odds_of(after)
        if odds.ways:
            cleared = after.covered.bit_count() == after.mines
            survives = 1.0 if odds.safe or cleared else 1 - min(chance for _, chance in odds.boxes)
            survival += odds.ways / ways * survives
    return survival
