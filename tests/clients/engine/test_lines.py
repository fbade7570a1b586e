"""Messages as lines: written in ASCII, and read again."""

from __future__ import annotations

from random import Random

import pytest

from tablero.engine.lines import JSON, line_of
from tablero_games import Game
from tablero_protocol.messages import NextPlayer, PlayTurn
from tests.harness.games.variants import CASES, NAMES, Variant


def shown(move: str) -> NextPlayer:
    view = {"cells": move, "outcome": None}
    return NextPlayer(room="r", seq=1, ply=0, seats=[0], view=view, legal_moves=[move])


@pytest.mark.parametrize("text", ["4\n", "4\r\nquit", "b2\x1b[2J", "a1\u2028h", "a1\x85", "ña"])
def test_no_text_ends_a_line_or_leaves_ascii(text: str) -> None:
    line = line_of(shown(text))
    assert line.isascii()
    assert line.splitlines() == [line.removesuffix("\n")]
    assert JSON.decode_server(line) == shown(text)


def test_a_command_is_read_as_it_was_written() -> None:
    turn = PlayTurn(id="7", room="r", seat=1, ply=3, move="dig c4")
    assert JSON.decode_client(line_of(turn)) == turn


@pytest.mark.parametrize(("game", "variant"), CASES, ids=NAMES)
def test_every_view_of_every_game_comes_through_a_line(game: Game, variant: Variant) -> None:
    random, position = Random(1), game.start(seed=1, **variant)
    while position.to_move:
        seat = min(position.to_move)
        moves = list(position.legal_moves(seat))
        event = NextPlayer(room="r", seq=1, ply=0, seats=[seat], view=position.view(seat), legal_moves=moves)
        assert JSON.decode_server(line_of(event)) == event
        position = position.play(seat, random.choice(moves))
