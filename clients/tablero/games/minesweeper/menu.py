"""The numbered menus of Minesweeper for the line mode: level, action and cell. Letters work, too.

Law: this module neither reads nor prints, and knows no rules. `ask` shows a question and returns the typed
line; the question is repeated until it is answered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from tablero.catalogue.speech import sentence, translate
from tablero_games.minesweeper.grid import ACTIONS, column_name

from .. import Ask

View: TypeAlias = dict[str, Any]
Letters: TypeAlias = Callable[[str], int | None]
"""Function that returns the number for some letters, or None."""

MENU = {sentence("Dig"): 0, sentence("Flag"): 1, sentence("Unflag"): 2, sentence("Chord"): 3}
"""The actions with their numbers, in the order of ACTIONS."""
LEVEL_NAMES = (sentence("Beginner"), sentence("Intermediate"), sentence("Expert"))
"""The names of the levels, in the order of the levels' file."""


def keys_to_string(dictionary: Mapping[str, object]) -> str:
    """The keys, each with its number: "1.Dig 2.Flag"."""
    return " ".join(f"{index}.{translate(key)}" for index, key in enumerate(dictionary, start=1))


async def get_choice(dictionary: Mapping[str, object], ask: Ask) -> int:
    """Ask for a key and return its number, from 0."""
    words = [(key.lower(), translate(key).lower()) for key in dictionary]

    def letters(entry: str) -> int | None:
        begun = [
            number for number, word in enumerate(words, 1) if any(each.startswith(entry) for each in word)
        ]
        return begun[0] if len(begun) == 1 else None

    return await _number(keys_to_string(dictionary) + ": ", len(dictionary), ask, letters) - 1


async def get_level(levels: Mapping[str, Mapping[str, int]], ask: Ask) -> dict[str, int]:
    """The width, height and mines of the chosen level."""
    choice = await get_choice(levels, ask)
    return dict(levels[list(levels)[choice]])


async def get_cell(height: int, width: int, ask: Ask) -> dict[str, int]:
    """The column x and row y of the chosen cell, counted from 0 at the bottom left."""
    coordinate = {}
    prompts = {
        "x": translate("Axis x between 1 and {most} (a to {last}):", most=width, last=column_name(width - 1)),
        "y": translate("Axis y between 1 and {most}:", most=height),
    }
    columns = {column_name(x): x + 1 for x in range(width)}
    letters: dict[str, Letters] = {"x": columns.get, "y": lambda _: None}
    for axis, length in {"x": width, "y": height}.items():
        coordinate[axis] = await _number(f"{prompts[axis]} ", length, ask, letters[axis]) - 1
    return coordinate


async def get_move(view: View, ask: Ask) -> str:
    """The move of the chosen action and cell."""
    choice = await get_choice(MENU, ask)
    cell = await get_cell(view["height"], view["width"], ask)
    return f"{ACTIONS[choice]} {column_name(cell['x'])}{cell['y'] + 1}"


async def run(
    view: View, ask: Ask, play: Callable[[str], Awaitable[View]], show_map: Callable[[View], None]
) -> View:
    """Play a whole game. `play` returns the view after a move, and reports a refusal itself."""
    show_map(view)
    while "outcome" not in view:
        view = await play(await get_move(view, ask))
        show_map(view)
    return view


async def _number(prompt: str, most: int, ask: Ask, letters: Letters) -> int:
    while True:
        entry = (await ask(prompt)).strip().lower()
        if entry.isalpha() and (meant := letters(entry)) is not None:
            return meant
        if entry.isascii() and entry.isdigit() and len(entry) < 4 and 1 <= int(entry) <= most:
            return int(entry)
