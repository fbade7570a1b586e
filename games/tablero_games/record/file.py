"""A game, running or finished, as one portable file: lines of JSON for its start, each turn, and its end.

Law: `write` has exactly one text for a game, and `read` accepts no other, to the last byte. Hidden
information of a game is written only together with its outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from ..position import Game, Json, Options, Outcome, Reason
from ..refusals import as_shown, filled
from .commitment import canonical, commitment, opening
from .complaints import sentence_about

FORMAT: Literal["tablero-record/1"] = "tablero-record/1"

_MOST_BRACKETS = 100
"""The limit for one line. A record has few brackets, and JSON parsers fail on too many."""
_OF_THE_CLOCK = {"paused", "continued", "added_time"}
_DEEDS = ("move", "withdrew", "took_back", "drawn", "aborted", *sorted(_OF_THE_CLOCK))


class Invalid(ValueError):
    """Raised for text that is not a record: `line`, counted from 1, is wrong.

    `board` is a drawing of the position before a wrong turn. `complaint` names the mistake, and `reason` is
    its English sentence with the `fields` filled in.
    """

    def __init__(self, line: int, complaint: str, board: str = "", /, **fields: Json) -> None:
        self.line = line
        self.complaint = complaint
        self.fields = fields
        self.reason = filled(sentence_about(complaint), fields)
        super().__init__(f"line {line}: {self.reason}")
        self.board = board


class _Line(BaseModel):
    """The fields of a line in their written order, without those that are None."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True
    )


class Header(_Line):
    """The first line of a record."""

    format: Literal["tablero-record/1"] = FORMAT
    game: str
    version: int = Field(ge=0, le=2**53)
    """The version of the game's rules."""
    options: dict[str, Json]
    """All options, as they are hashed for a commitment."""
    seats: int
    names: list[str | None]
    seed: str | None = None
    """The seed in hexadecimal; None in games with hidden information."""
    commitment: str | None = None
    """The commitment of a game with hidden information."""
    clock: dict[str, int] | None = None
    room: str | None = None
    epoch: str | None = None
    started: int | None = None


class RecordedTurn(_Line):
    """A line for each turn: a move, or another event that changed the position or its clocks.

    In a sealed record the move may be missing.
    """

    seat: int | None = None
    move: str | None = None
    withdrew: Reason | None = None
    took_back: int | None = None
    """The number of moves that were undone."""
    drawn: Literal[True, "claimed"] | None = None
    """True for a draw by agreement."""
    aborted: Literal["away", "left", "noFirstMove", "kicked", "closed"] | None = None
    paused: int | None = Field(None, ge=1)
    """The longest time of an agreed pause, in milliseconds; no clock runs."""
    continued: Literal[True] | None = None
    """The end of a pause."""
    added_time: int | None = Field(None, ge=1)
    """The milliseconds that this seat gave to each rival."""
    at: int = Field(ge=0, le=2**53)
    """Milliseconds since the start."""
    clocks: list[int] | None = None
    lag: int | None = Field(None, ge=1)
    """The milliseconds that were given back for a slow line."""

    @property
    def deeds(self) -> list[str]:
        """The names of the events on this line: one, or none if the move is hidden."""
        return [name for name in _DEEDS if getattr(self, name) is not None]

    @property
    def leaves_position(self) -> bool:
        """Whether this line changes only the clocks."""
        return not _OF_THE_CLOCK.isdisjoint(self.deeds)


class Closing(_Line):
    """The last line: the outcome, if the game is over, and then all hidden information."""

    outcome: dict[str, Json] | None = None
    salt: str | None = None
    seed: str | None = None
    prepared: Json = None


@dataclass(frozen=True, kw_only=True)
class Played:
    """The contents of a record."""

    game: Game
    options: Options
    names: Sequence[str | None]
    """The names of the players, by seat."""
    seed: int
    turns: Iterable[RecordedTurn]
    outcome: Outcome | None
    """The outcome; None while the game runs."""
    prepared: Json = None
    clock: dict[str, int] | None = None
    room: str | None = None
    epoch: str | None = None
    started: int | None = None
    """Milliseconds since 1970. Like `room` and `epoch`, only for finding the game."""


