"""Minesweeper by exact odds: what is surely safe is dug, and else what best survives two digs.

Law: it never digs what is surely a mine, and never guesses while any cell is surely safe.
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
"""Cells so much likelier to be mines than the best are not thought about."""
CANDIDATES = 12
"""Maximum number of cells to consider."""
MOST_WORK = 10_000
"""Maximum steps of one look for looking two moves ahead; beyond it the likeliest cell is dug."""


class Exact(Bot):
    """A brain that sets no flags; other players' flags tell it nothing."""

    game = "minesweeper"
    pace_seconds = 0.8  # some 20, 85 and 210 digs for the fields of the three levels

    def __init__(self) -> None:
        self.guess = False
        """Whether its last dig could have been a mine."""
        self._safe: Cells = 0
        """Cells known to be safe and not yet open."""

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
    """The first dig: a corner, where the fewest cells must be free to open more; or, if all around it is free
    anyway, near a corner, but so far away that none of that freedom is lost.
    """
    if alone:
        return 0
    return min(3, game.height // 2) * game.width + min(3, game.width // 2)


def best_guess(game: GameParam, puzzle: Puzzle, odds: Odds) -> Cell:
    """The cell with which it most likely survives this dig and the next one."""
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
    """The probability that `cell` is safe and then the best cell as well."""
    survival = 0.0
    for number in range((around & puzzle.covered).bit_count() + 1):
        after = puzzle.opened(cell, around, number)
        odds = odds_of(after)
        if odds.ways:
            cleared = after.covered.bit_count() == after.mines
            survives = 1.0 if odds.safe or cleared else 1 - min(chance for _, chance in odds.boxes)
            survival += odds.ways / ways * survives
    return survival
