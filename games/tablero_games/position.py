"""The contract between the rules of a game and the code that uses them.

Law: a position is a frozen value, and every method is a pure function of it. The same start and turns give
the same game, on every machine and in every version.
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
"""The ways in which a game can end by a decision from outside its rules, besides a withdrawal."""
ADJUDICATIONS: dict[Adjudication, tuple[str, ...]] = {
    "draw": ("agreed", "claimed"),
    "aborted": ("away", "left", "noFirstMove", "kicked", "closed"),
}
"""The possible reasons for each of these ways."""
Counts: TypeAlias = Literal["all", "own", "none"]
"""The moves that the ply of a turn counts, so that an old turn can't be played in another position."""


class Wording(Protocol):
    """A function that puts fields into an English sentence, or into its translation."""

    def __call__(self, sentence: str, /, **fields: Json) -> str: ...


def in_english(sentence: str, /, **fields: Json) -> str:
    return sentence.format(**fields) if fields else sentence


class NoFieldFound(Exception):
    """Raised by `Game.prepare` if it found nothing in time, or if these options are impossible."""


class BrokenGame(ImportError):
    """Raised if a game of an installed package cannot be loaded, or its name is taken. The text says which
    game, and why.
    """


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. "loss": all seats lose, for example by a mine in a solo game. "aborted": the game
    counts for nobody.
    """

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
    """The state of a game: a frozen value, compared by content."""

    @property
    def to_move(self) -> frozenset[Seat]:
        """The seats that may move: one in a turn game, several in a race, none when the game is over."""
        ...

    @property
    def playing(self) -> frozenset[Seat]:
        """The seats that are still in the game, whether it is their turn or not. They may withdraw, and must
        agree to a draw.
        """
        ...

    @property
    def outcome(self) -> Outcome | None: ...

    def legal_moves(self, seat: Seat) -> Sequence[str]:
        """Every move that `play` now accepts from `seat`, in a fixed order and in canonical spelling."""
        ...

    def play(self, seat: Seat, move: str) -> Self:
        """The position after `move`; case and spaces of `move` don't matter. Raises IllegalMove."""
        ...

    def canonical(self, move: str) -> str:
        """The spelling of `move` in `legal_moves`. Raises IllegalMove if it is not a move."""
        ...

    def withdraw(self, seat: Seat, reason: Reason) -> Self:
        """The position without `seat`, which leaves the game. Raises IllegalMove if the game is over or the
        seat is out.
        """
        ...

    def adjudicate(self, kind: Adjudication, reason: str) -> Self:
        """The position after an end from outside the rules, for a reason of ADJUDICATIONS. Raises IllegalMove
        if the game is over.
        """
        ...

    def view(self, seat: Seat | None) -> View:
        """The part of the position that `seat` may see, as JSON; for a watcher, `seat` is None."""
        ...


class Options(BaseModel):
    """The options of a game: camelCase on the wire, snake_case in Python."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True
    )


def never() -> bool:
    return False


def _literals(annotation: Any) -> list[Json]:
    """The values of a Literal type, also of an optional one."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [value for part in get_args(annotation) for value in _literals(part)]


class Game:
    """One game of the catalogue: its properties, and its first position, which knows the rules. A game must
    define `begin`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """A number that changes when the same log would give another game."""
    options: ClassVar[type[Options]] = Options
    hidden: ClassVar[bool] = False
    """Whether seats see different things. Otherwise `from_view(view) == position` for every view."""
    example_moves: ClassVar[Sequence[str]]
    """A few first moves, one of each kind, for a player who is new to the game."""
    word_moves: ClassVar[frozenset[str]] = frozenset()
    """All moves without a digit, such as "pass", so that a terminal does not take them for typing errors."""
    tables: ClassVar[Sequence[Mapping[str, Json]]] = ({},)
    """Options for tests of programs that play this game: the default ones, then small and unusual ones."""
    shows_marks: ClassVar[bool] = True
    """Whether a drawing shows the marks of the seats (drawing.py)."""
    needs_drawing: ClassVar[bool] = True
    """Whether the server sends `draw(view)` with each view, because the browser has no board for
    this game.
    """
    refusals: ClassVar[Mapping[str, str]] = {}
    """The reasons for which only this game refuses a move or an option, each with its sentence."""

    def __init_subclass__(cls) -> None:
        add_reasons(cls.refusals)

    def seats(self, options: Options) -> range:
        """The possible numbers of seats with these options; the first is the default."""
        return range(2, 3)

    def counts(self, options: Options) -> Counts:
        """The moves that a ply counts: all; only the seat's own, if several seats may move at once; or none.

        If none are counted, a legal move is accepted even if others have moved since it was chosen.
        """
        return "all"

    def together(self, options: Options) -> bool:
        """Whether all seats win or lose together."""
        return False

    def course(self, options: Options) -> str | None:
        """The name under which best times with these options are compared; None if they are not compared."""
        return None

    def told(self, position: Position, by: Seat, move: str, to: Seat | None) -> str | None:
        """The part of a move by `by` that `to` may learn now; None if `to` learns only that `by` moved. For a
        watcher, `to` is None.

        It is called only if something is hidden, and must not reveal more than the views: if two moves lead
        to the same view, a player who sees less than `by` gets the same text for both.
        """
        return move

    def one_seat_each(self, options: Options) -> bool:
        """Whether one person may hold only one seat, because a second seat would show what is hidden from the
        first.
        """
        return self.hidden

    def read_options(self, options: dict[str, Json]) -> Options:
        """The options as this game's model, with defaults. Raises BadOptions with the name of the
        bad option.
        """
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
        """Whether `prepare` has work to do with these options; quick to compute."""
        return False

    def count_seats(self, wanted: int | None, options: Options) -> int:
        """The number of seats: `wanted`, or the default if that is None. Raises BadOptions."""
        allowed = self.seats(options)
        if wanted is not None and wanted not in allowed:
            raise BadOptions("wrongSeats", "seats", game=self.title, allowed=list(allowed), seats=wanted)
        return allowed[0] if wanted is None else wanted

    def prepare(self, seed: int, options: Options, give_up: Callable[[], bool] = never) -> Json:
        """Computes the slow part of the start; None if there is no slow part.

        Equal seeds and options give equal results. The result is secret, like the seed. Raises NoFieldFound,
        also as soon as `give_up()` is true.
        """
        return None

    def start(
        self, seats: int | None = None, seed: int = 0, prepared: Json = None, **options: Json
    ) -> Position:
        """The first position. Raises BadOptions with the name of the option, or "seats"."""
        chosen = self.read_options(options)
        count = self.count_seats(seats, chosen)
        if prepared is None:
            return self.begin(count, seed, chosen)
        return self.begin_prepared(count, seed, chosen, prepared)

    def begin(self, seats: int, seed: int, options: Options) -> Position:
        raise NotImplementedError

    def begin_prepared(self, seats: int, seed: int, options: Options, prepared: Json) -> Position:
        """The first position, with the result of `prepare`."""
        return self.begin(seats, seed, options)

    def from_view(self, view: View) -> Position:
        """The position behind a view; only for games without hidden information."""
        raise NotImplementedError

    def legal_moves(self, view: View, seat: Seat) -> Sequence[str]:
        """The legal moves of `seat`, computed from its view."""
        return self.from_view(view).legal_moves(seat)

    def draw(self, view: View, style: Style = "unicode", say: Wording = in_english) -> str:
        """The board as text. Words below the board are translated by `say`."""
        raise NotImplementedError
