"""Against the computer."""

from __future__ import annotations

import pytest
from textual.app import App

from tablero.brains import bundled
from tablero.full_screen.computer import Computer, remark, tables
from tablero.playing.orders import NewTable
from tablero_games import GAMES
from tests.harness.games.examples import EXAMPLES


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_can_be_played_and_is_told_of(game: str) -> None:
    for table in tables(game):
        assert remark(table)
        assert table.level is None or table.level in bundled()[game]


def test_minesweeper_against_the_computer_is_a_race() -> None:
    alone, *_, race = tables("minesweeper")
    assert alone == NewTable(game="minesweeper", options={"level": "beginner"})
    assert race == NewTable(game="minesweeper", options={"mode": "race"}, level="expert")
    assert remark(race).startswith("a race: ")


def test_a_game_with_no_brain_but_the_random_one_is_played_with_that(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in EXAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)
        (table,) = tables(game.name)
        assert table == NewTable(game=game.name, level="random")
        assert remark(table) == "any legal move"


async def test_keys_choose_game_and_level() -> None:
    got: list[NewTable | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Computer(), got.append)
        await pilot.press("down", "right", "right", "left", "enter")
        app.push_screen(Computer(), got.append)
        await pilot.press("j", "j", "k", "l", "h", "h", "enter")
        app.push_screen(Computer(), got.append)
        await pilot.press("escape")
    assert got == [
        NewTable(game="connect-four", level="normal"),
        NewTable(game="connect-four", level="easy"),
        None,
    ]
