"""Making a table, as a form that shows only what is possible for the game that is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, get_args, get_origin

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tablero_games import GAMES

from ..brains import LEVEL_WORDS
from ..catalogue.speech import sentence, translate
from ..terminal.sentences import title_of
from ..terminal.who import level_of

_CLOCKS: Final = ("", "60+1", "180+2", "300+5", "900+10", "30/move", "3days")
_LABELS: Final[dict[str, str]] = {
    "game": sentence("Game"),
    "clock": sentence("Clock"),
    "opponent": sentence("Opponent"),
    "open": sentence("Who may come"),
    "rated": sentence("Rated"),
    "size": sentence("Size"),
    "walls": sentence("Walls"),
    "rows": sentence("Rows"),
    "columns": sentence("Columns"),
    "connect": sentence("In a line"),
    "level": sentence("Level"),
    "mode": sentence("Mode"),
    "noGuess": sentence("Without guessing"),
}
_VALUES: Final[dict[str, str]] = {
    "solo": sentence("alone"),
    "race": sentence("a race"),
    "coop": sentence("together"),
    "private": sentence("who has the code"),
    "public": sentence("anybody"),
    "beginner": sentence("beginner"),
    "intermediate": sentence("intermediate"),
    "person": sentence("whoever comes"),
    "yes": sentence("yes"),
    "no": sentence("no"),
}
_LEFT_OUT: Final = {"width", "height", "mines", "firstDig"}
"""Options that are typed by those who want them."""


@dataclass
class Row:
    name: str
    values: list[str]
    at: int = 0

    @property
    def value(self) -> str:
        return self.values[self.at]


def rows_for(game: str) -> list[Row]:
    """What can be chosen for a game, each at what it is by default."""
    rules = GAMES[game]
    rows = []
    for name, field in rules.options.model_fields.items():
        alias = field.alias or name
        if alias in _LEFT_OUT:
            continue
        values = _values_of(field.annotation, field.metadata)
        default = _text(field.default)
        rows.append(Row(alias, values, values.index(default) if default in values else 0))
    rows.append(Row("clock", list(_CLOCKS)))
    rows.append(Row("opponent", ["person", *LEVEL_WORDS]))
    rows.append(Row("open", ["public", "private"]))
    rows.append(Row("rated", ["no", "yes"]))
    return rows


def _values_of(annotation: Any, metadata: list[Any]) -> list[str]:
    if annotation is bool:
        return ["no", "yes"]
    if annotation is int:
        least = next((each.ge for each in metadata if hasattr(each, "ge")), 0)
        most = next((each.le for each in metadata if hasattr(each, "le")), least + 9)
        return [str(number) for number in range(least, most + 1)]
    if get_origin(annotation) is Literal:
        return [str(value) for value in get_args(annotation)]
    inner = [value for part in get_args(annotation) for value in get_args(part)]
    return [str(value) for value in inner]


def _text(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)


def is_possible(row: Row, rows: list[Row]) -> bool:
    """Whether it can be chosen with what is chosen elsewhere."""
    chosen = {each.name: each.value for each in rows}
    if chosen.get("mode") == "solo":
        return row.name not in ("opponent", "clock", "rated")
    if row.name == "rated":
        return chosen.get("opponent") == "person" and "mode" not in chosen
    if row.name == "clock":
        return "mode" not in chosen
    return True


def line_for(game: str, rows: list[Row]) -> str:
    """As it is typed; what is as it is by default is left out."""
    defaults = {row.name: row.value for row in rows_for(game)}
    words = ["create", game]
    for row in rows:
        if not is_possible(row, rows) or (row.value == defaults[row.name] and row.name != "level"):
            continue
        match row.name:
            case "open":
                words.append("private")
            case "opponent":
                words.append(f"bot={row.value}")
            case "rated":
                words.append("rated")
            case _:
                words.append(f"{row.name}={row.value}")
    return " ".join(words)


class Create(ModalScreen[str | None]):
    """The line by which the table is made; None: none."""

    DEFAULT_CSS = """
    Create { align: center middle; background: $background 60%; }
    Create > Vertical { width: 74; max-width: 98%; height: auto; background: $panel; padding: 1 2; }
    Create .title { text-style: bold; color: $accent; }
    Create #rows { margin: 1 0; }
    Create .keys { color: $foreground 70%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "walk(-1)", show=False),
        Binding("down,j,tab", "walk(1)", show=False),
        Binding("left,h,minus", "change(-1)", show=False),
        Binding("right,l,plus,space", "change(1)", show=False),
        Binding("enter", "create", show=False),
        Binding("escape,q", "give_up", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games = list(GAMES)
        self._game = 0
        self._rows = rows_for(self.game)
        self._at = 0

    @property
    def game(self) -> str:
        return self._games[self._game]

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(translate("Make a table"), classes="title", markup=False)
            yield Static(id="rows")
            keys = translate("Up and down: what; left and right: change it; Enter makes the table.")
            yield Static(keys, classes="keys", markup=False)

    def on_mount(self) -> None:
        self._show()

    def _possible(self) -> list[Row]:
        game = Row("game", [title_of(game) for game in self._games], self._game)
        return [game, *(row for row in self._rows if is_possible(row, self._rows))]

    def _show(self) -> None:
        rows = self._possible()
        self._at = min(self._at, len(rows) - 1)
        width = max(len(translate(_LABELS.get(row.name, row.name))) for row in rows)
        lines = []
        for at, row in enumerate(rows):
            label = translate(_LABELS.get(row.name, row.name))
            here = at == self._at
            text = f"{'>' if here else ' '} {label:<{width}}  < {shown(row)} >"
            lines.append(Content.styled(text, "bold $accent" if here else ""))
        self.query_one("#rows", Static).update(Content("\n").join(lines))

    def action_walk(self, by: int) -> None:
        self._at = (self._at + by) % len(self._possible())
        self._show()

    def action_change(self, by: int) -> None:
        row = self._possible()[self._at]
        at = (row.at + by) % len(row.values)
        if row.name == "game":
            self._game = at
            self._rows = rows_for(self.game)
        else:
            row.at = at
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
        self.dismiss(line_for(self.game, self._rows))

    def action_give_up(self) -> None:
        self.dismiss(None)


def shown(row: Row) -> str:
    """What a value is called."""
    if row.name == "clock" and not row.value:
        return translate("none")
    if row.name in ("opponent", "level") and row.value not in _VALUES:
        return level_of(row.value)
    return translate(_VALUES[row.value]) if row.value in _VALUES else row.value
