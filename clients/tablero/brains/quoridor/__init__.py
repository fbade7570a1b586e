"""The levels of Quoridor."""

from __future__ import annotations

from tablero.brains import Bundled

LEVELS = {
    "easy": Bundled(
        "quoridor.levels:AlphaBeta",
        "looks two moves ahead",
        "003",
        {"depth": 2, "limit_seconds": 1.0, "pace_seconds": 1.0},
    ),
    "normal": Bundled(
        "quoridor.levels:AlphaBeta",
        "looks three moves ahead",
        "003",
        {"depth": 3, "limit_seconds": 2.0, "pace_seconds": 0.8},
    ),
    "hard": Bundled(
        "quoridor.levels:AlphaBeta",
        "looks four moves ahead",
        "003",
        {"depth": 4, "limit_seconds": 4.0, "pace_seconds": 0.6},
    ),
    "expert": Bundled(
        "quoridor.levels:AlphaBeta",
        "looks five moves ahead",
        "003",
        {"depth": 5, "limit_seconds": 8.0, "pace_seconds": 0.4},
    ),
}
