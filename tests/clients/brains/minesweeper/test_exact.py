"""The exact brain: no needless risk, the best risk, and a perfect end."""

from __future__ import annotations

from functools import cache

import pytest

from tablero.arena.local import play_match
from tablero.brains.minesweeper import endgame as minesweeper_endgame
from tablero.brains.minesweeper import exact as minesweeper_exact
from tablero.brains.minesweeper.endgame import TooManyWays, best_dig
from tablero.brains.minesweeper.exact import Exact, survives_two
from tablero.brains.minesweeper.odds import odds_of, puzzle_of
from tablero.brains.minesweeper.view import GameParam
from tablero_games.minesweeper.grid import Cell, Grid
from tablero_games.minesweeper.solver import neighbours_of
from tablero_games.position import View
from tests.harness.games.minesweeper_views import (
    Way,
    chosen,
    every_way,
    param_of,
    played,
    small_games,
    turn_of,
)
from tests.harness.tiers import FULL


def test_it_never_digs_a_sure_mine_and_never_guesses_while_a_cell_is_surely_safe() -> None:
    guesses = 0
    for position, options in small_games(1000 if FULL else 150, 7):
        bot = Exact()

        def look(view: View, move: str, bot: Exact = bot) -> None:
            nonlocal guesses
            game = GameParam.of(view)
            action, _, name = move.partition(" ")
            cell = game.grid.cells[name]
            ways = every_way(game)
            sure = {other for other in range(len(game.map)) if not any(other in way for way in ways)}
            assert action == "dig"
            if not game.revealed:
                return
            assert not all(cell in way for way in ways)
            assert bot.guess == (cell not in sure)
            assert not bot.guess or sure <= game.revealed
            guesses += bot.guess

        played(bot, position, look, **options)
    assert guesses > 20


def test_without_need_it_never_guesses() -> None:
    for seed in range(4):
        match = play_match("minesweeper", [Exact], seed, width=12, height=12, mines=25, noGuess=True)
        assert match.outcome.reason == "cleared"


@pytest.mark.parametrize(
    ("picture", "mines", "move"),
    [
        pytest.param("#1###", 1, "dig d1", id="safe by the number of mines"),
        pytest.param("1#F#", 1, "dig d1", id="what has no flag first"),
        pytest.param("1#F", 1, "unflag c1", id="a wrong flag is in the way"),
        pytest.param("F1##", 1, "dig d1", id="flags prove nothing"),
        pytest.param("#1######", 2, "dig d1", id="better odds, and a number that tells of c1"),
        pytest.param("#1###", 3, "dig a1", id="an even chance rather than a sure mine"),
    ],
)
def test_it_plays(picture: str, mines: int, move: str) -> None:
    assert chosen(Exact(), picture, mines) == move


@pytest.mark.parametrize(
    ("first_dig", "cell"),
    [pytest.param("zone", "dig d4", id="zone"), pytest.param("cell", "dig a1", id="cell")],
)
def test_the_first_dig_is_where_it_opens_most(first_dig: str, cell: str) -> None:
    rows = ["#" * 9] * 9
    view = {"width": 9, "height": 9, "mines": 10, "cells": rows}
    assert Exact().choose(turn_of(view, firstDig=first_dig)) == cell


def test_there_is_nothing_to_do_where_all_is_open() -> None:
    assert chosen(Exact(), "000", 0) is None


# Looking ahead


def groups(ways: frozenset[Way], cell: Cell, grid: Grid) -> list[frozenset[Way]]:
    """The ways in which a cell is safe, by the number it shows."""
    numbers: dict[int, set[Way]] = {}
    for way in ways:
        if cell not in way:
            numbers.setdefault(sum(other in way for other in grid.around[cell]), set()).add(way)
    return [frozenset(group) for group in numbers.values()]


