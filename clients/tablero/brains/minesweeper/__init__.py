"""The levels of Minesweeper."""

from __future__ import annotations

from tablero.brains import Bundled

LEVELS = {
    "pinv-strict": Bundled("minesweeper.pinv:PinvStrict", "as pinv, but resigns rather than guess", "001"),
    "pinv": Bundled("minesweeper.pinv:Pinv", "solves the numbers by pseudo-inverse; may guess", "001"),
    "easy": Bundled(
        "minesweeper.pinv:Pinv",
        "slow, and now and then on a mine: plays as pinv",
        settings={"pace_seconds": 1.6},
    ),
    "normal": Bundled(
        "minesweeper.pinv:Pinv",
        "quicker than easy, and no better: plays as pinv",
        settings={"pace_seconds": 1.0},
    ),
    "exact": Bundled("minesweeper.exact:Exact", "knows the exact odds and takes the best"),
    "hard": Bundled(
        "minesweeper.exact:Exact",
        "hits a mine only where it must guess: plays as exact",
        settings={"pace_seconds": 1.0},
    ),
    "expert": Bundled(
        "minesweeper.exact:Exact",
        "as quick as a very good player: plays as exact",
        settings={"pace_seconds": 0.6},
    ),
}
