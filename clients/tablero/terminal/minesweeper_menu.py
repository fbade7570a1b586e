"""Minesweeper by numbered menus, for the line mode: which level, which action, which cell.

Law: nothing here reads, prints or knows a rule. A question is a generator: it yields what to ask, is sent the
line that was typed, asks again until the line is an answer, and returns it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeAlias, TypeVar

from tablero_games.minesweeper.grid import ACTIONS, column_name

T = TypeVar("T")
Question: TypeAlias = Generator[str, str, T]
View: TypeAlias = dict[str, Any]

MENU = {action.capitalize(): number for number, action in enumerate(ACTIONS)}


def keys_to_string(dictionary: Mapping[str, object]) -> str:
    """Every key with its number: "1.Dig 2.Flag"."""
    return " ".join(f"{index}.{key}" for index, key in enumerate(dictionary, start=1))


def get_choice(dictionary: Mapping[str, object]) -> Question[int]:
    """Which key, counted from 0."""
    return (yield from _number(keys_to_string(dictionary) + ": ", len(dictionary))) - 1


def get_level(levels: Mapping[str, Mapping[str, int]]) -> Question[dict[str, int]]:
    """Width, height and mines of the chosen level."""
    choice = yield from get_choice(levels)
    return dict(levels[list(levels)[choice]])


def get_cell(height: int, width: int) -> Question[dict[str, int]]:
    """Column x and row y, counted from 0 at the bottom left."""
    coordinate = {}
    for axis, length in {"x": width, "y": height}.items():
        coordinate[axis] = (yield from _number(f"Axis {axis} between 1 and {length}: ", length)) - 1
    return coordinate


def get_move(view: View) -> Question[str]:
    """An action and a cell, as a move."""
    choice = yield from get_choice(MENU)
    cell = yield from get_cell(view["height"], view["width"])
    return f"{ACTIONS[choice]} {column_name(cell['x'])}{cell['y'] + 1}"


def run(
    view: View, play: Callable[[str], View], show_map: Callable[[View], None], say: Callable[[str], None]
) -> Question[View]:
    """A whole game: `play` gives the view after a move, or raises ValueError saying why it is none."""
    show_map(view)
    while "outcome" not in view:
        move = yield from get_move(view)
        try:
            view = play(move)
        except ValueError as refused:
            say(str(refused))
        else:
            show_map(view)
    return view


def _number(prompt: str, most: int) -> Question[int]:
    while True:
        entry = (yield prompt).strip()
        if entry.isascii() and entry.isdigit() and len(entry) < 4 and 1 <= int(entry) <= most:
            return int(entry)
