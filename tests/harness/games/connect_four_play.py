"""The document's simulated game of Connect Four as text for people.

`python -m tests.harness.games.connect_four_play` writes it again. A changed line means a changed method.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablero.brains.connect_four.case_value import Grille, case_value, play
from tablero_games.connect_four import ConnectFourPosition
from tests.harness.games.connect_four import GAME, grille_at

FILE = Path(__file__).parents[2] / "clients" / "brains" / "connect_four" / "play.txt"
BOARDS: list[dict[str, Any]] = [{}, {"columns": 5, "rows": 4, "connect": 5}]
"""The options of two games; the second game fills its board without a winner."""
US = 0


def written() -> str:
    return "\n\n".join(written_on(options) for options in BOARDS) + "\n"


def written_on(options: dict[str, Any]) -> str:
    position = GAME.start(**options)
    assert isinstance(position, ConnectFourPosition)
    title = " ".join(["connect-four", *(f"{name}={value}" for name, value in options.items())])
    lines = [f"{title}: the best case for us (X), the least for us by the opponent (O)", ""]
    lines += [GAME.draw(position.view(None), "ascii"), ""]
    for case, after in play(position, US):
        who = "we play" if position.next_seat == US else "the opponent plays"
        lines += [f"our values: {values(grille_at(position))}", f"{who} {case}", ""]
        lines += [GAME.draw(after.view(None), "ascii"), ""]
        position = after
    assert position.outcome is not None
    return "\n".join([*lines, f"Partie finie: {position.outcome.kind}, {position.outcome.reason}"])


def values(grille: Grille) -> str:
    """The value for us of the landing cell in each column; "-" for a full column."""
    landing = {x: case_value(grille, x, y, US) for x, y in grille.cases()}
    return " ".join(str(landing.get(x, "-")) for x in range(grille.columns))


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
