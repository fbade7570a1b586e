"""The levels of Dots and Boxes."""

from __future__ import annotations

from tablero.brains import Bundled

LEVELS = {
    "very-easy": Bundled("dots_and_boxes.levels:TresFacile", "any free edge", "000"),
    "easy": Bundled("dots_and_boxes.levels:Facile", "looks for a box to close every other time"),
    "medium": Bundled("dots_and_boxes.levels:Moyen", "closes the first box it finds, else any edge", "000"),
    "normal": Bundled(
        "dots_and_boxes.levels:Moyen",
        "closes every box that it sees: plays as medium",
        settings={"pace_seconds": 0.8},
    ),
    "hard": Bundled("dots_and_boxes.levels:Difficile", "closes boxes, and offers none if it can", "000"),
    "expert": Bundled("dots_and_boxes.levels:Expert", "counts chains, hands boxes out, solves endgames"),
}
