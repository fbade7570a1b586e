"""tablero_games/catalogue.py: every game once, under the name by which all others ask for it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import tablero_games
from tablero_games import GAMES, Game


def test_every_game_stands_under_its_own_name() -> None:
    assert {name: game.name for name, game in GAMES.items()} == {name: name for name in GAMES}
    for name in GAMES:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)


def test_no_two_games_have_one_title() -> None:
    titles = [game.title for game in GAMES.values()]
    assert len(set(titles)) == len(titles)


def test_every_game_that_the_package_has_is_in_it() -> None:
    """A game that somebody forgot to add would be tested by nobody."""
    found: set[type[Game]] = set()
    for module in walk_packages(tablero_games.__path__, "tablero_games."):
        for each in vars(import_module(module.name)).values():
            if isinstance(each, type) and issubclass(each, Game) and each.__module__ == module.name:
                found.add(each)
    assert {type(game) for game in GAMES.values()} == {each for each in found if hasattr(each, "name")}


def test_each_has_a_test_module_of_its_own() -> None:
    here = Path(__file__).parent
    for game in GAMES.values():
        *_, folder, name = type(game).__module__.split(".")
        place = here if folder == "tablero_games" else here / folder
        assert (place / f"test_{name}.py").exists()
