"""Fields that need no guess: certified by others than their maker, equal for equal seeds, found in time."""

from __future__ import annotations

from itertools import count

import pytest

from tablero_games import GAMES
from tablero_games.minesweeper.field import excluded_cells, generate_map, opening_cell, setup
from tablero_games.minesweeper.grid import grid_of
from tablero_games.minesweeper.no_guess import mended, no_guess_field
from tablero_games.minesweeper.options import MinesweeperOptions
from tablero_games.minesweeper.rules import Minesweeper
from tablero_games.minesweeper.solver import Deduction
from tablero_games.position import Json, NoFieldFound, never
from tests.harness.games.minesweeper import SlowField, needs_no_guess
from tests.harness.tiers import FULL

GAME = Minesweeper()


def options(**chosen: Json) -> MinesweeperOptions:
    return MinesweeperOptions.model_validate({"noGuess": True} | chosen)


def bombs_of(field: bytes) -> frozenset[int]:
    return frozenset(cell for cell, content in enumerate(field) if content == ord("*"))


@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert"])
def test_ms_toollib_agrees_that_no_guess_is_needed(level: str) -> None:
    oracle = pytest.importorskip("ms_toollib", reason="ms_toollib is not installed")
    chosen = options(level=level)
    rows_of = grid_of(chosen.height, chosen.width).rows
    for seed in range(1000 if FULL else 15):
        field = no_guess_field(chosen, seed, never)
        y, x = divmod(opening_cell(chosen, seed), chosen.width)
        rows = [[-1 if content == "*" else int(content) for content in row] for row in rows_of(field)]
        assert oracle.is_solvable(rows, y, x)


@pytest.mark.parametrize(
    ("width", "height", "mines", "first_dig"),
    [(4, 4, 4, "cell"), (4, 4, 3, "zone"), (5, 4, 5, "zone"), (6, 3, 4, "zone"), (1, 9, 3, "zone")],
)
def test_every_way_the_mines_could_lie_agrees(width: int, height: int, mines: int, first_dig: str) -> None:
    chosen = options(width=width, height=height, mines=mines, firstDig=first_dig)
    for seed in range(3):
        bombs = bombs_of(no_guess_field(chosen, seed, never))
        spots = [(x, y) for y in range(height) for x in range(width)]
        slow = SlowField(width, height, {spots[cell] for cell in bombs})
        assert needs_no_guess(slow, spots[opening_cell(chosen, seed)])


def test_a_field_has_its_mines_and_its_free_zone() -> None:
    chosen = options(level="expert")
    for seed in range(5):
        field = no_guess_field(chosen, seed, never)
        bombs = bombs_of(field)
        assert field == generate_map(16, 30, bombs)
        assert len(bombs) == 99
        assert bombs.isdisjoint(excluded_cells(chosen, opening_cell(chosen, seed)))


def test_equal_seeds_give_equal_fields_and_other_seeds_others() -> None:
    chosen = options(level="intermediate")
    fields = [no_guess_field(chosen, seed, never) for seed in (1, 2, 1)]
    assert fields[0] == fields[2] != fields[1]


def test_most_fields_are_only_mended() -> None:
    """A mended field still has most of its mines where the first draw laid them."""
    chosen = options(level="expert")
    kept = []
    for seed in range(10):
        drawn = setup(chosen, seed, opening_cell(chosen, seed))
        kept.append(len(bombs_of(drawn) & bombs_of(no_guess_field(chosen, seed, never))))
    assert sorted(kept)[5] > 60


def test_mending_makes_one_number_say_all_and_keeps_the_count() -> None:
    grid = grid_of(1, 8)
    bombs = frozenset({1, 4})
    stuck = Deduction(grid, bombs, 2)  # its 1 may mean either neighbour
    assert not stuck.clear()
    after = mended(bombs, stuck, order=[2, 6, 5, 7, 0, 1, 3, 4])
    assert after == frozenset({4, 6})


def test_a_part_behind_a_wall_of_mines_cannot_be_mended() -> None:
    grid = grid_of(1, 5)
    stuck = Deduction(grid, {2, 3}, 0)
    assert not stuck.clear()
    assert mended(frozenset({2, 3}), stuck, order=[0, 1, 2, 3, 4]) is None


def test_impossible_options_find_no_field() -> None:
    with pytest.raises(NoFieldFound, match="try fewer"):
        no_guess_field(options(width=2, height=2, mines=1, firstDig="cell"), 1, never)


def test_giving_up_is_asked_before_every_attempt_and_obeyed() -> None:
    asked = count(1)
    with pytest.raises(NoFieldFound, match="in time"):
        no_guess_field(options(width=50, height=50, mines=1500), 1, lambda: next(asked) == 3)
    assert next(asked) == 4


class TestPrepare:
    def test_makes_nothing_where_nothing_takes_long(self) -> None:
        assert GAME.prepare(7, GAME.read_options({"mode": "race"})) is None

    @pytest.mark.parametrize(
        "chosen", [{}, {"mode": "race"}, {"noGuess": True}, {"noGuess": True, "mines": 0}]
    )
    def test_says_beforehand_whether_it_will_make_anything(self, chosen: dict[str, Json]) -> None:
        level = GAME.read_options(chosen)
        assert GAME.needs_preparation(level) == (GAME.prepare(7, level) is not None)

    def test_other_games_need_nothing_prepared(self) -> None:
        game = GAMES["tic-tac-toe"]
        assert game.prepare(7, game.read_options({})) is None
        assert not game.needs_preparation(game.read_options({}))
        assert game.start(2, 7, ["anything"]) == game.start(2, 7)

    def test_gives_the_field_that_a_start_would_make_itself(self) -> None:
        chosen = {"noGuess": True, "mode": "coop"}
        prepared = GAME.prepare(7, GAME.read_options(chosen))
        assert GAME.start(3, 7, prepared, **chosen) == GAME.start(3, 7, **chosen)

    def test_a_start_uses_the_field_it_is_given(self) -> None:
        chosen = {"noGuess": True, "level": "expert"}
        level = options(level="expert")
        other = grid_of(16, 30).rows(setup(level, 8, opening_cell(level, 8)))
        assert other != GAME.prepare(8, level)
        assert GAME.start(1, 8, other, **chosen).adjudicate("draw", "agreed").view(None)["field"] == other

    def test_a_field_that_it_cannot_have_made_is_refused(self) -> None:
        rows = GAME.prepare(7, options())
        mined_opening = GAME.prepare(8, options())
        for wrong in (rows[:8], [row.replace("1", "2") for row in rows], mined_opening):
            with pytest.raises(ValueError, match="does not fit"):
                GAME.start(1, 7, wrong, noGuess=True)

    def test_the_first_cells_are_open_from_the_start(self) -> None:
        chosen = GAME.read_options({"noGuess": True})
        assert isinstance(chosen, MinesweeperOptions)
        view = GAME.start(1, 7, noGuess=True).view(0)
        y, x = divmod(opening_cell(chosen, 7), 9)
        assert view["cells"][y][x] == "0"
        assert view["players"] == [{"opened": 0, "out": None}]
