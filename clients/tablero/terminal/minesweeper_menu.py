"""Minesweeper by numbered menus, for the line mode: which level, which action, which cell.

Law: nothing here reads, prints or knows a rule. `ask` shows a question and gives the line that was typed; it
is asked again until the line is an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from tablero_games.minesweeper.grid import ACTIONS, column_name

Ask: TypeAlias = Callable[[str], Awaitable[str]]
View: TypeAlias = dict[str, Any]

MENU = {action.capitalize(): number for number, action in enumerate(ACTIONS)}


def keys_to_string(dictionary: Mapping[str, object]) -> str:
    """Every key with its number: "1.Dig 2.Flag"."""
    return " ".join(f"{index}.{key}" for index, key in enumerate(dictionary, start=1))


async def get_choice(dictionary: Mapping[str, object], ask: Ask) -> int:
    """Which key, counted from 0."""
    return await _number(keys_to_string(dictionary) + ": ", len(dictionary), ask) - 1


async def get_level(levels: Mapping[str, Mapping[str, int]], ask: Ask) -> dict[str, int]:
    """Width, height and mines of the chosen level."""
    choice = await get_choice(levels, ask)
    return dict(levels[list(levels)[choice]])


async def get_cell(height: int, width: int, ask: Ask) -> dict[str, int]:
    """Column x and row y, counted from 0 at the bottom left."""
    coordinate = {}
    names = {"x": f" (a to {column_name(width - 1)})", "y": ""}
    for axis, length in {"x": width, "y": height}.items():
        prompt = f"Axis {axis} between 1 and {length}{names[axis]}: "
        coordinate[axis] = await _number(prompt, length, ask) - 1
    return coordinate


async def get_move(view: View, ask: Ask) -> str:
    """An action and a cell, as a move."""
    choice = await get_choice(MENU, ask)
    cell = await get_cell(view["height"], view["width"], ask)
    return f"{ACTIONS[choice]} {column_name(cell['x'])}{cell['y'] + 1}"


async def run(
    view: View, ask: Ask, play: Callable[[str], Awaitable[View]], show_map: Callable[[View], None]
) -> View:
    """A whole game. `play` gives the view after a move; of one that was refused it says why itself."""
    show_map(view)
    while "outcome" not in view:
        view = await play(await get_move(view, ask))
        show_map(view)
    return view


async def _number(prompt: str, most: int, ask: Ask) -> int:
    while True:
        entry = (await ask(prompt)).strip()
        if entry.isascii() and entry.isdigit() and len(entry) < 4 and 1 <= int(entry) <= most:
            return int(entry)
