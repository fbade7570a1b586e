"""The page for a game against the computer: the game, and the strength of the computer.

Law: one key starts a game, and every choice has a line that explains it.
"""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from tablero_games import GAMES

from ..brains import LEVEL_WORDS, bundled
from ..catalogue.speech import sentence, translate
from ..games import client_game
from ..playing.orders import NewTable
from ..playing.sentences import title_of
from ..playing.who import level_of
from .dialogs import Choice, option

REMARKS: Final[dict[str, str]] = {
    "easy": sentence("for a first game"),
    "normal": sentence("sees wins and threats one move ahead"),
    "hard": sentence("plays well and plans ahead"),
    "expert": sentence("as strong as the computer can play"),
}
_SIZES: Final[dict[str, str]] = {
    "beginner": sentence("beginner"),
    "intermediate": sentence("intermediate"),
    "expert": sentence("expert"),
}


def levels_of(game: str) -> list[str]:
    """The levels to choose from, weakest first."""
    levels, offered = bundled()[game], {*LEVEL_WORDS, *client_game(game).levels}
    return [level for level in levels if level in offered] or list(levels)


def tables(game: str) -> list[NewTable]:
    """The tables to choose from, easiest first. Without a bot's level the person plays alone."""
    known, words = client_game(game), levels_of(game)
    alone = [NewTable(game=game, options={"level": level}) for level in known.alone]
    return [*alone, *(NewTable(game=game, options=dict(known.against), level=level) for level in words)]


def remark(table: NewTable) -> str:
    known = client_game(table.game)
    if table.level is None:
        return translate(known.alone[table.options["level"]])
    said = translate(REMARKS.get(table.level, bundled()[table.game][table.level].about))
    return translate("a race: {remark}", remark=said) if known.against.get("mode") == "race" else said


class Computer(ModalScreen[NewTable | None]):
    DEFAULT_CSS = """
    Computer { align: center middle; background: $background 60%; }
    Computer > Vertical { width: 70; max-width: 98%; height: auto; background: $panel; padding: 1 2; }
    Computer .title { text-style: bold; color: $accent; }
    Computer OptionList { height: auto; max-height: 8; background: $panel; border: none; padding: 0; }
    Computer #level { margin-top: 1; text-style: bold; }
    Computer .keys { color: $foreground 70%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h,minus", "level(-1)", show=False),
        Binding("right,l,plus,tab", "level(1)", show=False),
        Binding("j", "walk(1)", show=False),
        Binding("k", "walk(-1)", show=False),
        Binding("escape,q", "give_up", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._level: dict[str, int] = dict.fromkeys(GAMES, 0)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(translate("Play the computer"), classes="title", markup=False)
            games = [Choice(game, title_of(game), translate(client_game(game).hint)) for game in GAMES]
            yield OptionList(*(option(choice, 16) for choice in games), markup=False)
            yield Static(id="level", markup=False)
            keys = translate("Up and down: game; left and right: level; Enter: play.")
            yield Static(keys, classes="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = 0
        self._show()

    @property
    def table(self) -> NewTable:
        games = list(GAMES)
        game = games[self.query_one(OptionList).highlighted or 0]
        return tables(game)[self._level[game]]

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        self._show()

    def on_option_list_option_selected(self, _: OptionList.OptionSelected) -> None:
        self.dismiss(self.table)

    def _show(self) -> None:
        table = self.table
        level = translate(_SIZES[table.options["level"]]) if table.level is None else level_of(table.level)
        line = f"< {level} >  {remark(table)}"
        self.query_one("#level", Static).update(Content(line))

    def action_level(self, by: int) -> None:
        game = self.table.game
        self._level[game] = min(max(self._level[game] + by, 0), len(tables(game)) - 1)
        self._show()

    def action_walk(self, by: int) -> None:
        games = self.query_one(OptionList)
        games.highlighted = min(max((games.highlighted or 0) + by, 0), len(GAMES) - 1)

    def action_give_up(self) -> None:
        self.dismiss(None)
