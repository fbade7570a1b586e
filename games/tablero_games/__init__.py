"""The rules of Tablero's games: pure, and importable without the server or a client."""

from .catalogue import GAMES
from .play import Play
from .position import BadOptions, Game, IllegalMove, Options, Outcome, Position, Seat

__all__ = ["GAMES", "BadOptions", "Game", "IllegalMove", "Options", "Outcome", "Play", "Position", "Seat"]
