"""The rules of Tablero's games: pure, and importable without the server or a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .play import Play
from .position import BrokenGame, Game, Options, Outcome, Position, Seat
from .refusals import BadOptions, IllegalMove

if TYPE_CHECKING:
    from .catalogue import GAMES

__all__ = [
    "GAMES",
    "BadOptions",
    "BrokenGame",
    "Game",
    "IllegalMove",
    "Options",
    "Outcome",
    "Play",
    "Position",
    "Seat",
]


def __getattr__(name: str) -> Any:
    """Imports the catalogue at its first use, so that a game in another package can import the
    names above.
    """
    if name != "GAMES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .catalogue import GAMES

    return GAMES
