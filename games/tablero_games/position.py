"""The contract between the rules of a game and everything that plays by them.

Law: a position is a frozen value and every method a pure function of it. Same start and same turns give the
same game, on every machine, in every version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from .refusals import BadOptions, add_reasons

Seat: TypeAlias = int
Json: TypeAlias = Any
"""Any value that `json.dumps` accepts: dict, list, str, int, float, bool, None."""
View: TypeAlias = dict[str, Json]
Style: TypeAlias = Literal["ascii", "unicode", "emoji"]
Reason: TypeAlias = Literal["resign", "time", "gone", "claimed"]
"""The reason why a seat is out of the game."""
Adjudication: TypeAlias = Literal["draw", "aborted"]
"""The ways in which a game can end from outside its rules, besides a withdrawal."""
ADJUDICATIONS: dict[Adjudication, tuple[str, ...]] = {
    "draw": ("agreed", "claimed"),
    "aborted": ("away", "left", "noFirstMove", "kicked", "closed"),
}
"""The reasons that each has."""
Counts: TypeAlias = Literal["all", "own", "none"]
"""The moves that the ply of a turn counts, so that it never becomes a turn of another position."""


class Wording(Protocol):
    """Fills the fields into an English sentence, or into its translation."""

    def __call__(self, sentence: str, /, **fields: Json) -> str: ...


def in_english(sentence: str, /, **fields: Json) -> str:
    return sentence.format(**fields) if fields else sentence


class NoFieldFound(Exception):
    """`Game.prepare` gave up: nothing with these options was found in time, or there is nothing."""


class BrokenGame(ImportError):
    """A game of an installed package cannot be loaded, or its name is taken. The text says which, and why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. "loss": all lose (a mine in solo or coop). "aborted": the game counts for no one."""

    kind: Literal["win", "draw", "loss", "aborted"]
    winners: frozenset[Seat]
    reason: str
    scores: tuple[int, ...] | None = None
    ranking: tuple[tuple[Seat, ...], ...] | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "winners": sorted(self.winners),
            "reason": self.reason,
            "scores": None if self.scores is None else list(self.scores),
            "ranking": None if self.ranking is None else [list(group) for group in self.ranking],
        }

    @classmethod
    def from_json(cls, value: dict[str, Json]) -> Outcome:
        scores, ranking = value["scores"], value["ranking"]
        return cls(
            kind=value["kind"],
            winners=frozenset(value["winners"]),
            reason=value["reason"],
            scores=None if scores is None else tuple(scores),
            ranking=None if ranking is None else tuple(tuple(group) for group in ranking),
        )


class Position(Protocol):
    """The state of a game: a frozen value that compares by content."""

    @property
    def to_move(self) -> frozenset[Seat]:
        """The seats to move: one in a turn game, several in a race, none when it is over."""
        ...

    @property
    def playing(self) -> frozenset[Seat]:
        """The seats still in the game, to move or not: they may withdraw, and have a say in a draw."""
        ...

    @property
    def outcome(self) -> Outcome | None: ...

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        """Every move `play` accepts from `seat` now, in a fixed order, strictly written."""
        ...

    def play(self, seat: Seat, move: str) -> Self:
        """The position after `move`, which is read leniently (case, spaces). Raises IllegalMove."""
        ...

    def canonical(self, move: str) -> str:
        """The spelling of `move` that `legal_moves` would list. Raises IllegalMove if it is not a move."""
        ...

    def withdraw(self, seat: Seat, reason: Reason) -> Self:
        """Takes `seat` out of the game. Raises IllegalMove when the game is over or the seat is out."""
        ...

    def adjudicate(self, kind: Adjudication, reason: str) -> Self:
        """Ends the game from outside the rules, for a reason of ADJUDICATIONS. Raises IllegalMove when it is
        over."""
        ...

    def view(self, seat: Seat | None) -> View:
        """The part of the position that `seat` may see (None: a spectator), as JSON."""
        ...


class Options(BaseModel):
    """The options of a game; spelled in camelCase on the wire, snake_case in Python."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True
    )


def never() -> bool:
    return False


