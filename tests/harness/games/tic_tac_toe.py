"""Reachable positions of tic-tac-toe, and the cells that win in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tablero_games import Seat
from tablero_games.tic_tac_toe import CELLS, LINES, TicTacToePosition


@cache
def successors(position: TicTacToePosition) -> dict[str, TicTacToePosition]:
    (seat,) = position.to_move
    return {move: position.play(seat, move) for move in position.legal_moves(seat)}


def reachable(
    position: TicTacToePosition, may_play: Callable[[TicTacToePosition], list[str]]
) -> set[TicTacToePosition]:
    """Every position that can be reached by the moves that `may_play` returns."""
    seen, todo = {position}, [position]
    while todo:
        here = todo.pop()
        if here.outcome is None:
            for move in may_play(here):
                following = successors(here)[move]
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
    return seen


def winning(position: TicTacToePosition, seat: Seat) -> set[str]:
    """The cells with which `seat` would complete a line now."""
    found = set()
    for line in LINES:
        cells = [position.cells[cell] for cell in line]
        if cells.count(str(seat)) == 2 and "." in cells:
            found.add(CELLS[line[cells.index(".")]])
    return found
