"""Minesweeper by numbered menus, for the line mode: which level, action and cell. Letters will do, too.

Law: nothing here reads, prints or knows a rule. `ask` shows a question and gives the line that was typed; the
question comes again until the line is an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from tablero.catalogue.speech import sentence, translate
from tablero.client.room import Room
from tablero.errors import Refused
from tablero_games.minesweeper.grid import ACTIONS, column_name
from tablero_games.minesweeper.options import LEVELS

from ..playing.orders import NewTable, Orders
from ..playing.words import UsageError

Ask: TypeAlias = Callable[[str], Awaitable[str]]
View: TypeAlias = dict[str, Any]
AskWhile: TypeAlias = Callable[[str, Callable[[], bool]], Awaitable[str]]
"""Asks as long as the condition holds; ends the order that asks when it holds no more."""
Letters: TypeAlias = Callable[[str], int | None]
"""The number that letters stand for, if for any."""

MENU = {sentence("Dig"): 0, sentence("Flag"): 1, sentence("Unflag"): 2, sentence("Chord"): 3}
"""The numbers of ACTIONS."""
HOW = sentence("Answer by number until the game is over; any command ends the menu.")
LEVEL_NAMES = (sentence("Beginner"), sentence("Intermediate"), sentence("Expert"))
"""As the file of levels has them."""


def keys_to_string(dictionary: Mapping[str, object]) -> str:
    """Every key with its number: "1.Dig 2.Flag"."""
    return " ".join(f"{index}.{translate(key)}" for index, key in enumerate(dictionary, start=1))


async def get_choice(dictionary: Mapping[str, object], ask: Ask) -> int:
    """Which key, counted from 0."""
    words = [(key.lower(), translate(key).lower()) for key in dictionary]

    def letters(entry: str) -> int | None:
        begun = [
            number for number, word in enumerate(words, 1) if any(each.startswith(entry) for each in word)
        ]
        return begun[0] if len(begun) == 1 else None

    return await _number(keys_to_string(dictionary) + ": ", len(dictionary), ask, letters) - 1


async def get_level(levels: Mapping[str, Mapping[str, int]], ask: Ask) -> dict[str, int]:
    """Width, height and mines of the chosen level."""
    choice = await get_choice(levels, ask)
    return dict(levels[list(levels)[choice]])


async def get_cell(height: int, width: int, ask: Ask) -> dict[str, int]:
    """Column x and row y, counted from 0 at the bottom left."""
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


class ByNumber:
    """The verb `menu`: a level, if no game is under way here, and then moves until the game is over."""

    def __init__(self, orders: Orders, ask: AskWhile) -> None:
        self._orders = orders
        self._table = orders.table
        self._ask = ask

    async def play(self) -> None:
        """Raises UsageError or Refused, as an order does."""
        room, narrator = self._table.room, self._orders.narrator
        if room is None or room.table.state == "finished":
            narrator.note(translate(HOW))
            level = await get_level(LEVELS, lambda prompt: self._ask(prompt, lambda: True))
            await self._orders.create(NewTable(game="minesweeper", options=level))
            room = self._table.here()
            await self._begun(room)
        elif room.game != "minesweeper":
            raise UsageError(
                translate("Only moves of Minesweeper are chosen by number; type this game's moves.")
            )
        else:
            self._table.seat()
            self._table.position()
            narrator.note(translate(HOW))
        await self._play_in(room)

    async def _begun(self, room: Room) -> None:
        while self._table.room is room and self._table.latest is None:
            await self._orders.client.next_of(self._table.news)

    async def _play_in(self, room: Room) -> None:
        narrator = self._orders.narrator

        def our_turn() -> bool:
            return self._table.room is room and self._table.own_turn is not None

        async def play(move: str) -> View:
            try:
                await self._orders.play(move)
            except Refused as refused:
                narrator.refused(refused)
            return self._table.position().view

        def show_map(_: View) -> None:
            if not narrator.display.boards and not narrator.display.quiet:
                narrator.show_board(room, self._table.position())

        view = self._table.position().view
        await run(view, lambda prompt: self._ask(prompt, our_turn), play, show_map)


async def _number(prompt: str, most: int, ask: Ask, letters: Letters) -> int:
    while True:
        entry = (await ask(prompt)).strip().lower()
        if entry.isalpha() and (meant := letters(entry)) is not None:
            return meant
        if entry.isascii() and entry.isdigit() and len(entry) < 4 and 1 <= int(entry) <= most:
            return int(entry)
