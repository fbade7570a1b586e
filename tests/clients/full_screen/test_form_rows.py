"""What the form for a table has to choose from."""

from __future__ import annotations

from random import Random

import pytest

from tablero.full_screen.form_rows import (
    OWN,
    Row,
    change,
    is_possible,
    line_for,
    possible_values,
    rows_for,
    shown,
)
from tablero.playing.verbs import read_create
from tablero_games import GAMES


def row(rows: list[Row], name: str) -> Row:
    return next(each for each in rows if each.name == name)


def put(rows: list[Row], **values: str) -> None:
    for name, value in values.items():
        while row(rows, name).value != value:
            change(row(rows, name), 1, rows)


def names(rows: list[Row]) -> list[str]:
    return [each.name for each in rows if is_possible(each, rows)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_chosen_can_be_made(game: str, seed: int) -> None:
    rules, random, rows = GAMES[game], Random(seed), rows_for(game)
    for _ in range(300):
        chosen = random.choice([each for each in rows if is_possible(each, rows)])
        change(chosen, random.choice([1, -1, 10, -10]), rows)
        table = read_create(line_for(game, rows).split()[1:], list(GAMES))
        options = rules.read_options(table.options)
        assert all(shown(each, rows) for each in rows)
        assert table.fields.get("seats", rules.seats(options)[0]) in rules.seats(options)
        if table.fields.get("rated"):
            assert options == rules.read_options({})
            assert not table.fields.get("private")
            assert table.bot is None
            assert "clock" in table.fields


def test_every_option_of_every_game_can_be_chosen() -> None:
    for game, rules in GAMES.items():
        fields = rules.options.model_fields.items()
        assert {field.alias or name for name, field in fields} <= {each.name for each in rows_for(game)}


def test_only_what_goes_together_is_shown() -> None:
    rows = rows_for("minesweeper")
    assert names(rows) == ["level", "mode", "firstDig", "noGuess", "open", "watchers"]
    put(rows, level=OWN)
    assert {"width", "height", "mines"} <= set(names(rows))
    put(rows, mode="race")
    assert {"opponent", "seats", "seat", "clock"} <= set(names(rows))
    assert "rated" not in names(rows)
    assert not any("+" in value for value in possible_values(row(rows, "clock"), rows))
    rows = rows_for("quoridor")
    assert "rated" in names(rows)
    for name in ("opponent", "open", "size"):
        before = row(rows, name).value
        change(row(rows, name), 1, rows)
        assert "rated" not in names(rows), name
        put(rows, **{name: before})


def test_a_rated_table_has_a_clock_and_the_usual_one_is_proposed() -> None:
    rows = rows_for("quoridor")
    put(rows, rated="yes")
    assert row(rows, "clock").value == "300+5"
    assert "" not in possible_values(row(rows, "clock"), rows)
    put(rows, opponent="easy")
    assert "" in possible_values(row(rows, "clock"), rows), "against a bot it is casual"
    put(rows, clock="", opponent="person")
    assert row(rows, "clock").value == "300+5"
    put(rows, clock="3days", rated="no")
    put(rows, rated="yes")
    assert row(rows, "clock").value == "3days"


def test_a_value_that_is_possible_no_more_gives_way() -> None:
    rows = rows_for("connect-four")
    put(rows, columns="12", connect="12")
    put(rows, columns="5")
    assert row(rows, "connect").value == "6"
    rows = rows_for("minesweeper")
    put(rows, level=OWN, mines="72")
    assert possible_values(row(rows, "mines"), rows)[-1] == "72"
    for name, fewer in (("width", 5), ("height", 6)):
        for _ in range(fewer):
            change(row(rows, name), -1, rows)
    assert row(rows, "mines").value == "3"


def test_the_line_says_what_is_not_as_usual() -> None:
    rows = rows_for("minesweeper")
    assert line_for("minesweeper", rows) == "create minesweeper level=beginner"
    put(rows, level=OWN, mode="coop", seats="3", clock="60", seat="none", watchers="no", firstDig="cell")
    assert line_for("minesweeper", rows) == (
        "create minesweeper mode=coop firstDig=cell width=9 height=9 mines=10 seats=3 clock=60 seat=none"
        " watchers=no"
    )
