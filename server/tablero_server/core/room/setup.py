"""The plan of a room that is to be opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablero_games import GAMES, BadOptions
from tablero_games.position import Game, Json, Options
from tablero_protocol.messages import Clock

from ..refusal import ByTheRules, Message, Refusal
from .clock import Terms


@dataclass(frozen=True, slots=True)
class Plan:
    game: Game
    options: Options
    seats: int
    private: bool
    watchers: bool
    """Whether players may join to watch."""
    clock: Terms | None
    seed: int
    rated: bool = False
    won: Mapping[str, int] | None = None
    """The games that each player has won in the earlier games of a series of rematches."""

    def to_json(self) -> Message:
        """The plan as it is stored in entry 0 of the room."""
        plan: Message = {
            "game": self.game.name,
            "version": self.game.version,
            "options": options_json(self.options),
            "seats": self.seats,
            "private": self.private,
            "watchers": self.watchers,
            "clock": self.clock,
            "rated": self.rated,
            "seed": f"{self.seed:x}",
        }
        return plan if self.won is None else {**plan, "won": dict(self.won)}


def options_json(options: Options) -> Message:
    """The options as they are stored in entries and sent in messages."""
    return options.model_dump(mode="json", by_alias=True, exclude_none=True)


def game_called(name: str) -> Game:
    game = GAMES.get(name)
    if game is None:
        raise Refusal("unknownGame", games=list(GAMES))
    return game


def clock_terms(clock: Clock | None, game: Game, options: Options) -> Terms | None:
    """The terms for this clock, as they are stored in the log. Raises Refusal if the game cannot have such a
    clock.
    """
    if clock is None:
        return None
    kinds = {"base": clock.base, "perMove": clock.per_move, "days": clock.days}
    terms = {kind: amount for kind, amount in kinds.items() if amount is not None}
    if len(terms) != 1 or (clock.increment and "base" not in terms):
        raise Refusal("oneKindOfClock")
    if game.counts(options) != "all" and (clock.increment or "base" not in terms):
        raise Refusal("commonClock")
    return {**terms, "increment": clock.increment} if "base" in terms else terms


def check_ratable(game: Game, options: Options, seats: int, clock: Terms | None, *, private: bool) -> None:
    """Refuses to rate a game that may never end, does not compare two players, or is private."""
    if seats != 2 or game.counts(options) != "all":
        raise Refusal("ratedInTurns")
    if options != game.read_options({}):
        raise Refusal("ratedAsUsual", game=game.title)
    if private:
        raise Refusal("ratedInPublic")
    if clock is None:
        raise Refusal("ratedByTheClock")


def read_options(game: Game, given: Mapping[str, Json], seats: int | None) -> tuple[Options, int]:
    """The parsed options, and the number of seats."""
    try:
        options = game.read_options(dict(given))
        return options, game.count_seats(seats, options)
    except BadOptions as bad:
        raise ByTheRules(bad) from None