def _literals(annotation: Any) -> list[Json]:
    """The values of a Literal, also of one that may be None."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [value for part in get_args(annotation) for value in _literals(part)]


class Game:
    """One game of the catalogue: its facts, and its rules as a first position. A game fills in `begin`."""

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """Changes when the same log would give another game."""
    options: ClassVar[type[Options]] = Options
    hidden: ClassVar[bool] = False
    """Whether seats see different things. If not, `from_view(view) == position` for every view."""
    example_moves: ClassVar[Sequence[str]]
    """A few first moves, one of each kind, for a player who sees the game for the first time."""
    word_moves: ClassVar[frozenset[str]] = frozenset()
    """Every move without a digit, such as "pass": a terminal must not take them for typing errors."""
    tables: ClassVar[Sequence[Mapping[str, Json]]] = ({},)
    """Options to test programs with that play this game: the usual ones, then small and odd ones."""
    shows_marks: ClassVar[bool] = True
    """Whether a drawing shows the mark of each seat (drawing.py)."""
    needs_drawing: ClassVar[bool] = True
    """Whether a server sends `draw(view)` with each view: the browser has no board for this game."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """The game's own reasons to refuse a move or an option, each with its sentence."""

    def __init_subclass__(cls) -> None:
        add_reasons(cls.refusals)

    def seats(self, options: Options) -> range:
        """The possible numbers of seats with these options; the first is the default."""
        return range(2, 3)

    def counts(self, options: Options) -> Counts:
        """The moves that a ply counts: all, the seat's own if several may move at once, or none.

        If none count, a legal move is played whatever happened in between.
        """
        return "all"

    def together(self, options: Options) -> bool:
        """Whether all seats win or lose together."""
        return False

    def course(self, options: Options) -> str | None:
        """The name under which the times of those who master these options are compared, if they are."""
        return None

    def told(self, position: Position, by: Seat, move: str, to: Seat | None) -> str | None:
        """The part of a move of `by` that `to` (None: a spectator) may learn now; None: only that it moved.

        Called only if something is hidden. It says no more than the views: if two moves lead to the same
        view, a player who does not see what `by` sees gets the same text for both.
        """
        return move

    def one_seat_each(self, options: Options) -> bool:
        """Whether a person with two seats would know on one what is hidden from the other."""
        return self.hidden

    def read_options(self, options: dict[str, Json]) -> Options:
        """The options as this game's own model, defaults filled in. Raises BadOptions naming the bad one."""
        try:
            return self.options.model_validate(options)
        except ValidationError as error:
            raise self._bad_options(error.errors(include_url=False, include_input=False)[0]) from None

    def _bad_options(self, detail: ErrorDetails) -> BadOptions:
        aliases = {key: field.alias or key for key, field in self.options.model_fields.items()}
        name = str(detail["loc"][0]) if detail["loc"] else "options"
        kind, context, option = detail["type"], detail.get("ctx", {}), aliases.get(name, name)
        if kind == "extra_forbidden":
            return BadOptions("unknownOption", option, game=self.title, options=list(aliases.values()))
        if kind == "bad_value":
            return BadOptions(context["reason"], option, **context["fields"])
        if kind == "greater_than_equal":
            return BadOptions("tooSmall", option, least=context["ge"])
        if kind == "less_than_equal":
            return BadOptions("tooLarge", option, most=context["le"])
        if kind == "literal_error":
            key = next(key for key in aliases if option in (key, aliases[key]))
            return BadOptions("notAmong", option, values=_literals(self.options.model_fields[key].annotation))
        if kind == "int_type":
            return BadOptions("notWhole", option)
        return BadOptions("notTrueOrFalse" if kind == "bool_type" else "notAllowed", option)

    def needs_preparation(self, options: Options) -> bool:
        """Whether `prepare` makes something, which is quick to say."""
        return False

    def count_seats(self, wanted: int | None, options: Options) -> int:
        """The number of seats: `wanted`, or the default if that is None. Raises BadOptions."""
        allowed = self.seats(options)
        if wanted is not None and wanted not in allowed:
            raise BadOptions("wrongSeats", "seats", game=self.title, allowed=list(allowed), seats=wanted)
        return allowed[0] if wanted is None else wanted

    def prepare(self, seed: int, options: Options, give_up: Callable[[], bool] = never) -> Json:
        """Makes what `start` needs and takes long (None: nothing); the same for the same seed and options.

        It stays secret like the seed. Raises NoFieldFound, also as soon as `give_up()` is true.
        """
        return None

    def start(
        self, seats: int | None = None, seed: int = 0, prepared: Json = None, **options: Json
    ) -> Position:
        """The first position. Raises BadOptions naming the option, or "seats"."""
        chosen = self.read_options(options)
        count = self.count_seats(seats, chosen)
        if prepared is None:
            return self.begin(count, seed, chosen)
        return self.begin_prepared(count, seed, chosen, prepared)

    def begin(self, seats: int, seed: int, options: Options) -> Position:
        raise NotImplementedError

    def begin_prepared(self, seats: int, seed: int, options: Options, prepared: Json) -> Position:
        """Begins the game with what `prepare` made."""
        return self.begin(seats, seed, options)

    def from_view(self, view: View) -> Position:
        """The position behind a view; only for games without hidden information."""
        raise NotImplementedError

    def legal_moves(self, view: View, seat: Seat) -> Sequence[str]:
        """The moves that `seat` may play, computed from its view."""
        return self.from_view(view).legal_moves(seat)

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        """The board as text. What words there are below it are said by `say`."""
        raise NotImplementedError
