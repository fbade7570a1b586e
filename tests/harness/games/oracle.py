"""Compares our rules with OpenSpiel's: the same random games, checked at every ply.

`python -m tests.harness.games.oracle --plies 1000000 --game quoridor --json` compares more games.

Law: OpenSpiel is no authority here. If the two differ, the comparison stops and prints the moves.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from tablero_games import GAMES, Outcome, Position
from tests.harness.games.variants import Variant, named

State: TypeAlias = Any
"""A position of OpenSpiel, which has no types."""


class Disagreement(AssertionError):
    """Raised if the two differ about a position."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """The OpenSpiel side of one of our games."""

    name: str
    variants: tuple[Variant, ...]
    """The boards to compare on."""
    parameters: Callable[[Variant], dict[str, Any]]
    """The function that translates our options into OpenSpiel's."""
    action: Callable[[Any, str], int]
    """The number of our move in our position; different moves have different numbers."""
    returns: Callable[[Outcome], list[float]]
    """OpenSpiel's return of each seat for our outcome."""
    scores: Callable[[State], list[int]] | None = None
    """The points so far; None in games without points."""
    same_draws: bool = True
    """Whether both have the same draws. If not, a game is compared until either side calls it drawn."""

    def start(self, variant: Variant) -> State:
        game = import_module("pyspiel").load_game(self.name, self.parameters(variant))
        return game.new_initial_state()


@dataclass(slots=True)
class Compared:
    """The number of plies and games that agreed, for one variant."""

    name: str
    games: int = 0
    plies: int = 0


def by_winner(outcome: Outcome) -> list[float]:
    if outcome.kind == "draw":
        return [0.0, 0.0]
    return [1.0 if seat in outcome.winners else -1.0 for seat in (0, 1)]


def by_margin(outcome: Outcome) -> list[float]:
    assert outcome.scores is not None
    first, second = outcome.scores
    return [abs(first - second) * each for each in by_winner(outcome)]


def compare(game: str, variant: Variant, plies: int, seed: int = 0) -> Compared:
    """Plays random games of at least that many plies. Raises Disagreement."""
    oracle, choose = ORACLES[game], Random(seed)
    first_state = oracle.start(variant)
    compared = Compared(named(GAMES[game], variant))
    while compared.plies < plies:
        position, state = GAMES[game].start(**variant), first_state.clone()
        log: list[str] = []
        while compare_position(oracle, position, state, f"{compared.name} after {' '.join(log)}"):
            (seat,) = position.to_move
            move = choose.choice(position.legal_moves(seat))
            state.apply_action(oracle.action(position, move))
            position = position.play(seat, move)
            log.append(move)
        compared.games += 1
        compared.plies += len(log)
    return compared


def compare_position(oracle: Oracle, position: Position, state: State, where: str) -> bool:
    """Compares a position. Returns whether the game continues. Raises Disagreement."""
    if not oracle.same_draws and (is_drawn(position.outcome) or is_drawn_there(state)):
        return False
    if oracle.scores is not None:
        agree(where, "scores", position.view(None)["scores"], oracle.scores(state))
    if position.outcome is not None:
        agree(where, "is over", True, state.is_terminal())
        agree(where, "result", oracle.returns(position.outcome), list(state.returns()))
        return False
    agree(where, "to move", position.to_move, frozenset({state.current_player()}))
    for seat in position.to_move:
        moves = position.legal_moves(seat)
        actions = [oracle.action(position, move) for move in moves]
        agree(where, "legal moves", sorted(actions), sorted(state.legal_actions()))
    return True


