"""The brain that every game has: any legal move, and with the same dice the same one."""

from __future__ import annotations

from collections import Counter

import pytest

from tablero.arena.local import play_match
from tablero.brains.random import RandomMover, random_mover
from tablero.dice import dice
from tablero_games import GAMES
from tests.harness.bots import a_turn


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_legal_moves_to_the_end(game: str) -> None:
    seats = GAMES[game].seats(GAMES[game].read_options({}))[0]
    match = play_match(game, [random_mover(game)] * seats, seed=3)
    assert match.failures == {}
    assert match.outcome.kind in ("win", "draw", "loss")


def test_the_same_dice_choose_the_same_moves_and_others_do_not() -> None:
    brain = random_mover("quoridor")
    first, same, other = (play_match("quoridor", [brain] * 2, seed=seed).moves for seed in (1, 1, 2))
    assert first == same != other


def test_every_legal_move_is_as_likely() -> None:
    bot, turn = random_mover("connect-four")(), a_turn()
    bot.random = dice("any")
    chosen = Counter(bot.choose(turn) for _ in range(700))
    assert chosen.keys() == set(turn.legal_moves)
    assert max(chosen.values()) < 2 * min(chosen.values())


def test_there_is_one_class_a_game_under_one_level() -> None:
    assert random_mover("quoridor") is random_mover("quoridor")
    assert random_mover("quoridor") is not random_mover("connect-four")
    for game in GAMES:
        assert issubclass(random_mover(game), RandomMover)
        assert (random_mover(game).game, random_mover(game).level) == (game, "random")
