"""The levels of Connect Four."""

from __future__ import annotations

from tablero.brains import Bundled

LEVELS = {
    "case-value": Bundled("connect_four.levels:CaseValue", "builds its own lines, and never blocks", "004"),
    "easy": Bundled(
        "connect_four.levels:CaseValue",
        "sees only its own lines: plays as case-value",
        settings={"pace_seconds": 1.0},
    ),
    "child": Bundled("connect_four.levels:Child", "fills a favourite column, but wins and blocks", "004"),
    "normal": Bundled(
        "connect_four.levels:Child",
        "sees wins and threats one move ahead: plays as child",
        settings={"pace_seconds": 0.8},
    ),
    "full-text": Bundled(
        "connect_four.levels:FullText", "wins, blocks, and weighs both players' lines", "004"
    ),
    "hard": Bundled(
        "connect_four.levels:FullText",
        "builds lines and spoils yours: plays as full-text",
        settings={"pace_seconds": 0.6},
    ),
    "lookahead": Bundled("connect_four.levels:Lookahead", "looks four moves ahead", "004"),
    "expert": Bundled(
        "connect_four.levels:Lookahead",
        "sees traps four moves ahead: plays as lookahead",
        settings={"pace_seconds": 0.4},
    ),
}
