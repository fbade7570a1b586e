"""The rules of Tablero's games: pure, and importable without the server or a client."""

from .catalogue import GAMES
from .play import Play
from .position import Game, Options, Outcome, Position, Seat
from .refusals import BadOptions, IllegalMove

__all__ = ["GAMES", "BadOptions", "Game", "IllegalMove", "Options", "Outcome", "Play", "Position", "Seat"]
