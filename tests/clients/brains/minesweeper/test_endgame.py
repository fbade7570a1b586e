"""The end of a game: every way is found once, and no dig wins in more of them."""

from __future__ import annotations

from functools import cache

import pytest

from tablero.brains.minesweeper import endgame as minesweeper_endgame
from tablero.brains.minesweeper.endgame import TooManyWays, best_dig, every_way
from tablero.brains.minesweeper.odds import puzzle_of
from tablero_games.minesweeper.solver import neighbours_of, to_bits
from tests.harness.games import minesweeper_views as boards

PICTURES = [
    ("##1", 1),
    ("#2# ###", 2),
    ("1## ##1", 2),
    ("#### 1221", 2),
    ("###### ##2### ######", 3),
]


@pytest.mark.parametrize(("picture", "mines"), PICTURES)
def test_every_way_to_lay_the_mines_comes_once(picture: str, mines: int) -> None:
    game = boards.param_of(picture, mines)
    found = list(every_way(puzzle_of(game)))
    assert sorted(found) == sorted(to_bits(way) for way in boards.every_way(game))


def wins(
    ways: frozenset[int], covered: frozenset[int], around: tuple[int, ...]
) -> tuple[int, dict[int, int]]:
    """In how many of these ways the best play wins, and how many each dig does; slowly, by trying all."""

    @cache
    def best(left: frozenset[int], closed: frozenset[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
        if any(way == to_bits(closed) for way in left):  # only mines are closed: it is won
            return len(left), ()
        each = []
        for cell in closed:
            safe = [way for way in left if not way >> cell & 1]
            shown: dict[int, set[int]] = {}
            for way in safe:
                shown.setdefault((around[cell] & way).bit_count(), set()).add(way)
            each.append((cell, sum(best(frozenset(part), closed - {cell})[0] for part in shown.values())))
        return max((won for _, won in each), default=0), tuple(each)

    most, each = best(ways, covered)
    return most, dict(each)


@pytest.mark.parametrize(
    ("picture", "mines"),
    [("##1 ###", 2), ("1## ### ##1", 2), ("#### 2###", 3), ("#3# ###", 3)],
)
def test_no_dig_wins_in_more_ways(picture: str, mines: int) -> None:
    game = boards.param_of(picture, mines)
    puzzle = puzzle_of(game)
    around = neighbours_of(game.grid)[0]
    ways = frozenset(every_way(puzzle))
    covered = frozenset(cell for cell in range(len(game.map)) if puzzle.covered >> cell & 1)
    most, by_dig = wins(ways, covered, tuple(around))
    assert by_dig[best_dig(puzzle, around)] == most


def test_it_says_so_when_there_is_too_much_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    game = boards.param_of("###### ##2### ######", 4)
    monkeypatch.setattr(minesweeper_endgame, "MOST_WORK", 3)
    with pytest.raises(TooManyWays):
        best_dig(puzzle_of(game), neighbours_of(game.grid)[0])
