"""tablero_games/catalogue.py: every game once, under the name by which all others ask for it."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from pkgutil import walk_packages

import pytest

import tablero_games
from tablero_games import GAMES, BrokenGame, Game
from tablero_games.catalogue import GROUP, with_installed


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


class Hex(Game):
    name = "hex"
    title = "Hex"
    example_moves = ("a1",)


class Shout(Hex):
    name = "HEX!"


def installed(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def test_games_of_installed_packages_come_after_ours() -> None:
    found = with_installed(GAMES.values(), [installed("hex", f"{__name__}:Hex")])
    assert list(found) == [*GAMES, "hex"]
    assert type(found["hex"]) is Hex


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_package:Hex", "ModuleNotFoundError: No module named 'no_such_package'."),
        (f"{__name__}:Hexagon", f"AttributeError: module '{__name__}' has no attribute 'Hexagon'."),
        ("json:loads", "TypeError: it is no subclass of tablero_games.Game."),
        ("tablero_games:Game", "AttributeError: 'Game' object has no attribute 'name'."),
        ("tablero_games.quoridor.rules:Quoridor", "there is a game called 'quoridor' already."),
        (f"{__name__}:Shout", "its name 'HEX!' is not made of a-z and '-'."),
    ],
)
def test_a_broken_game_is_told_with_its_name_and_its_place(value: str, why: str) -> None:
    with pytest.raises(BrokenGame) as caught:
        with_installed(GAMES.values(), [installed("hex", value)])
    assert str(caught.value) == f"Cannot load game 'hex' ({value}): {why}"


def test_a_name_is_taken_also_by_another_package() -> None:
    both = [installed("hex", f"{__name__}:Hex"), installed("hexagons", f"{__name__}:Hex")]
    with pytest.raises(BrokenGame, match=r"^Cannot load game 'hexagons' .* called 'hex' already\.$"):
        with_installed(GAMES.values(), both)