@dataclass(frozen=True)
class Record:
    """A record with valid syntax. Whether its game follows the rules is not yet checked."""

    header: Header
    turns: list[RecordedTurn]
    closing: Closing

    @property
    def sealed(self) -> bool:
        """Whether information is still hidden, so that the moves can't be checked before the end."""
        return self.header.commitment is not None and self.closing.outcome is None

    @property
    def last_line(self) -> int:
        return len(self.turns) + 2


def write(played: Played) -> str:
    """The record as text; every line ends with a newline."""
    return "".join(lines(played))


def lines(played: Played) -> Iterator[str]:
    """The lines of the record. Each turn is taken from `played` only when its line is needed."""
    return _lines(_header(played), played.turns, _closing(played))


def read(text: str) -> Record:
    """Reads a record. Raises Invalid unless `write` would write exactly the same text."""
    *lines, rest = text.split("\n")
    if rest or len(lines) < 2:
        raise Invalid(max(1, len(lines) + bool(rest)), "breaksOff")
    header = _read(Header, 1, lines[0], "")
    turns = [_read(RecordedTurn, at, lines[at - 1], lines[at - 2]) for at in range(2, len(lines))]
    closing = _read(Closing, len(lines), lines[-1], lines[-2])
    for at, (line, right) in enumerate(zip(lines, _lines(header, turns, closing), strict=True), start=1):
        if f"{line}\n" != right:
            raise Invalid(at, "lineRewritten")
    return Record(header, turns, closing)


def _header(played: Played) -> Header:
    hidden = played.game.hidden
    return Header(
        game=played.game.name,
        version=played.game.version,
        options=json.loads(canonical(played.options)),
        seats=len(played.names),
        names=list(played.names),
        seed=None if hidden else f"{played.seed:x}",
        commitment=commitment(played.seed, played.options) if hidden else None,
        clock=played.clock,
        room=played.room,
        epoch=played.epoch,
        started=played.started,
    )


def _closing(played: Played) -> Closing:
    if played.outcome is None:
        return Closing()
    outcome = played.outcome.to_json()
    if not played.game.hidden:
        return Closing(outcome=outcome)
    return Closing(outcome=outcome, **opening(played.seed), prepared=played.prepared)


def _lines(header: Header, turns: Iterable[RecordedTurn], closing: Closing) -> Iterator[str]:
    """The lines, each with the hash of the line before. The last line also has its own hash."""
    line = _json(_fields(header))
    yield line
    for turn in turns:
        line = _json({**_fields(turn), "previous": _hash(line)})
        yield line
    last = {**_fields(closing), "previous": _hash(line)}
    yield _json({**last, "hash": _hash(_json(last))})


_Told = TypeVar("_Told", bound=_Line)


def _read(kind: type[_Told], at: int, line: str, previous: str) -> _Told:
    if line.count("[") + line.count("{") > _MOST_BRACKETS:
        raise Invalid(at, "lineTooNested")
    try:
        fields = json.loads(line)
    except ValueError:
        raise Invalid(at, "lineNotJson") from None
    if not isinstance(fields, dict):
        raise Invalid(at, "lineNoObject")
    if kind is Closing and fields.pop("hash", None) is None:
        raise Invalid(at, "notClosed")
    if kind is not Header and fields.pop("previous", None) != _hash(f"{previous}\n"):
        raise Invalid(at, "lineChanged", before=at - 1)
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    if field == "format":
        raise Invalid(at, "otherFormat", format=FORMAT)
    complaint = {"missing": "lineLacks", "extra_forbidden": "lineUnknownField"}.get(first["type"])
    raise Invalid(at, complaint or "lineWrongField", field=as_shown(field))


def _fields(line: _Line) -> dict[str, Json]:
    return {to_camel(name): value for name, value in line if value is not None}


def _json(fields: dict[str, Json]) -> str:
    return json.dumps(fields, separators=(",", ":")) + "\n"


def _hash(line: str) -> str:
    return sha256(line.encode("utf-8", "surrogatepass")).hexdigest()
