"""The lines of the text protocol: what each one says, and how it is written.

Law: pure, and the same for both ends. A line that is not known, or does not make sense, is None and is
skipped; a word that is not known is skipped within its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

from tablero_games import Play, Seat
from tablero_protocol.text import clean

ResultKind: TypeAlias = Literal["win", "draw", "loss"]
Value: TypeAlias = str | int | bool
"""What an option may hold."""
Words: TypeAlias = list[str]
Line = TypeVar("Line")

_WHOLE_NUMBER = re.compile(r"-?\d{1,18}")


def word_of(move: str) -> str:
    """A move is one word on a line, whatever a server sends: the space in `dig c4` is written as a colon."""
    return clean(move).replace(" ", ":")


def move_of(word: str) -> str:
    return word.replace(":", " ")


# From the host


class HostWord(StrEnum):
    """Lines of one word."""

    UBGI = "ubgi"
    """Say who you are."""
    IS_READY = "isready"
    STOP = "stop"
    QUIT = "quit"


@dataclass(frozen=True)
class SetOption:
    name: str
    value: str

    def __str__(self) -> str:
        return f"setoption name {self.name} value {self.value}"


@dataclass(frozen=True)
class NewGame:
    """A game begins, and this is your seat."""

    game: str
    options: Mapping[str, Value]
    players: int
    seat: Seat

    def __str__(self) -> str:
        fields = {**self.options, "players": self.players, "seat": self.seat}
        return " ".join(["newgame", self.game, *(f"{name} {_written(fields[name])}" for name in fields)])


@dataclass(frozen=True)
class Moves:
    """The position, as the moves that led to it."""

    moves: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(["position startpos moves", *map(word_of, self.moves)])


@dataclass(frozen=True)
class Seen:
    """The position, as your seat may see it."""

    view: dict[str, Any]
    ply: int = 0
    last: tuple[Seat, str] | None = None
    """Who played the move before, and which."""

    @classmethod
    def of(cls, play: Play, seat: Seat) -> Seen:
        shown = play.shown_to(seat)
        last = shown.get("last", {})
        return cls(shown["view"], shown["ply"], (last["seat"], last["move"]) if "move" in last else None)

    def __str__(self) -> str:
        last = f" last {self.last[0]} {word_of(self.last[1])}" if self.last else ""
        return f"position ply {self.ply}{last} view {json.dumps(self.view, separators=(',', ':'))}"


@dataclass(frozen=True)
class Legal:
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(["legal", *map(word_of, self.moves)])


@dataclass(frozen=True)
class Go:
    """Think. Times are milliseconds."""

    movetime: int | None = None
    nodes: int | None = None
    clock: tuple[int, ...] | None = None
    """What each seat has left."""

    def __str__(self) -> str:
        words = ["go"]
        if self.clock is not None:
            words += ["clock", *map(str, self.clock)]
        for name in ("movetime", "nodes"):
            if (number := getattr(self, name)) is not None:
                words += [name, str(number)]
        return " ".join(words)


@dataclass(frozen=True)
class Result:
    """The game is over, and this is how it went for your seat."""

    kind: ResultKind
    reason: str

    def __str__(self) -> str:
        return f"result {self.kind} reason {self.reason}"


HostLine: TypeAlias = HostWord | SetOption | NewGame | Moves | Seen | Legal | Go | Result

# From the engine


class EngineWord(StrEnum):
    """Lines of one word."""

    UBGI_OK = "ubgiok"
    """That was all about me."""
    READY_OK = "readyok"


@dataclass(frozen=True)
class Id:
    """One thing about the engine: its name, its author, or the games that it plays."""

    what: str
    text: str

    def __str__(self) -> str:
        return f"id {self.what} {self.text}"


@dataclass(frozen=True)
class Option:
    """Something that `setoption` can change."""

    TYPES: ClassVar = ("spin", "check", "combo", "string")

    name: str
    type: str
    more: str = ""
    """Its default, and what else it may be."""

    def __str__(self) -> str:
        return f"option name {self.name} type {self.type} {self.more}".rstrip()


@dataclass(frozen=True)
class Info:
    """What it thinks, for people to read."""

    text: str

    def __str__(self) -> str:
        return f"info {self.text}"


@dataclass(frozen=True)
class BestMove:
    """The answer to `go`. Without a move it waits for the next turn, or resigns."""

    move: str | None
    resigns: bool = False

    def __str__(self) -> str:
        if self.move is not None:
            return f"bestmove {word_of(self.move)}"
        return "bestmove resign" if self.resigns else "bestmove none"


EngineLine: TypeAlias = EngineWord | Id | Option | Info | BestMove

# Reading


def read_host_line(text: str) -> HostLine | None:
    """What the host says; None if an engine skips it."""
    words = text.split()
    if words[:1] == ["position"]:
        return _position(text)
    if words and words[0] in HostWord.__members__.values():
        return HostWord(words[0])
    return _read(_FROM_HOST, words)


def read_engine_line(text: str) -> EngineLine | None:
    """What the engine says; None if a host skips it."""
    words = text.split()
    if words and words[0] in EngineWord.__members__.values():
        return EngineWord(words[0])
    return _read(_FROM_ENGINE, words)


def _read(known: Mapping[str, Callable[[Words], Line]], words: Words) -> Line | None:
    try:
        return known[words[0]](words[1:])
    except (LookupError, ValueError):
        return None


def _position(text: str) -> HostLine | None:
    head, seen, view = text.strip().partition(" view ")
    words = head.split()[1:]
    if not seen:
        return Moves(tuple(map(move_of, words[2:]))) if words[:1] == ["startpos"] else None
    said = {name: words[at + 1 :] for at, name in enumerate(words) if name in ("ply", "last")}
    try:
        last = (int(said["last"][0]), move_of(said["last"][1])) if "last" in said else None
        shown = json.loads(view)
        return Seen(shown, int(said.get("ply", ["0"])[0]), last) if isinstance(shown, dict) else None
    except (LookupError, ValueError, RecursionError):
        return None


def _set_option(words: Words) -> SetOption:
    at = words.index("value") if "value" in words else len(words)
    if words[:1] != ["name"] or at < 2:
        raise ValueError(words)
    return SetOption(" ".join(words[1:at]), " ".join(words[at + 1 :]))


def _new_game(words: Words) -> NewGame:
    game, fields = words[0], {name: _value(text) for name, text in _pairs(words[1:]).items()}
    players, seat = fields.pop("players"), fields.pop("seat")
    return NewGame(game, fields, int(players), int(seat))


def _go(words: Words) -> Go:
    at = words.index("clock") + 1 if "clock" in words else len(words)
    clock: list[int] = []
    while at < len(words) and _WHOLE_NUMBER.fullmatch(words[at]):
        clock.append(int(words[at]))
        at += 1
    limits = {name: int(words[words.index(name) + 1]) for name in ("movetime", "nodes") if name in words}
    return Go(**limits, clock=tuple(clock) or None)


def _result(words: Words) -> Result:
    [kind] = [kind for kind in get_args(ResultKind) if kind == words[0]]
    return Result(kind, _pairs(words[1:]).get("reason", ""))


def _id(words: Words) -> Id:
    return Id(words[0], " ".join(words[1:]))


def _option(words: Words) -> Option:
    at = words.index("type")
    if words[0] != "name" or at < 2 or words[at + 1] not in Option.TYPES:
        raise ValueError(words)
    return Option(" ".join(words[1:at]), words[at + 1], " ".join(words[at + 2 :]))


def _best_move(words: Words) -> BestMove:
    if words[0] in ("none", "resign"):
        return BestMove(None, resigns=words[0] == "resign")
    return BestMove(move_of(words[0]))


_FROM_HOST: dict[str, Callable[[Words], HostLine]] = {
    "setoption": _set_option,
    "newgame": _new_game,
    "legal": lambda words: Legal(tuple(map(move_of, words))),
    "go": _go,
    "result": _result,
}
_FROM_ENGINE: dict[str, Callable[[Words], EngineLine]] = {
    "id": _id,
    "option": _option,
    "info": lambda words: Info(" ".join(words)),
    "bestmove": _best_move,
}


def _pairs(words: Sequence[str]) -> dict[str, str]:
    return dict(zip(words[::2], words[1::2], strict=False))


def _value(text: str) -> Value:
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
