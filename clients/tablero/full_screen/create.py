"""The form for a new table: rows of values, of which only possible combinations are shown.

Law: every possible choice is valid.
"""

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
from tablero_protocol.messages import RATED_CLOCK

from ..catalogue.speech import sentence, translate
from ..playing.orders import NewTable
from ..playing.sentences import clock_of, title_of
from ..playing.who import level_of
from ..playing.words import read_clock, read_value
from .computer import levels_of

_ABOVE = 3
"""Number of lines above the first row."""


class Create(ModalScreen[NewTable | None]):
    """The form for a new table. Returns the table to create, or None."""

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
            yield Static(translate("Create a table"), classes="title", markup=False)
            yield Static(id="rows")
            keys = translate("Up and down: option; left and right: value; Enter: create the table.")
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
        """Choose the line under the mouse. A second click changes its value."""
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


_CLOCKS: Final = ("", "60+1", "180+2", "300+5", "900+10", "30/move", "3days")
_RATED_CLOCK: Final = clock_of(RATED_CLOCK)
_CLOCKS_FOR_ALL: Final = ("", "60", "180", "300", "900")
"""Clocks of games in which several players move at once."""
OWN: Final = "own"
"""The level of a minefield with its own width, height and number of mines."""
_MEASURES: Final = ("width", "height", "mines")
LABELS: Final[dict[str, str]] = {
    "game": sentence("Game"),
    "clock": sentence("Clock"),
    "opponent": sentence("Opponent"),
    "open": sentence("Who may join"),
    "watchers": sentence("Watchers"),
    "rated": sentence("Rated"),
    "seat": sentence("Your seat"),
    "seats": sentence("Seats"),
    "size": sentence("Size"),
    "walls": sentence("Walls"),
    "rows": sentence("Rows"),
    "columns": sentence("Columns"),
    "connect": sentence("In a line"),
    "level": sentence("Level"),
    "mode": sentence("Mode"),
    "noGuess": sentence("Without guessing"),
    "firstDig": sentence("Safe start"),
    "width": sentence("Width"),
    "height": sentence("Height"),
    "mines": sentence("Mines"),
}
_VALUES: Final[dict[str, str]] = {
    "solo": sentence("alone"),
    "race": sentence("a race"),
    "coop": sentence("together"),
    "private": sentence("Anyone with the link"),
    "public": sentence("Anyone in the lobby"),
    "beginner": sentence("beginner"),
    "intermediate": sentence("intermediate"),
    OWN: sentence("custom"),
    "zone": sentence("the cell and its neighbours"),
    "cell": sentence("only the cell"),
    "person": sentence("anyone"),
    "yes": sentence("yes"),
    "no": sentence("no"),
}
_SEATS: Final[dict[str, str]] = {
    "0": sentence("you move first"),
    "1": sentence("your opponent moves first"),
    "none": sentence("you watch"),
}


@dataclass
class Row:
    name: str
    values: list[str]
    at: int = 0

    @property
    def value(self) -> str:
        return self.values[self.at]

    def put(self, value: str) -> None:
        if value not in self.values:
            self.values.append(value)
        self.at = self.values.index(value)


