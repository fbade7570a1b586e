"""The cells of Minesweeper: names and neighbours."""

from __future__ import annotations

import pytest

from tablero_games.minesweeper.grid import get_surrounding_cells, grid_of


def test_cells_are_named_along_the_rows_from_a1() -> None:
    assert grid_of(2, 3).names == ("a1", "b1", "c1", "a2", "b2", "c2")


def test_columns_beyond_z_have_two_letters() -> None:
    names = grid_of(1, 50).names
    assert (names[25], names[26], names[27], names[49]) == ("z1", "aa1", "ab1", "ax1")


@pytest.mark.parametrize(
    ("cell", "surrounding"),
    [
        ("a1", "a1 b1 a2 b2"),
        ("b2", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
        ("d3", "c2 d2 c3 d3"),
        ("d2", "c1 d1 c2 d2 c3 d3"),
    ],
)
def test_a_cell_is_among_those_that_surround_it(cell: str, surrounding: str) -> None:
    grid = grid_of(3, 4)
    found = get_surrounding_cells(3, 4, grid.cells[cell])
    assert " ".join(grid.names[other] for other in found) == surrounding
    assert [other for other in found if other != grid.cells[cell]] == list(grid.around[grid.cells[cell]])


def test_rows_are_listed_from_the_lowest() -> None:
    assert grid_of(2, 3).rows(b"abcdef") == ["abc", "def"]