def is_drawn(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.kind == "draw"


def is_drawn_there(state: State) -> bool:
    return state.is_terminal() and not any(state.returns())


def agree(where: str, what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Disagreement(f"{where}: {what}: ours {ours}, theirs {theirs}")


def tic_tac_toe_action(position: Any, move: str) -> int:
    """The number of a cell, by row from the top."""
    return 3 * (3 - int(move[1])) + "abc".index(move[0])


def connect_four_action(position: Any, move: str) -> int:
    return int(move) - 1


def dots_and_boxes_action(position: Any, move: str) -> int:
    """The number of an edge: horizontal edges by row from the top, then vertical ones."""
    rows, columns = position.grid.rows, position.grid.columns
    x, y = ord(move[0]) - ord("a"), int(move[1:-1]) - 1
    if move[-1] == "h":
        return int((rows - y) * columns + x)
    return int((rows + 1) * columns + (rows - 1 - y) * (columns + 1) + x)


def boxes_owned(state: State) -> list[int]:
    """The number of boxes of each seat, whose digits are the only ones in OpenSpiel's drawing."""
    drawing = str(state)
    return [drawing.count("1"), drawing.count("2")]


def quoridor_action(position: Any, move: str) -> int:
    """The number of a place on a grid of cells and gaps between them, from the top left.

    A step, or a jump, has the number of the place to which a step in its direction leads from the second cell
    of the second row. The number of a wall is that of the gap beside the cell at its upper left end.
    """
    size: int = position.maze.board.size
    x, below_top = ord(move[0]) - ord("a"), size - int(move.rstrip("hv")[1:])
    if move[-1] in "hv":
        across, down = (0, 1) if move[-1] == "h" else (1, 0)
        return (2 * (below_top - 1) + down) * (2 * size - 1) + 2 * x + across
    pawn: str = position.maze.board.names[position.pawns[position.next_seat]]
    east = sign(x - (ord(pawn[0]) - ord("a")))
    south = sign(below_top - (size - int(pawn[1:])))
    return 2 * (1 + south) * (2 * size - 1) + 2 * (1 + east)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


ORACLES: dict[str, Oracle] = {
    "tic-tac-toe": Oracle(
        name="tic_tac_toe",
        variants=({},),
        parameters=lambda variant: {},
        action=tic_tac_toe_action,
        returns=by_winner,
    ),
    "connect-four": Oracle(
        name="connect_four",
        variants=(
            {"columns": 7, "rows": 6, "connect": 4},
            {"columns": 4, "rows": 4, "connect": 3},
            {"columns": 5, "rows": 4, "connect": 5},
            {"columns": 8, "rows": 10, "connect": 5},
            {"columns": 12, "rows": 12, "connect": 4},
        ),
        parameters=lambda variant: {
            "columns": variant["columns"],
            "rows": variant["rows"],
            "x_in_row": variant["connect"],
        },
        action=connect_four_action,
        returns=by_winner,
    ),
    "dots-and-boxes": Oracle(
        name="dots_and_boxes",
        variants=(
            {"rows": 5, "columns": 5},
            {"rows": 1, "columns": 1},
            {"rows": 1, "columns": 4},
            {"rows": 3, "columns": 2},
            {"rows": 4, "columns": 7},
        ),
        parameters=lambda variant: {
            "num_rows": variant["rows"],
            "num_cols": variant["columns"],
            "utility_margin": True,
        },
        action=dots_and_boxes_action,
        returns=by_margin,
        scores=boxes_owned,
    ),
    "quoridor": Oracle(
        name="quoridor",
        variants=(
            {"size": 9, "walls": 10},
            {"size": 3, "walls": 2},
            {"size": 5, "walls": 4},
            {"size": 6, "walls": 6},
        ),
        parameters=lambda variant: {"board_size": variant["size"], "wall_count": variant["walls"]},
        action=quoridor_action,
        returns=by_winner,
        same_draws=False,
    ),
}


def main() -> int:
    arguments = ArgumentParser(
        prog="python -m tests.harness.games.oracle", description="Our rules beside OpenSpiel's."
    )
    arguments.add_argument("--game", action="append", choices=ORACLES, help="default: all of them")
    arguments.add_argument("--plies", type=int, default=20_000, help="at least so many a game")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--json", action="store_true", help="one JSON object a line")
    chosen = arguments.parse_args()
    for game in chosen.game or ORACLES:
        variants = ORACLES[game].variants
        for variant in variants:
            began = time.perf_counter()
            try:
                compared = compare(game, variant, -(-chosen.plies // len(variants)), chosen.seed)
            except Disagreement as difference:
                print(json.dumps({"game": game, "agree": False, "difference": str(difference)}))
                return 1
            told = {"game": game, **asdict(compared), "agree": True}
            seconds = time.perf_counter() - began
            text = (
                f"{compared.name}: {compared.plies} plies of {compared.games} games agree ({seconds:.1f} s)"
            )
            print(json.dumps({**told, "seconds": round(seconds, 2)}) if chosen.json else text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
