"""What the form for a table has to choose from."""

from __future__ import annotations

from random import Random

import pytest

from tablero.full_screen.form_rows import OWN, Form
from tablero.playing.orders import NewTable
from tablero_games import GAMES


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
    assert names(form) == ["level", "mode", "firstDig", "noGuess", "open", "watchers"]
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
