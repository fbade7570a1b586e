"""Messages as lines: written in ASCII, and cut out of whatever comes, piece by piece."""

from __future__ import annotations

from random import Random

import pytest

from tablero.engine.lines import JSON, LineCutter, line_of
from tablero_games import Game
from tablero_protocol.codec import MAX_CLIENT_FRAME, ProtocolError
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


def test_lines_are_cut_wherever_the_pieces_end() -> None:
    cutter = LineCutter()
    assert cutter.cut(b"one\ntw") == [b"one"]
    assert (cutter.rest, cutter.cut(b"")) == (b"tw", [])
    assert cutter.cut(b"o\n\nthree\n") == [b"two", b"", b"three"]
    assert cutter.rest == b""


def test_of_a_line_without_end_no_more_is_kept_than_shows_that_it_is_too_long() -> None:
    cutter = LineCutter()
    for _ in range(100):
        assert cutter.cut(b"x" * 1_000) == []
    assert len(cutter.rest) == MAX_CLIENT_FRAME + 1
    [line, after] = cutter.cut(b"\nnext\n")
    assert after == b"next"
    with pytest.raises(ProtocolError, match="longer than 4096 bytes"):
        JSON.decode_client(line.decode())