class Form:
    """The choices for a table of one game. Each row starts at its default."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.rows = _option_rows(game)
        self._options = [row.name for row in self.rows]
        """The options of the game, by name."""
        if self._is_for_several:
            self["level"].values.append(OWN)
            self.rows.append(Row("seats", [str(count) for count in range(2, 9)]))
        self.rows.append(Row("clock", list(_CLOCKS)))
        self.rows.append(Row("opponent", ["person", *levels_of(game)]))
        self.rows.append(Row("seat", list(_SEATS)))
        self.rows.append(Row("open", ["public", "private"]))
        self.rows.append(Row("watchers", ["yes", "no"]))
        self.rows.append(Row("rated", ["no", "yes"]))
        self._defaults = {row.name: row.value for row in self.rows}

    def __getitem__(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)

    @property
    def _is_for_several(self) -> bool:
        """Whether the game has modes in which several people play at once."""
        return "mode" in self._options

    @property
    def _is_for_one(self) -> bool:
        return self._is_for_several and self["mode"].value == "solo"

    def possible_rows(self) -> list[Row]:
        return [row for row in self.rows if self._is_possible(row)]

    def _is_possible(self, row: Row) -> bool:
        """Whether the row is possible with the values of the other rows."""
        match row.name:
            case "width" | "height" | "mines":
                return self["level"].value == OWN
            case "clock" | "seat" | "seats":
                return not self._is_for_one
            case "rated":
                return (
                    self["opponent"].value == "person" and self["open"].value == "public" and self._is_usual
                )
        return True

    @property
    def _is_usual(self) -> bool:
        """Whether this is a game for one player whose options all have their defaults."""
        return not self._is_for_several and not any(map(self._is_changed, self._options))

    def _is_changed(self, name: str) -> bool:
        return self[name].value != self._defaults[name]

    @property
    def _is_rated(self) -> bool:
        rated = self["rated"]
        return rated.value == "yes" and self._is_possible(rated)

    def possible_values(self, row: Row) -> list[str]:
        """The values of a row that are possible with the values of the other rows."""
        match row.name:
            case "clock" if self._is_for_several:
                return list(_CLOCKS_FOR_ALL)
            case "clock" if self._is_rated:
                return [clock for clock in _CLOCKS if clock]
            case "seat" if self._is_for_several:
                return ["0", "none"]
            case "connect":
                most = max(int(self["columns"].value), int(self["rows"].value))
            case "mines":
                width, height = int(self["width"].value), int(self["height"].value)
                free = min(3, width) * min(3, height) if self["firstDig"].value == "zone" else 1
                most = max(width * height - free, 0)
            case _:
                return row.values
        return [value for value in row.values if int(value) <= most]

    def change(self, row: Row, by: int) -> None:
        """Change a row to its next possible value; the first follows the last. Other rows are adjusted."""
        values = self.possible_values(row)
        here = values.index(row.value) if row.value in values else 0
        there = (here + by) % len(values) if abs(by) == 1 else min(max(here + by, 0), len(values) - 1)
        row.put(values[there])
        for other in self.rows:
            if other is not row and other.value not in (values := self.possible_values(other)):
                other.put(_instead(other, values))

    def table(self) -> NewTable:
        """The chosen table, without options that have their defaults."""
        chosen = {row.name: row.value for row in self.possible_rows() if self._is_told(row)}
        opponent, seat, clock = chosen.get("opponent"), chosen.get("seat", "0"), chosen.get("clock")
        return NewTable(
            game=self.game,
            options={name: read_value(value) for name, value in chosen.items() if name in self._options},
            seats=int(chosen["seats"]) if "seats" in chosen else None,
            private="open" in chosen,
            watchers="watchers" not in chosen,
            rated="rated" in chosen,
            clock=read_clock(clock) if clock else None,
            seat=None if seat == "none" else int(seat),
            level=opponent,
        )

    def _is_told(self, row: Row) -> bool:
        return row.value != OWN and (row.name in ("level", *_MEASURES) or self._is_changed(row.name))

    def shown(self, row: Row) -> str:
        """The name of the row's value."""
        if row.name == "clock" and not row.value:
            return translate("none")
        if row.name == "seat":
            own = self._is_for_several and row.value == "0"
            return translate("you play") if own else translate(_SEATS[row.value])
        if row.name == "opponent" and row.value == "person" and self._is_for_one:
            return translate("you play")
        if row.name in ("opponent", "level") and row.value not in _VALUES:
            return level_of(row.value)
        return translate(_VALUES[row.value]) if row.value in _VALUES else row.value


def _option_rows(game: str) -> list[Row]:
    """The options of the game, each at its default."""
    rows = []
    for name, field in GAMES[game].options.model_fields.items():
        values = _values_of(field.annotation, field.metadata)
        default = _text(field.default)
        rows.append(Row(field.alias or name, values, values.index(default) if default in values else 0))
    return rows


def _values_of(annotation: Any, metadata: list[Any]) -> list[str]:
    if annotation is bool:
        return ["no", "yes"]
    if annotation is int:
        least = next((each.ge for each in metadata if hasattr(each, "ge")), 0)
        most = next((each.le for each in metadata if hasattr(each, "le")), _MOST_OF_ALL)
        return [str(number) for number in range(least, most + 1)]
    if get_origin(annotation) is Literal:
        return [str(value) for value in get_args(annotation)]
    inner = [value for part in get_args(annotation) for value in get_args(part)]
    return [str(value) for value in inner]


_MOST_OF_ALL = 2_500
"""Maximum number of mines: the cells of the largest field."""


def _text(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)


def _instead(row: Row, values: list[str]) -> str:
    """The value that replaces one that is no longer possible."""
    if row.name == "clock" and _RATED_CLOCK in values:
        return _RATED_CLOCK
    return values[-1] if row.name in ("connect", "mines") else values[0]
