"""A client's knowledge of a game besides its rules: its board, how its moves are typed, and so on.

Law: all of it is optional. A game has it as `CLIENT_GAME` in the module here that is named like the game; one
without a module is shown by the drawing of its rules, and its moves are typed as the rules write them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tablero_games import GAMES, Seat
from tablero_games.play import Play
from tablero_games.position import View

from ..catalogue.speech import sentence

if TYPE_CHECKING:
    from ..table_view.board import Board


def _nothing(view: View, seat: Seat) -> str:
    return ""


Ask: TypeAlias = Callable[[str], Awaitable[str]]
"""Shows a question and gives the line that was typed."""


@dataclass(frozen=True)
class Menu:
    """A numbered menu for a game, for the line mode."""

    choose_options: Callable[[Ask], Awaitable[Mapping[str, Any]]]
    """Asks for the options of a new table for one."""
    run: Callable[[View, Ask, Callable[[str], Awaitable[View]], Callable[[View], None]], Awaitable[View]]
    """Asks for move after move until the game is over; is given what plays one, and what shows a view."""


Hand: TypeAlias = Literal["mouse", "touch", "keys"]
"""The way in which moves are entered: in a browser by mouse or by touch, in a terminal by keys."""


@dataclass(frozen=True)
class Lesson:
    """A position in which one move is asked for, so that a person learns a rule by playing it, on seat 0."""

    told: str
    """The rule."""
    asked: str
    praised: str
    """The answer to a right move,"""
    otherwise: str = sentence("That is a legal move, but not the one asked for. Try again.")
    """and to another legal one."""
    right: str = ".*"
    """A pattern for the legal moves that do what is asked."""
    by: Mapping[Hand, str] = field(default_factory=dict)
    """How to enter such a move."""
    moves: Sequence[str] = ()
    """The moves that lead to the position,"""
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    """from the start of a game with these options and this seed."""

    def begin(self, game: str) -> Play:
        rules = GAMES[game]
        play = Play.begin(rules, seed=self.seed, options=self.options)
        for move in self.moves:
            play = play.turn(play.to_move[0], move)
        return play

    def is_right(self, move: str) -> bool:
        return re.fullmatch(self.right, move) is not None


MOST_LESSONS = 6


def _as_typed(text: str, view: View | None) -> str:
    return text.strip()


@dataclass(frozen=True)
class ClientGame:
    board: type[Board] | None = None
    """None: use the drawing of the rules."""
    read_move: Callable[[str, View | None], str] = _as_typed
    """The move that is meant by what is typed in a position, if that is known. The server is the judge."""
    by_digit: bool = False
    """Whether a digit is a whole move, so that pressing its key plays it."""
    keys: frozenset[str] = frozenset()
    """Actions on its board besides moves: "flag", "chord", "unknown", "switch", "rotate", "turn"."""
    hint: str = ""
    """The aim of the game, in a few words of the catalogue."""
    lessons: Sequence[Lesson] = ()
    """How the game is played, in at most MOST_LESSONS; the last one tells how to enter moves."""
    levels: frozenset[str] = frozenset()
    """The levels of bots to choose from besides those that every game has."""
    alone: Mapping[str, str] = field(default_factory=dict)
    """The values of its option `level` for playing alone, with their descriptions."""
    against: Mapping[str, str] = field(default_factory=dict)
    """The options of a table at which two play against each other, where the usual ones are for one."""
    side: Callable[[View, Seat], str | None] = _nothing
    """A line about one seat, if any; None if there is only one side."""
    progress: Callable[[View], str] | None = None
    """A line about the progress of the game."""
    unseen: Callable[[View, Seat, str, Callable[[str], str]], str] | None = None
    """The line for a hidden move, from the view, seat, name, and the reason why a seat is out."""
    why: Callable[[View, Mapping[str, Any]], str | None] | None = None
    """Why the game ended as it did, from the view and the outcome, where that says more than the reason."""
    menu: Menu | None = None
    emoji_columns: Callable[[View], int] | None = None
    """Columns that its drawing in emoji takes; None if emoji are only for its marks."""


NOTHING_KNOWN = ClientGame()


@lru_cache(maxsize=100)
def client_game(game: str) -> ClientGame:
    """Return the client's knowledge of a game; the name may be any word that a server sends."""
    found: ClientGame = getattr(own_module(__name__, game), "CLIENT_GAME", NOTHING_KNOWN)
    return found


def own_module(package: str, game: str) -> ModuleType | None:
    """The module of a game in a package that has one for some games."""
    if game not in GAMES:
        return None
    name = f"{package}.{game.replace('-', '_')}"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
