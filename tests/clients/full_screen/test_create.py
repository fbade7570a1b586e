"""The form for a table."""

from __future__ import annotations

from random import Random

import pytest
from textual.app import App

from tablero.full_screen.create import OWN, Create, Form
from tablero.playing.orders import NewTable
from tablero_games import GAMES


async def test_keys_fill_the_form_in() -> None:
    got: list[NewTable | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Create(), got.append)
        await pilot.press("right", "right", "right", "down", "left", "down", "down", "right", "enter")
        app.push_screen(Create(), got.append)
        await pilot.press("up", "l", "enter")
        app.push_screen(Create(), got.append)
        await pilot.press("q")
    assert got == [
        NewTable(game="quoridor", options={"size": 8}, clock={"base": 60, "increment": 1}),
        NewTable(game="tic-tac-toe", clock={"base": 300, "increment": 5}, rated=True),
        None,
    ]


async def test_the_mouse_fills_it_in() -> None:
    got: list[NewTable | None] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.push_screen(Create(), got.append)
        await pilot.pause()
        await pilot.click("#rows", offset=(3, 1))
        await pilot.click("#rows", offset=(3, 1))
        await pilot.press("enter")
    assert got == [NewTable(game="tic-tac-toe", clock={"base": 60, "increment": 1})]


async def test_what_is_chosen_is_seen_where_the_form_does_not_fit() -> None:
    app: App[None] = App()
    async with app.run_test(size=(60, 9)) as pilot:
        app.push_screen(Create())
        await pilot.press("left", "down", "down", "right", "up")  # a race has the most to choose
        for _ in range(12):
            await pilot.press("down")
            await pilot.pause()
            strips = app.screen._compositor.render_strips(app.size)
            assert any(strip.text.strip().startswith("> ") for strip in strips)


def put(form: Form, **values: str) -> None:
    for name, value in values.items():
        while form[name].value != value:
            form.change(form[name], 1)


def names(form: Form) -> list[str]:
    return [each.name for each in form.possible_rows()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_chosen_can_be_made(game: str, seed: int) -> None:
    rules, random, form = GAMES[game], Random(seed), Form(game)
    for _ in range(300):
        form.change(random.choice(form.possible_rows()), random.choice([1, -1, 10, -10]))
        table = form.table()
        options = rules.read_options(dict(table.options))
        assert all(map(form.shown, form.rows))
        assert table.seats is None or table.seats in rules.seats(options)
        if table.rated:
            assert options == rules.read_options({})
            assert not table.private
            assert table.level is None
            assert table.clock is not None


def test_every_option_of_every_game_can_be_chosen() -> None:
    for game, rules in GAMES.items():
        fields = rules.options.model_fields.items()
        assert {field.alias or name for name, field in fields} <= {each.name for each in Form(game).rows}


def test_only_what_goes_together_is_shown() -> None:
    form = Form("minesweeper")
    assert names(form) == ["level", "mode", "firstDig", "noGuess", "opponent", "open", "watchers"]
    assert form.shown(form["opponent"]) == "you play"
    put(form, level=OWN)
    assert {"width", "height", "mines"} <= set(names(form))
    put(form, mode="race")
    assert {"opponent", "seats", "seat", "clock"} <= set(names(form))
    assert "rated" not in names(form)
    assert not any("+" in value for value in form.possible_values(form["clock"]))
    form = Form("quoridor")
    assert "rated" in names(form)
    for name in ("opponent", "open", "size"):
        before = form[name].value
        form.change(form[name], 1)
        assert "rated" not in names(form), name
        put(form, **{name: before})


def test_a_rated_table_has_a_clock_and_the_usual_one_is_proposed() -> None:
    form = Form("quoridor")
    put(form, rated="yes")
    assert form["clock"].value == "300+5"
    assert "" not in form.possible_values(form["clock"])
    put(form, opponent="easy")
    assert "" in form.possible_values(form["clock"]), "against a bot it is casual"
    put(form, clock="", opponent="person")
    assert form["clock"].value == "300+5"
    put(form, clock="3days", rated="no")
    put(form, rated="yes")
    assert form["clock"].value == "3days"


def test_a_value_that_is_possible_no_more_gives_way() -> None:
    form = Form("connect-four")
    put(form, columns="12", connect="12")
    put(form, columns="5")
    assert form["connect"].value == "6"
    form = Form("minesweeper")
    put(form, level=OWN, mines="72")
    assert form.possible_values(form["mines"])[-1] == "72"
    for name, fewer in (("width", 5), ("height", 6)):
        for _ in range(fewer):
            form.change(form[name], -1)
    assert form["mines"].value == "3"


def test_the_table_names_what_is_not_as_usual() -> None:
    form = Form("minesweeper")
    assert form.table() == NewTable(game="minesweeper", options={"level": "beginner"})
    put(form, level=OWN, mode="coop", seats="3", clock="60", seat="none", watchers="no", firstDig="cell")
    assert form.table() == NewTable(
        game="minesweeper",
        options={"mode": "coop", "firstDig": "cell", "width": 9, "height": 9, "mines": 10},
        seats=3,
        clock={"base": 60},
        seat=None,
        watchers=False,
    )
    form = Form("tic-tac-toe")
    put(form, open="private", seat="1")
    assert form.table() == NewTable(game="tic-tac-toe", private=True, seat=1)
    put(form, open="public", opponent="hard")
    assert form.table() == NewTable(game="tic-tac-toe", seat=1, level="hard")
