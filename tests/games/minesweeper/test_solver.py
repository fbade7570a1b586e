"""Logic on minefields: what it can see, what it must not, and that it is never wrong."""

from __future__ import annotations

import pytest

from tablero_games.minesweeper.grid import grid_of
from tablero_games.minesweeper.solver import Deduction, each, to_bits
from tests.harness.games.minesweeper import SlowField, every_field, needs_no_guess, slow_field


def deduced(field: SlowField, opening: tuple[int, int]) -> tuple[bool, Deduction]:
    bombs = [field.spots.index(spot) for spot in field.bombs]
    deduction = Deduction(grid_of(field.height, field.width), bombs, field.spots.index(opening))
    return deduction.clear(), deduction


@pytest.mark.parametrize(
    ("picture", "clears"),
    [
        ("..... ..... ..... ....*", True),  # an opening shows all but one cell
        ("..... ..... ....* .....", True),  # three numbers share one cell
        ("..*.. ..... .....", True),  # 1 1 1 along an edge
        (".**.. ..... .....", True),  # 1 2 2 1
        ("*.*.* ..... .....", True),
        ("...*. ...*. ...*.", False),  # nothing tells of what a wall hides
        ("....* ...*. ...**", False),
    ],
)
def test_it_clears_what_numbers_prove(picture: str, clears: bool) -> None:
    assert deduced(slow_field(picture), (0, 0))[0] is clears


def test_a_fifty_fifty_leaves_it_stuck() -> None:
    cleared, deduction = deduced(slow_field("*.. ... ..."), (1, 1))
    assert not cleared
    assert list(each(deduction.open)) == [4]
    assert deduction.unknown_around(4) == deduction.unknown == to_bits([0, 1, 2, 3, 5, 6, 7, 8])
    assert all(deduction.is_seen(cell) for cell in (0, 1, 8))


def test_it_opens_no_mine_and_marks_no_safe_cell_on_any_small_field() -> None:
    for width, height in ((3, 3), (4, 3)):
        for field in every_field(width, height):
            if field.spots[0] not in field.bombs:
                bombs = to_bits([field.spots.index(spot) for spot in field.bombs])
                cleared, deduction = deduced(field, field.spots[0])
                assert not deduction.open & bombs
                marked = ~(deduction.open | deduction.unknown) & (1 << len(field.spots)) - 1
                assert not marked & ~bombs
                assert cleared == (deduction.open | bombs == (1 << len(field.spots)) - 1)


def test_what_it_clears_needs_no_guess() -> None:
    cleared = 0
    for field in every_field(4, 3):
        if 2 <= len(field.bombs) <= 3 and (0, 0) not in field.bombs and deduced(field, (0, 0))[0]:
            assert needs_no_guess(field, (0, 0))
            cleared += 1
    assert cleared > 30
