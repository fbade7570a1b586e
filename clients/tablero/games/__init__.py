"""A client's knowledge of a game besides its rules: board, typed moves, lessons and so on.

Law: all of it is optional. A game has it as `CLIENT_GAME` in the module here with the game's name. A game
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
"""Function that shows a question and returns the typed line."""


@dataclass(frozen=True)
class Menu:
    """A numbered menu for a game, for the line mode."""

    choose_options: Callable[[Ask], Awaitable[Mapping[str, Any]]]
    """Function that asks for the options of a new table for one."""
    run: Callable[[View, Ask, Callable[[str], Awaitable[View]], Callable[[View], None]], Awaitable[View]]
    """Function that asks for moves until the game is over. Gets functions that play a move and show
    a view.
    """


Hand: TypeAlias = Literal["mouse", "touch", "keys"]
"""The way of entering moves: in a browser by mouse or by touch, in a terminal by keys."""


@dataclass(frozen=True)
class Lesson:
    """A position in which one move on seat 0 is asked for, so that a person learns a rule by playing."""

    told: str
    """The text of the rule."""
    asked: str
    praised: str
    """The answer to the right move."""
    otherwise: str = sentence("That is a legal move, but not the one asked for. Try again.")
    """The answer to any other legal move."""
    right: str = ".*"
    """A pattern for the right moves."""
    by: Mapping[Hand, str] = field(default_factory=dict)
    """The text about entering such a move, by hand."""
    moves: Sequence[str] = ()
    """The moves from the start to the position."""
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    """The seed of the game."""

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
    """The class of the board; None to use the drawing of the rules."""
    read_move: Callable[[str, View | None], str] = _as_typed
    """Function that reads a typed move, with the view if known. The server decides whether the move
    is legal.
    """
    by_digit: bool = False
    """Whether a digit is a whole move, so that pressing its key plays it."""
    keys: frozenset[str] = frozenset()
    """Actions on its board besides moves: "flag", "chord", "unknown", "switch", "rotate", "turn"."""
    hint: str = ""
    """The aim of the game in a few words, translated by the catalogue."""
    lessons: Sequence[Lesson] = ()
    """The lessons, at most MOST_LESSONS. The last one is about entering moves."""
    levels: frozenset[str] = frozenset()
    """The levels of bots in addition to those that every game has."""
    alone: Mapping[str, str] = field(default_factory=dict)
    """The values of the option `level` for playing alone, with their descriptions."""
    against: Mapping[str, str] = field(default_factory=dict)
    """The options of a table for two, for games whose default is a table for one."""
    side: Callable[[View, Seat], str | None] = _nothing
    """Function that returns a line about one seat; None if there is only one side."""
    progress: Callable[[View], str] | None = None
    """Function that returns a line about the progress of the game."""
    unseen: Callable[[View, Seat, str, Callable[[str], str]], str] | None = None
    """Function that returns the line for a hidden move, from the view, seat, name, and the reason why a seat
    is out.
    """
    why: Callable[[View, Mapping[str, Any]], str | None] | None = None
    """Function that explains the end of the game, if the view and the outcome say more than the
    reason does.
    """
    menu: Menu | None = None
    emoji_columns: Callable[[View], int] | None = None
    """Function that returns the columns of the drawing in emoji. None if emoji are used only as marks."""


NOTHING_KNOWN = ClientGame()


@lru_cache(maxsize=100)
def client_game(game: str) -> ClientGame:
    """Return the client's knowledge of a game. The name may be any word from a server."""
    found: ClientGame = getattr(own_module(__name__, game), "CLIENT_GAME", NOTHING_KNOWN)
    return found


def own_module(package: str, game: str) -> ModuleType | None:
    """The module of a game in a package that has modules for some games."""
    if game not in GAMES:
        return None
    name = f"{package}.{game.replace('-', '_')}"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
