"""Minesweeper's fields: as published, against every small field, and against ms_toollib."""

from __future__ import annotations

from hashlib import shake_256
from itertools import islice, product

import pytest

from tablero_games.minesweeper.field import (
    COVERED,
    cell_order,
    cells_propagation,
    generate_bombs,
    generate_map,
    get_bomb_neighbor,
    opening_cell,
    setup,
    three_bv,
)
from tablero_games.minesweeper.grid import grid_of
from tablero_games.minesweeper.options import MinesweeperOptions
from tests.harness.games.minesweeper import SlowField, every_field, slow_field
from tests.harness.tiers import FULL

LEVELS = ("beginner", "intermediate", "expert")


def options(**chosen: object) -> MinesweeperOptions:
    return MinesweeperOptions.model_validate(chosen)


class TestWhereTheMinesLie:
    def test_as_docs_games_tells_it(self) -> None:
        """Whoever has the seed needs no more than this."""
        drawn = shake_256(b"tablero minesweeper field 1f").digest(8 * 81)
        order = sorted(range(81), key=lambda cell: int.from_bytes(drawn[8 * cell : 8 * cell + 8], "big"))
        free = {y * 9 + x for x, y in product((3, 4, 5), (0, 1))}  # e1 and all around it
        mines = [cell for cell in order if cell not in free][:10]
        field = setup(options(), 0x1F, grid_of(9, 9).cells["e1"])
        assert {cell for cell, content in enumerate(field) if content == ord("*")} == set(mines)
        assert opening_cell(options(), 0x1F) == order[-1]

    def test_is_the_same_for_ever(self) -> None:
        field = setup(options(width=8, height=4, mines=6), 2026, 0)
        assert grid_of(4, 8).rows(field) == ["01222*10", "02**2221", "02*422*1", "0112*211"]

    @pytest.mark.parametrize("first_dig", ["zone", "cell"])
    def test_never_where_the_first_dig_must_be_free(self, first_dig: str) -> None:
        most = {"zone": 20 - 9, "cell": 20 - 1}[first_dig]
        level = options(width=5, height=4, mines=most, firstDig=first_dig)
        for seed, cell in product(range(20), (6, 7, 8, 11, 12, 13)):
            field = setup(level, seed, cell)
            assert field.count(b"*") == most
            assert field[cell] == (ord("0") if first_dig == "zone" else ord("8"))

    def test_a_mine_under_the_first_dig_moves_to_the_next_cell_of_the_order(self) -> None:
        assert generate_bombs(3, [], order=[4, 2, 0, 1, 3]) == {4, 2, 0}
        assert generate_bombs(3, [2], order=[4, 2, 0, 1, 3]) == {4, 0, 1}

    def test_every_cell_is_mined_equally_often(self) -> None:
        level = options(width=4, height=3, mines=4, firstDig="cell")
        fields = [setup(level, seed, 0) for seed in range(1100)]
        mined = [sum(field[cell] == ord("*") for field in fields) for cell in range(12)]
        assert mined[0] == 0
        # 400 expected of each, with a deviation of 16
        assert all(330 < count < 470 for count in mined[1:])

    def test_the_opening_is_any_cell(self) -> None:
        level = options(width=4, height=3, mines=1, firstDig="cell")
        assert {opening_cell(level, seed) for seed in range(100)} == set(range(12))

    def test_an_order_has_every_cell_once(self) -> None:
        assert sorted(cell_order(50, seed=3)) == list(range(50))
        assert cell_order(50, seed=3) != cell_order(50, seed=4)


def small_fields() -> list[SlowField]:
    """Every field up to 4 by 3; those of 4 by 4 all by FULL=1, and else some."""
    some = islice(every_field(4, 4), 0, None, 1 if FULL else 97)
    sizes = [size for size in product((1, 2, 3, 4), repeat=2) if size != (4, 4)]
    return [field for size in sizes for field in every_field(*size)] + list(some)


class TestEverySmallField:
    def test_has_the_numbers_that_one_counts(self) -> None:
        for field in small_fields():
            assert text_of(field) == field.text()

    def test_opens_like_a_recursive_flood(self) -> None:
        for field in small_fields():
            spot = field.spots[len(field.bombs) % len(field.spots)]
            assert opened_from(field, spot) == field.flood(spot, set())

    def test_has_the_3bv_that_digging_it_clear_takes(self) -> None:
        for field in small_fields():
            assert three_bv(grid_of(field.height, field.width), field.text()) == field.three_bv()


def text_of(field: SlowField) -> bytes:
    bombs = {y * field.width + x for x, y in field.bombs}
    return generate_map(field.height, field.width, bombs)


def opened_from(field: SlowField, spot: tuple[int, int]) -> set[tuple[int, int]]:
    cells = bytearray([COVERED]) * len(field.spots)
    cells_propagation(grid_of(field.height, field.width), field.text(), cells, [field.spots.index(spot)])
    return {other for other, content in zip(field.spots, cells, strict=True) if content != COVERED}


def test_a_flood_opens_flags_but_passes_no_number() -> None:
    field = slow_field("..... .*... ..... .....")
    cells = bytearray(b"#" * 19 + b"F")
    cells_propagation(grid_of(4, 5), field.text(), cells, [4])
    assert grid_of(4, 5).rows(bytes(cells))[::-1] == ["##100", "##100", "11100", "00000"]


def test_a_cell_counts_the_mines_around_it_and_not_itself() -> None:
    assert get_bomb_neighbor(grid_of(3, 3), {0, 2, 4}, 4) == 2


@pytest.mark.parametrize(
    ("picture", "digs"),
    [("*.. ... ...", 1), ("*.* ... *.*", 5), ("...*... ...*...", 2), ("**** **.*", 1), ("..*..*..", 4)],
)
def test_3bv_counts_openings_and_numbers_beside_none(picture: str, digs: int) -> None:
    field = slow_field(picture)
    assert three_bv(grid_of(field.height, field.width), field.text()) == digs


@pytest.mark.parametrize("level", LEVELS)
def test_3bv_is_that_of_ms_toollib(level: str) -> None:
    oracle = pytest.importorskip("ms_toollib", reason="ms_toollib is not installed")
    chosen = options(level=level)
    grid = grid_of(chosen.height, chosen.width)
    for seed in range(1000 if FULL else 50):
        field = setup(chosen, seed, seed % len(grid.names))
        rows = [[-1 if content == "*" else int(content) for content in row] for row in grid.rows(field)]
        assert three_bv(grid, field) == oracle.cal_bbbv(rows)
