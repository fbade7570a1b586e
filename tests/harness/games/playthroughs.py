"""Golden playthroughs: one random game of each kind, as text for people.

`python -m tests.harness.games.playthroughs` writes them again. A changed line means a changed rule, so read
it.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from random import Random

from tablero_games import GAMES, Game, Position
from tests.harness.games.variants import named, playthrough

FOLDER = Path(__file__).parents[2] / "games" / "playthroughs"
SEED = 7
MOST_LISTED = 24
"""The most legal moves that are listed."""


def file_of(game: Game) -> Path:
    return FOLDER / f"{game.name}.txt"


def written(game: Game) -> str:
    """The whole game as text: at each ply the board, the legal moves and the move played."""
    variant = playthrough(game)
    position = game.start(seed=SEED, **variant)
    lines = [f"{named(game, variant)}, rules version {game.version}", ""]
    choose = Random(SEED)
    for ply in range(10_000):
        lines += [game.draw(position.view(None), "ascii"), ""]
        if not position.to_move:
            break
        seats = sorted(position.to_move)
        seat = seats[pick(choose, len(seats))]
        moves = position.legal_moves(seat)
        move = moves[pick(choose, len(moves))]
        lines += [*listed(list(moves)), f"ply {ply}, seat {seat} plays {move}", ""]
        position = position.play(seat, move)
    return "\n".join([*lines, *the_end(position)]) + "\n"


def pick(choose: Random, count: int) -> int:
    """A random index. Only `random()` gives the same numbers in every version of Python."""
    return int(choose.random() * count)


def listed(moves: list[str]) -> list[str]:
    more = ["…"] if len(moves) > MOST_LISTED else []
    text = f"{len(moves)} legal: " + ", ".join(moves[:MOST_LISTED] + more)
    return textwrap.wrap(text, 100, subsequent_indent="    ")


def the_end(position: Position) -> list[str]:
    assert position.outcome is not None
    outcome = position.outcome.to_json()
    told = ", ".join(f"{key} {value}" for key, value in outcome.items() if value is not None)
    return [f"over: {told}", f"view: {json.dumps(position.view(None))}"]


if __name__ == "__main__":
    for game in GAMES.values():
        file_of(game).write_text(written(game), encoding="utf-8")
