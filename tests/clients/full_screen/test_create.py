"""The form for a table."""

from __future__ import annotations

import pytest
from textual.app import App

from tablero.full_screen.create import Create, is_possible, line_for, rows_for, shown
from tablero.terminal.verbs import read_create
from tablero_games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_chosen_can_be_made(game: str) -> None:
    rules = GAMES[game]
    for row in rows_for(game):
        for at in range(len(row.values)):
            rows = rows_for(game)
            next(each for each in rows if each.name == row.name).at = at
            table = read_create(line_for(game, rows).split()[1:], list(GAMES))
            if not (row.name == "connect" and int(row.values[at]) > 7):
                rules.read_options(table.options)
            assert all(shown(each) for each in rows)


def test_only_what_is_possible_is_shown() -> None:
    rows = rows_for("minesweeper")
    assert [row.name for row in rows if is_possible(row, rows)] == ["level", "mode", "noGuess", "open"]
    next(row for row in rows if row.name == "mode").at = 1
    assert "opponent" in [row.name for row in rows if is_possible(row, rows)]
    rows = rows_for("quoridor")
    assert "rated" in [row.name for row in rows if is_possible(row, rows)]
    next(row for row in rows if row.name == "opponent").at = 1
    assert "rated" not in [row.name for row in rows if is_possible(row, rows)]


async def test_keys_fill_the_form_in() -> None:
    got: list[str | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Create(), got.append)
        await pilot.press("right", "right", "right", "down", "left", "down", "down", "right", "enter")
        app.push_screen(Create(), got.append)
        await pilot.press("up", "l", "enter")
        app.push_screen(Create(), got.append)
        await pilot.press("q")
    assert got == ["create quoridor size=8 clock=60+1", "create tic-tac-toe rated", None]


async def test_the_mouse_fills_it_in() -> None:
    got: list[str | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Create(), got.append)
        await pilot.pause()
        await pilot.click("#rows", offset=(3, 1))
        await pilot.click("#rows", offset=(3, 1))
        await pilot.press("enter")
    assert got == ["create tic-tac-toe clock=60+1"]
