"""The tables at which a bot is tried: every seat of several boards, from the start and in the middle."""

from __future__ import annotations

from random import Random

import pytest

from tablero.check.tables import at_random, in_the_middle, tables
from tablero_games import GAMES, Play


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_of_several_tables_is_tried(game: str) -> None:
    tried = list(tables(game))
    assert tried[0].options == {}
    for table in tried:
        table.start(1)
        others = [each.seat for each in tried if each.options == table.options]
        assert others == list(range(table.seats))


@pytest.mark.parametrize("game", GAMES)
def test_in_the_middle_it_is_the_turn_of_that_seat_and_the_moves_lead_there(game: str) -> None:
    found = 0
    for table in tables(game):
        for seed in range(10):
            random = Random(seed)
            begun = table.start(Random(seed).getrandbits(64))
            if (middle := in_the_middle(table, random)) is None:
                continue
            play, moves = middle
            assert table.seat in play.position.to_move
            assert play.ply == begun.ply + len(moves) > 0
            found += 1
    assert found > 0


def test_a_game_that_ended_on_the_way_is_no_middle() -> None:
    [table, *_] = tables("tic-tac-toe")
    ended = [in_the_middle(table, Random(seed)) for seed in range(40)]
    assert None in ended
    assert any(ended)


def test_the_same_chance_leads_to_the_same_place() -> None:
    [table, *_] = tables("quoridor")
    first, second = (in_the_middle(table, Random(5)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first[1] == second[1]


def test_only_the_seats_that_were_named_move() -> None:
    play = Play.begin(GAMES["minesweeper"], 2, 5, options={"mode": "race"})
    moves: list[str] = []
    for _ in range(3):
        play = at_random(play, Random(1), moves, seats=[1])
    assert play.last is not None
    assert play.last["seat"] == 1
    assert len(moves) == 3


def test_a_table_says_which_game_board_and_seat_it_is() -> None:
    told = [str(table) for game in GAMES for table in tables(game)]
    assert len(set(told)) == len(told)
    assert told[0] == "tic-tac-toe, seat 0"
