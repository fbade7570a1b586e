"""Which board fits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablero.games import client_game
from tablero.table_view.board import Marks
from tablero.table_view.boards import among_lines, board_of, largest_that_fits
from tablero_games import GAMES

WITH_BOARDS = [game for game in GAMES if client_game(game).board]
ROOM_FOR_BOARD = (56, 20)
"""Of 80 by 24: beside the board are the players, above and below it four lines."""


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_every_default_board_is_whole_at_80_by_24(game: str) -> None:
    view = GAMES[game].start().view(0)
    board = largest_that_fits(board_of(game, view), *ROOM_FOR_BOARD)
    assert board.width <= ROOM_FOR_BOARD[0]
    assert board.height <= ROOM_FOR_BOARD[1]
    assert board.scale != type(board).SCALES[-1]


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_a_board_is_as_large_as_there_is_room(game: str) -> None:
    view = GAMES[game].start().view(0)
    small = board_of(game, view)
    sizes = [largest_that_fits(small, *size) for size in ((500, 200), (56, 20), (1, 1))]
    assert sizes[0].scale == type(small).SCALES[0]
    assert sizes[2].scale == small.scale
    assert sizes[0].width > sizes[2].width
    smaller = largest_that_fits(small, 500, 200, smaller=1)
    assert smaller.scale == type(small).SCALES[1]


@pytest.mark.parametrize("game", WITH_BOARDS)
@pytest.mark.parametrize("glyphs", ["ascii", "safe"])
def test_a_drawing_is_as_large_as_it_says(game: str, glyphs: str) -> None:
    view = GAMES[game].start().view(0)
    for scale in range(len(type(board_of(game, view)).SCALES)):
        board = board_of(game, view, glyphs="ascii" if glyphs == "ascii" else "safe", scale=scale)
        lines = board.draw(Marks(cursor=board.first_target(()))).text().split("\n")
        assert len(lines) == board.height
        assert max(map(len, lines)) <= board.width
        assert glyphs != "ascii" or "".join(lines).isascii()


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_among_lines_a_board_is_of_the_largest_scale_for_lines_that_fits_and_as_large_as_it_says(
    game: str,
) -> None:
    small = board_of(game, GAMES[game].start().view(0))
    scales = type(small).LINE_SCALES
    assert among_lines(small, 500, 200).scale == scales[0]
    assert among_lines(small, 1, 1).scale == scales[-1]
    for scale in scales:
        drawn = replace(small, scale=scale).draw(Marks()).text().split("\n")
        assert len(drawn) == replace(small, scale=scale).height
        assert max(map(len, drawn)) <= replace(small, scale=scale).width
