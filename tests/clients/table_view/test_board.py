"""What all boards share: grids of cells, at scales with and without lines, and games without a board here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablero.games import client_game
from tablero.table_view.board import Marks, board_of
from tablero_games import GAMES


def test_brackets_stand_beside_a_marked_cell() -> None:
    view = GAMES["minesweeper"].start(seed=4).play(0, "dig c4").view(0)
    board = board_of("minesweeper", view, glyphs="ascii")
    assert "[#]" in board.draw(Marks(cursor="g2")).text()
    assert "( )" in board.draw(Marks(last="dig c4")).text()


def test_wide_cells_stay_in_their_columns() -> None:
    view = GAMES["minesweeper"].start(seed=4).play(0, "flag c4").view(0)
    for scale in (2, 1):
        board = board_of("minesweeper", view, (500, 200), glyphs="emoji", smaller=scale)
        lines = board.draw(Marks(cursor="c4", last="flag c4")).text().split("\n")[: board.view["height"]]
        assert len({len(line.replace("🚩", "🚩.").replace("⬜", "⬜.").rstrip(".")) for line in lines}) <= 2
    assert "[🚩]" in board.draw(Marks(cursor="c4")).text()


def test_every_cell_is_found_where_it_is_drawn() -> None:
    view = GAMES["tic-tac-toe"].start().view(0)
    for scale in range(4):
        board = board_of("tic-tac-toe", view, (500, 200), smaller=scale)
        for cell in ("a1", "b2", "c3", "a3"):
            left, top, width, height = board.area(cell)
            assert {board.target_at(left + x, top + y) for x in range(width) for y in range(height)} == {cell}
        assert board.target_at(0, 0) is None


def test_a_game_without_a_board_is_drawn_by_itself() -> None:
    board = board_of("go", {})
    assert (board.draw(Marks()).text(), board.first_target(()), board.target_at(0, 0)) == ("", None, None)
    assert board.walk("a1", 1, 1) == "a1"
    assert board.switched("a1") == board.rotated("a1") == board.next_unknown("a1") == "a1"
    assert board.facts(0) == ""


def test_a_game_whose_rules_are_not_here_is_what_the_server_has_drawn() -> None:
    board = board_of("go", {"stones": 2}, drawing="2 | . O |\n1 | X \x1b[2J |")
    assert board.draw(Marks()).text() == "2 | . O |\n1 | X  [2J |"
    roomy = board_of("go", {"stones": 2}, (80, 24), drawing="2 | . O |\n1 | X \x1b[2J |")
    assert roomy.draw(Marks()).text() == board.draw(Marks()).text()


# Which board fits

WITH_BOARDS = [game for game in GAMES if client_game(game).board]
ROOM_FOR_BOARD = (56, 20)
"""Of 80 by 24: beside the board are the players, above and below it four lines."""


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_every_default_board_is_whole_at_80_by_24(game: str) -> None:
    view = GAMES[game].start().view(0)
    board = board_of(game, view, ROOM_FOR_BOARD)
    assert board.width <= ROOM_FOR_BOARD[0]
    assert board.height <= ROOM_FOR_BOARD[1]
    assert board.scale != type(board).SCALES[-1]


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_a_board_is_as_large_as_there_is_room(game: str) -> None:
    view = GAMES[game].start().view(0)
    small = board_of(game, view)
    sizes = [board_of(game, view, size) for size in ((500, 200), (56, 20), (1, 1))]
    assert sizes[0].scale == type(small).SCALES[0]
    assert sizes[2].scale == small.scale
    assert sizes[0].width > sizes[2].width
    smaller = board_of(game, view, (500, 200), smaller=1)
    assert smaller.scale == type(small).SCALES[1]


@pytest.mark.parametrize("game", WITH_BOARDS)
@pytest.mark.parametrize("glyphs", ["ascii", "safe"])
def test_a_drawing_is_as_large_as_it_says(game: str, glyphs: str) -> None:
    view = GAMES[game].start().view(0)
    for scale in range(len(type(board_of(game, view)).SCALES)):
        board = board_of(
            game, view, (500, 200), glyphs="ascii" if glyphs == "ascii" else "safe", smaller=scale
        )
        lines = board.draw(Marks(cursor=board.first_target(()))).text().split("\n")
        assert len(lines) == board.height
        assert max(map(len, lines)) <= board.width
        assert glyphs != "ascii" or "".join(lines).isascii()


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_among_lines_a_board_is_of_the_largest_scale_for_lines_that_fits_and_as_large_as_it_says(
    game: str,
) -> None:
    view = GAMES[game].start().view(0)
    small = board_of(game, view)
    scales = type(small).LINE_SCALES
    assert board_of(game, view, (500, 200), among_lines=True).scale == scales[0]
    assert board_of(game, view, (1, 1), among_lines=True).scale == scales[-1]
    for scale in scales:
        drawn = replace(small, scale=scale).draw(Marks()).text().split("\n")
        assert len(drawn) == replace(small, scale=scale).height
        assert max(map(len, drawn)) <= replace(small, scale=scale).width
