"""What a Minesweeper room may choose, and how everything else is refused."""

from __future__ import annotations

import pytest

from tablero_games import BadOptions
from tablero_games.minesweeper.options import LEVELS
from tablero_games.minesweeper.rules import Minesweeper
from tablero_games.position import Json

GAME = Minesweeper()


def test_the_levels_are_those_of_the_document() -> None:
    assert LEVELS == {
        "Beginner": {"width": 9, "height": 9, "mines": 10},
        "Intermediate": {"width": 16, "height": 16, "mines": 40},
        "Expert": {"width": 30, "height": 16, "mines": 99},
    }


@pytest.mark.parametrize(
    ("chosen", "filled_in"),
    [
        ({}, {"level": "beginner", "width": 9, "height": 9, "mines": 10}),
        ({"level": "expert"}, {"level": "expert", "width": 30, "height": 16, "mines": 99}),
        ({"level": "expert", "width": 30}, {"level": "expert", "width": 30, "height": 16, "mines": 99}),
        ({"width": 12, "mines": 5}, {"level": None, "width": 12, "height": 9, "mines": 5}),
        ({"noGuess": True}, {"level": "beginner", "mode": "solo", "firstDig": "zone", "noGuess": True}),
        ({"width": 1, "height": 1, "mines": 0}, {"width": 1, "height": 1, "mines": 0}),
        ({"width": 50, "height": 50, "mines": 2491}, {"mines": 2491}),
        ({"width": 50, "height": 50, "mines": 2499, "firstDig": "cell"}, {"mines": 2499}),
        ({"width": 2, "height": 5, "mines": 4}, {"mines": 4}),
    ],
)
def test_defaults_are_filled_in(chosen: dict[str, Json], filled_in: dict[str, Json]) -> None:
    options = GAME.read_options(chosen)
    told = options.model_dump(by_alias=True)
    assert told | filled_in == told
    assert GAME.read_options(told) == options


@pytest.mark.parametrize(
    ("chosen", "option", "why"),
    [
        ({"level": "Expert"}, "level", " must be beginner, intermediate or expert"),
        ({"level": "easy"}, "level", " must be beginner, intermediate or expert"),
        ({"level": "expert", "width": 31}, "width", ": level expert sets it to 30; leave out width or level"),
        ({"level": "expert", "mines": 10}, "mines", ": level expert sets it to 99; leave out mines or level"),
        ({"mode": "team"}, "mode", " must be solo, race or coop"),
        ({"firstDig": "row"}, "firstDig", " must be zone or cell"),
        ({"noGuess": 1}, "noGuess", " must be true or false"),
        ({"width": 0}, "width", " must be at least 1"),
        ({"width": 51}, "width", " must be at most 50"),
        ({"height": 0}, "height", " must be at least 1"),
        ({"height": 51}, "height", " must be at most 50"),
        ({"width": "9"}, "width", " must be a whole number"),
        ({"width": None}, "width", " must be a whole number"),
        ({"mines": -1}, "mines", " must be at least 0"),
        ({"mines": 73}, "mines", ": 9 by 9 cells have room for at most 72 mines"),
        ({"mines": 81, "firstDig": "cell"}, "mines", ": 9 by 9 cells have room for at most 80 mines"),
        ({"width": 2, "height": 5, "mines": 5}, "mines", ": 2 by 5 cells have room for at most 4 mines"),
        ({"width": 1, "height": 1, "mines": 1}, "mines", ": 1 by 1 cells have room for at most 0 mines"),
        ({"width": 3, "height": 3}, "mines", ": 3 by 3 cells have room for at most 0 mines"),
    ],
)
def test_an_impossible_option_is_refused_by_name(chosen: dict[str, Json], option: str, why: str) -> None:
    with pytest.raises(BadOptions) as refused:
        GAME.start(**chosen)
    assert refused.value.option == option
    assert refused.value.sentence == f"Option {option}{why}."


@pytest.mark.parametrize(
    ("mode", "allowed", "counts"),
    [
        ("solo", range(1, 2), "all"),
        ("race", range(2, 9), "own"),
        ("coop", range(2, 9), "none"),
    ],
)
def test_each_mode_has_its_seats_and_counts_plies_its_own_way(mode: str, allowed: range, counts: str) -> None:
    options = GAME.read_options({"mode": mode})
    assert GAME.seats(options) == allowed
    assert GAME.counts(options) == counts
    assert GAME.together(options) == (mode == "coop")
    for seats in allowed:
        assert GAME.start(seats, mode=mode).to_move == set(range(seats))
    for seats in {0, 1, 2, 9} - set(allowed):
        with pytest.raises(BadOptions) as refused:
            GAME.start(seats, mode=mode)
        assert refused.value.option == "seats"
