"""The options of a Minesweeper room: a level or custom size, the mode, and the opening."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ..position import Options
from ..refusals import bad_value

Level: TypeAlias = Literal["beginner", "intermediate", "expert"]
Mode: TypeAlias = Literal["solo", "race", "coop"]

LEVELS: Final[dict[str, dict[str, int]]] = json.loads(
    files(__package__).joinpath("minesweeper_levels.json").read_text(encoding="utf-8")
)
_MEASURES = {name.lower(): measures for name, measures in LEVELS.items()}


class MinesweeperOptions(Options):
    """Options of Minesweeper. A `level` sets width, height and mines; without a level each can be chosen."""

    level: Level | None = None
    mode: Mode = "solo"
    first_dig: Literal["zone", "cell"] = "zone"
    """The cells without a mine: the first dug cell and its neighbours, or only that cell."""
    no_guess: bool = False
    width: int = Field(_MEASURES["beginner"]["width"], ge=1, le=50)
    height: int = Field(_MEASURES["beginner"]["height"], ge=1, le=50)
    mines: int = Field(_MEASURES["beginner"]["mines"], ge=0, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def fill_in_the_level(cls, options: Any) -> Any:
        level = options.get("level")
        if level is None and not options.keys() & {"width", "height", "mines"}:
            level = "beginner"
        measures = _MEASURES.get(level, {}) if isinstance(level, str) else {}
        return measures | options | {"level": level}

    @field_validator("width", "height", "mines")
    @classmethod
    def fits_the_level(cls, value: int, others: ValidationInfo) -> int:
        level, name = others.data.get("level"), str(others.field_name)
        if level and value != _MEASURES[level][name]:
            raise bad_value("againstLevel", level=level, value=_MEASURES[level][name])
        return value

    @field_validator("mines")
    @classmethod
    def fit_the_field(cls, mines: int, others: ValidationInfo) -> int:
        width, height = others.data.get("width"), others.data.get("height")
        if width and height:
            free = min(3, width) * min(3, height) if others.data.get("first_dig") == "zone" else 1
            most = width * height - free
            if mines > most:
                raise bad_value("tooManyMines", width=width, height=height, most=most)
        return mines
