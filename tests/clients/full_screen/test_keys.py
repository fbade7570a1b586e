"""Keys: each has a name, is told of, and means one thing."""

from __future__ import annotations

import pytest

from tablero.full_screen.keys import LOBBY_KEYS, TABLE_KEYS, bindings, help_lines, spoken
from tablero.full_screen.lobby_screen import LobbyScreen
from tablero.full_screen.table_screen import TableScreen
from tablero_games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_no_key_means_two_things_in_one_game(game: str) -> None:
    here = [key for key in TABLE_KEYS if key.is_of(game)]
    keys = [each for key in here for each in key.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_every_action_has_one_name() -> None:
    names = [binding.id for binding in bindings(TABLE_KEYS)]
    assert len(names) == len(set(names))
    assert {"left", "right", "up", "down", "flag", "say", "yes", "no", "takeback"} <= set(names)


def test_every_action_is_there() -> None:
    for keys, screen in ((TABLE_KEYS, TableScreen), (LOBBY_KEYS, LobbyScreen)):
        for key in keys:
            method = key.action.partition("(")[0]
            if not method.startswith("app.") and method != "select":
                assert hasattr(screen, f"action_{method}"), key


def test_help_names_the_keys_of_a_game() -> None:
    lines = help_lines(TABLE_KEYS, "minesweeper")
    assert any(line.startswith("f ") and "flag" in line for line in lines)
    assert not any(line.startswith("w ") for line in lines)
    assert spoken("left_square_bracket,x") == "["
