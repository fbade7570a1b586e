"""What can be chosen for a table: rows of values, of which those are shown that go together.

Law: whatever is chosen can be made, and it is made by the line that somebody would type for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

from tablero_games import GAMES
from tablero_protocol.messages import RATED_CLOCK

from ..brains import LEVEL_WORDS
from ..catalogue.speech import sentence, translate
from ..playing.setup_lines import clock_of
from ..playing.who import level_of

_CLOCKS: Final = ("", "60+1", "180+2", "300+5", "900+10", "30/move", "3days")
_RATED_CLOCK: Final = clock_of(RATED_CLOCK)
_CLOCKS_FOR_ALL: Final = ("", "60", "180", "300", "900")
"""Where several play at once."""
OWN: Final = "own"
"""The level of a minefield whose measures are chosen."""
_MEASURES: Final = ("width", "height", "mines")
_PEOPLE: Final = ("person", "private", "public")
LABELS: Final[dict[str, str]] = {
    "game": sentence("Game"),
    "clock": sentence("Clock"),
    "opponent": sentence("Opponent"),
    "open": sentence("Who may come"),
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
    "firstDig": sentence("Free at first"),
    "width": sentence("Width"),
    "height": sentence("Height"),
    "mines": sentence("Mines"),
}
_VALUES: Final[dict[str, str]] = {
    "solo": sentence("alone"),
    "race": sentence("a race"),
    "coop": sentence("together"),
    "private": sentence("who has the code"),
    "public": sentence("anybody"),
    "beginner": sentence("beginner"),
    "intermediate": sentence("intermediate"),
    OWN: sentence("one's own measures"),
    "zone": sentence("the cell and all around it"),
    "cell": sentence("the cell alone"),
    "person": sentence("whoever comes"),
    "yes": sentence("yes"),
    "no": sentence("no"),
}
_SEATS: Final[dict[str, str]] = {
    "0": sentence("you move first"),
    "1": sentence("the other moves first"),
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


def rows_for(game: str) -> list[Row]:
    """What can be chosen for a game, each at what it is by default."""
    rules = GAMES[game]
    rows = []
    for name, field in rules.options.model_fields.items():
        values = _values_of(field.annotation, field.metadata)
        default = _text(field.default)
        rows.append(Row(field.alias or name, values, values.index(default) if default in values else 0))
    if any(row.name == "mode" for row in rows):
        next(row for row in rows if row.name == "level").values.append(OWN)
        rows.append(Row("seats", [str(count) for count in range(2, 9)]))
    rows.append(Row("clock", list(_CLOCKS)))
    rows.append(Row("opponent", ["person", *LEVEL_WORDS]))
    rows.append(Row("seat", list(_SEATS)))
    rows.append(Row("open", ["public", "private"]))
    rows.append(Row("watchers", ["yes", "no"]))
    rows.append(Row("rated", ["no", "yes"]))
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
"""As many mines as the largest field has cells."""


def _text(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default)


def is_possible(row: Row, rows: Sequence[Row]) -> bool:
    """Whether it can be chosen with what is chosen elsewhere."""
    chosen = {each.name: each.value for each in rows}
    mode = chosen.get("mode")
    match row.name:
        case "width" | "height" | "mines":
            return chosen["level"] == OWN
        case "opponent" | "clock" | "seat":
            return mode != "solo"
        case "seats":
            return mode != "solo"
        case "rated":
            return chosen["opponent"] == "person" and chosen["open"] == "public" and _is_usual(rows)
    return True


def _is_rated(rows: Sequence[Row]) -> bool:
    return any(row.name == "rated" and row.value == "yes" and is_possible(row, rows) for row in rows)


def _is_usual(rows: Sequence[Row]) -> bool:
    """Whether the game is one for ratings, with all its options as they are by default."""
    names = {row.name for row in rows}
    options = names - {"clock", "opponent", "seat", "open", "watchers", "rated"}
    usual = {row.name: row.value for row in rows_for(_game_of(names))}
    return "mode" not in names and all(row.value == usual[row.name] for row in rows if row.name in options)


def _game_of(names: set[str]) -> str:
    """The game that has these rows."""
    return next(game for game in GAMES if {row.name for row in rows_for(game)} == names)


def possible_values(row: Row, rows: Sequence[Row]) -> list[str]:
    """Of all values those that go with what is chosen elsewhere."""
    chosen = {each.name: each.value for each in rows}
    match row.name:
        case "clock" if "mode" in chosen:
            return list(_CLOCKS_FOR_ALL)
        case "clock" if _is_rated(rows):
            return [clock for clock in _CLOCKS if clock]
        case "seat" if "mode" in chosen:
            return ["0", "none"]
        case "connect":
            most = max(int(chosen["columns"]), int(chosen["rows"]))
        case "mines":
            width, height = int(chosen["width"]), int(chosen["height"])
            free = min(3, width) * min(3, height) if chosen["firstDig"] == "zone" else 1
            most = max(width * height - free, 0)
        case _:
            return row.values
    return [value for value in row.values if int(value) <= most]


def change(row: Row, by: int, rows: Sequence[Row]) -> None:
    """To another value that is possible, from the last one on to the first; then the others follow."""
    values = possible_values(row, rows)
    here = values.index(row.value) if row.value in values else 0
    there = (here + by) % len(values) if abs(by) == 1 else min(max(here + by, 0), len(values) - 1)
    _put(row, values[there])
    for other in rows:
        if other is not row and other.value not in (values := possible_values(other, rows)):
            _put(other, _instead(other, values))


def _instead(row: Row, values: list[str]) -> str:
    """Which of its possible values comes in place of one that is possible no more."""
    if row.name == "clock" and _RATED_CLOCK in values:
        return _RATED_CLOCK
    return values[-1] if row.name in ("connect", "mines") else values[0]


def _put(row: Row, value: str) -> None:
    if value not in row.values:
        row.values.append(value)
    row.at = row.values.index(value)


def line_for(game: str, rows: Sequence[Row]) -> str:
    """As it is typed; what is as it is by default is left out."""
    defaults = {row.name: row.value for row in rows_for(game)}
    words = ["create", game]
    for row in rows:
        told = row.name in ("level", *_MEASURES) or row.value != defaults[row.name]
        if not is_possible(row, rows) or not told or row.value == OWN:
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


def shown(row: Row, rows: Sequence[Row]) -> str:
    """What a value is called."""
    if row.name == "clock" and not row.value:
        return translate("none")
    if row.name == "seat":
        several = any(each.name == "mode" for each in rows)
        return translate("you play") if several and row.value == "0" else translate(_SEATS[row.value])
    if row.name in ("opponent", "level") and row.value not in _VALUES:
        return level_of(row.value)
    return translate(_VALUES[row.value]) if row.value in _VALUES else row.value