def test_surviving_two_digs_is_that_of_trying_every_way() -> None:
    looked_at = 0
    for game in guesses(small=30):
        ways, odds = frozenset(every_way(game)), odds_of(puzzle_of(game))
        around, _ = neighbours_of(game.grid)
        for cell in odds.likely():
            if odds.mines >> cell & 1:
                continue
            left = [other for other in odds.likely() if other != cell]
            survived = 0
            for group in groups(ways, cell, game.grid):
                safe = [sum(other not in way for way in group) for other in left]
                survived += len(group) if len(left) == game.nb_bombs else max(safe)
            survival = survives_two(puzzle_of(game), cell, around[cell], odds.ways)
            assert survival == pytest.approx(survived / len(ways))
            looked_at += 1
    assert looked_at > 50


RISKIER = [
    ("#### ##32 12#1 01#1", 4),
    ("##### #324# #21## 1112#", 7),
    ("##1## 23321 1##2# 123## 001##", 6),
    ("#1### #33#2 ##3#2 334#2 1#2#1", 7),
]
"""Ends that are won most often by a dig other than the likeliest to be safe."""


def test_the_end_is_played_so_that_nobody_wins_more_often() -> None:
    ends = guesses(small=12)
    assert len(ends) > 15
    for game in [*ends, *(param_of(picture, mines) for picture, mines in RISKIER)]:
        grid = game.grid

        @cache
        def wins(ways: frozenset[Way], opened: frozenset[Cell], grid: Grid = grid) -> int:
            left = frozenset(range(len(grid.names))) - opened
            if len(left) == len(next(iter(ways))):
                return len(ways)
            return max(after(ways, opened, cell) for cell in left)

        def after(ways: frozenset[Way], opened: frozenset[Cell], cell: Cell, grid: Grid = grid) -> int:
            return sum(wins(group, opened | {cell}) for group in groups(ways, cell, grid))

        ways = frozenset(every_way(game))
        puzzle = puzzle_of(game)
        puzzle = puzzle.with_mines(odds_of(puzzle).mines)
        dig = best_dig(puzzle, neighbours_of(grid)[0])
        assert after(ways, game.revealed, dig) == wins(ways, game.revealed)


@pytest.mark.parametrize(("picture", "mines"), RISKIER)
def test_an_end_may_be_worth_a_greater_risk(picture: str, mines: int) -> None:
    game = param_of(picture, mines)
    likely = odds_of(puzzle_of(game)).likely()
    move = chosen(Exact(), picture, mines)
    assert move is not None
    assert likely[game.grid.cells[move.removeprefix("dig ")]] > min(likely.values())


def guesses(small: int) -> list[GameParam]:
    """Boards on which nothing is certain, and which have at most so many ways."""
    found = []

    for position, options in small_games(400 if FULL else 100, 11):
        bot = Exact()

        def look(view: View, move: str, bot: Exact = bot) -> None:
            game = GameParam.of(view)
            if bot.guess and len(every_way(game)) <= small:
                found.append(game)

        played(bot, position, look, **options)
    return found


def test_an_end_with_too_much_to_look_at_is_played_by_looking_two_digs_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = param_of("###### ##2### ######", 4)
    puzzle = puzzle_of(game)
    monkeypatch.setattr(minesweeper_endgame, "MOST_WORK", 3)
    monkeypatch.setattr(minesweeper_exact, "FEW_WAYS", 10**9)
    with pytest.raises(TooManyWays):
        best_dig(puzzle, neighbours_of(game.grid)[0])
    given_up = chosen(Exact(), "###### ##2### ######", 4)
    monkeypatch.setattr(minesweeper_exact, "FEW_WAYS", 0)
    assert given_up == chosen(Exact(), "###### ##2### ######", 4)


def test_where_counting_is_slow_it_takes_the_best_odds_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_time(*_: object) -> float:
        raise AssertionError

    monkeypatch.setattr(minesweeper_exact, "MOST_WORK", 0)
    monkeypatch.setattr(minesweeper_exact, "FEW_WAYS", 0)
    monkeypatch.setattr(minesweeper_exact, "survives_two", no_time)
    assert chosen(Exact(), "#1######", 2) == "dig h1"
