"""Exact odds: the same as by trying every way, and still sound where there is too much to count."""

from __future__ import annotations

import pytest

from tablero.brains.minesweeper import component as minesweeper_component
from tablero.brains.minesweeper.odds import Odds, Puzzle, odds_of, puzzle_of, settled
from tablero.brains.minesweeper.view import GameParam
from tablero.dice import dice
from tablero_games.minesweeper.solver import to_bits
from tests.harness.games.minesweeper_views import every_way, param_of, small_games
from tests.harness.tiers import FULL

GAMES = 1000 if FULL else 120


def assert_as_by_trying(game: GameParam) -> None:
    ways, odds = every_way(game), odds_of(puzzle_of(game))
    counts = {
        cell: sum(cell in way for way in ways) for cell in range(len(game.map)) if cell not in game.revealed
    }
    assert odds.ways == len(ways)
    assert odds.likely() == {cell: count / len(ways) for cell, count in counts.items()}
    assert odds.safe == to_bits([cell for cell, count in counts.items() if not count])
    assert odds.mines == to_bits([cell for cell, count in counts.items() if count == len(ways)])


def test_odds_are_those_of_trying_every_way_in_any_game() -> None:
    random = dice(2)
    for position, _ in small_games(GAMES, 1):
        while position.outcome is None:
            assert_as_by_trying(GameParam.of(position.view(0)))
            digs = [move for move in position.legal_moves(0) if move.startswith("dig")]
            position = position.play(0, random.choice(digs))


@pytest.mark.parametrize(
    ("picture", "mines"),
    [
        pytest.param("##### ##### #####", 4, id="nothing open"),
        pytest.param("#F#", 2, id="a flag says nothing"),
        pytest.param("###1# #####", 3, id="one number"),
        pytest.param("1##1# ##### 1##1#", 4, id="numbers that share cells"),
        pytest.param("1#### ##### ####2", 3, id="parts that touch only by the number of mines"),
        pytest.param("11111 ##### 11111", 2, id="the number of mines decides"),
        pytest.param("*".replace("*", "#"), 1, id="nothing but a mine"),
    ],
)
def test_odds_are_those_of_trying_every_way(picture: str, mines: int) -> None:
    assert_as_by_trying(param_of(picture, mines))


def test_what_contradicts_itself_has_no_ways() -> None:
    for constraints in ({(0b1, 1), (0b1, 0)}, {(0b11, 3)}, {(0b11, 1), (0b111, 3)}, {(0b111, 2), (0b11, 0)}):
        assert odds_of(Puzzle(0b1111, 2, frozenset(constraints))) == Odds(0, 0, 0, ())
    assert odds_of(Puzzle(0b111, 0, frozenset({(0b11, 1)}))).ways == 0


def test_none_and_all_are_believed_before_anything_is_counted() -> None:
    puzzle = Puzzle(0b11111, 3, frozenset({(0b00011, 2), (0b00110, 1), (0b01100, 1)}))
    assert settled(puzzle) == (Puzzle(0b10000, 0, frozenset()), 0b00100, 0b01011)


def test_with_too_many_states_numbers_are_left_out_and_certain_things_stay_true(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def everything() -> list[tuple[GameParam, Odds]]:
        random, found = dice(4), []
        minesweeper_component._solve.cache_clear()
        for position, _ in small_games(60, 3):
            while position.outcome is None:
                game = GameParam.of(position.view(0))
                found.append((game, odds_of(puzzle_of(game))))
                digs = [move for move in position.legal_moves(0) if move.startswith("dig")]
                position = position.play(0, random.choice(digs))
        minesweeper_component._solve.cache_clear()
        return found

    exact = everything()
    monkeypatch.setattr(minesweeper_component, "WIDEST", 2)
    rough = everything()
    assert exact != rough
    for (game, true), (same, odds) in zip(exact, rough, strict=True):
        assert game == same
        assert odds.ways >= true.ways
        assert not odds.safe & ~true.safe
        assert not odds.mines & ~true.mines
        assert odds.likely().keys() == true.likely().keys()
