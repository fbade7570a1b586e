"""What all boards share: grids of cells, at scales with and without lines, and games without a board here."""

from __future__ import annotations

from tablero.table_view.board import Marks
from tablero.table_view.boards import board_of, largest_that_fits
from tablero_games import GAMES


def test_brackets_stand_beside_a_marked_cell() -> None:
    view = GAMES["minesweeper"].start(seed=4).play(0, "dig c4").view(0)
    board = board_of("minesweeper", view, glyphs="ascii")
    assert "[#]" in board.draw(Marks(cursor="g2")).text()
    assert "( )" in board.draw(Marks(last="dig c4")).text()


def test_wide_cells_stay_in_their_columns() -> None:
    view = GAMES["minesweeper"].start(seed=4).play(0, "flag c4").view(0)
    for scale in (-1, -2):
        board = board_of("minesweeper", view, glyphs="emoji", scale=scale)
        lines = board.draw(Marks(cursor="c4", last="flag c4")).text().split("\n")[: board.view["height"]]
        assert len({len(line.replace("🚩", "🚩.").replace("⬜", "⬜.").rstrip(".")) for line in lines}) <= 2
    assert "[🚩]" in board.draw(Marks(cursor="c4")).text()


def test_every_cell_is_found_where_it_is_drawn() -> None:
    view = GAMES["tic-tac-toe"].start().view(0)
    for scale in range(4):
        board = board_of("tic-tac-toe", view, scale=scale)
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
    assert largest_that_fits(board, 80, 24).draw(Marks()).text() == board.draw(Marks()).text()
