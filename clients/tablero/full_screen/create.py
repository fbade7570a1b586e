"""Making a table, as a form that shows only what is possible for the game that is chosen."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tablero_games import GAMES

from ..catalogue.speech import translate
from ..playing.orders import NewTable
from ..playing.sentences import title_of
from .form_rows import LABELS, Form, Row

_ABOVE = 3
"""Lines above the first row."""


class Create(ModalScreen[NewTable | None]):
    """The table to open; None: none."""

    DEFAULT_CSS = """
    Create { align: center middle; background: $background 60%; }
    Create > Vertical {
        width: 74; max-width: 98%; height: auto; max-height: 100%; overflow-y: auto;
        background: $panel; padding: 1 2;
    }
    Create .title { text-style: bold; color: $accent; }
    Create #rows { margin: 1 0; }
    Create .keys { color: $foreground 70%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "walk(-1)", show=False),
        Binding("down,j,tab", "walk(1)", show=False),
        Binding("left,h,minus", "change(-1)", show=False),
        Binding("right,l,plus,space", "change(1)", show=False),
        Binding("pageup", "change(10)", show=False),
        Binding("pagedown", "change(-10)", show=False),
        Binding("enter", "create", show=False),
        Binding("escape,q", "give_up", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games = list(GAMES)
        self._form = Form(self._games[0])
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(translate("Make a table"), classes="title", markup=False)
            yield Static(id="rows")
            keys = translate("Up and down: what; left and right: change it; Enter makes the table.")
            yield Static(keys, classes="keys", markup=False)

    def on_mount(self) -> None:
        self._show()

    def _possible(self) -> list[Row]:
        game = Row("game", [title_of(game) for game in self._games], self._games.index(self._form.game))
        return [game, *self._form.possible_rows()]

    def _show(self) -> None:
        rows = self._possible()
        self._at = min(self._at, len(rows) - 1)
        width = max(len(translate(LABELS.get(row.name, row.name))) for row in rows)
        lines = []
        for at, row in enumerate(rows):
            label = translate(LABELS.get(row.name, row.name))
            here = at == self._at
            text = f"{'>' if here else ' '} {label:<{width}}  < {self._form.shown(row)} >"
            lines.append(Content.styled(text, "bold $accent" if here else ""))
        self.query_one("#rows", Static).update(Content("\n").join(lines))
        form = self.query_one(Vertical)
        form.scroll_to(y=self._at + _ABOVE - form.size.height // 2, animate=False)

    def action_walk(self, by: int) -> None:
        self._at = (self._at + by) % len(self._possible())
        self._show()

    def action_change(self, by: int) -> None:
        row = self._possible()[self._at]
        if row.name == "game":
            self._form = Form(self._games[(row.at + by) % len(self._games)])
        else:
            self._form.change(row, by)
        self._show()

    def on_click(self, event: Any) -> None:
        """A click on a line chooses it; one more changes it."""
        rows = self.query_one("#rows")
        at = event.screen_y - rows.region.y
        if rows.region.contains(event.screen_x, event.screen_y) and 0 <= at < len(self._possible()):
            if at == self._at:
                self.action_change(1)
            else:
                self._at = at
                self._show()

    def action_create(self) -> None:
        self.dismiss(self._form.table())

    def action_give_up(self) -> None:
        self.dismiss(None)
