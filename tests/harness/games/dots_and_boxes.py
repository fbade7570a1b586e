"""Dots and Boxes positions from drawings: "+" is a dot, "-" and "|" are edges. Seat 0 owns the
closed boxes.
"""

from __future__ import annotations

from random import Random
from textwrap import dedent

from tablero.bot import Turn
from tablero.brains.dots_and_boxes.chains import BoxesBoard, board_of
from tablero_games.dots_and_boxes import DotsAndBoxes, DotsAndBoxesPosition
from tablero_protocol.messages import NextPlayer

GAME = "dots-and-boxes"


def free(drawing: str) -> int:
    """The edges that are still free, as bits."""
    here = position(drawing)
    return here.grid.all_edges & ~here.edges


def board(drawing: str) -> BoxesBoard:
    return board_of(position(drawing).grid)


def bits(here: DotsAndBoxesPosition | str, edges: str) -> tuple[int, ...]:
    """The numbers of named edges as bits."""
    grid = position(here).grid if isinstance(here, str) else here.grid
    return tuple(1 << grid.number[edge] for edge in edges.split())


def position(drawing: str, to_move: int = 0) -> DotsAndBoxesPosition:
    lines = dedent(drawing).strip("\n").splitlines()
    width = len(lines[0])
    lines = [line.ljust(width) for line in reversed(lines)]
    horizontal = ["".join("-" if mark == "-" else "." for mark in line[1::2]) for line in lines[::2]]
    vertical = ["".join("|" if mark == "|" else "." for mark in line[::2]) for line in lines[1::2]]
    owners = [
        "".join(
            "0" if (below[x], above[x], sides[x], sides[x + 1]) == ("-", "-", "|", "|") else "."
            for x in range(width // 2)
        )
        for below, above, sides in zip(horizontal, horizontal[1:], vertical, strict=False)
    ]
    view = {
        "rows": len(vertical),
        "columns": width // 2,
        "horizontal": horizontal,
        "vertical": vertical,
        "owners": owners,
        "scores": ["".join(owners).count("0"), 0],
        "toMove": to_move,
    }
    return DotsAndBoxes().from_view(view)


def turn(here: DotsAndBoxesPosition) -> Turn:
    seat = here.turn
    event = NextPlayer(room="r", seq=0, ply=0, seats=[seat], seat=seat, view=here.view(seat), last=None)
    return Turn(event, GAME, {"rows": here.grid.rows, "columns": here.grid.columns})


def start(rows: int, columns: int) -> DotsAndBoxesPosition:
    rules = DotsAndBoxes()
    return rules.from_view(rules.start(rows=rows, columns=columns).view(None))


def at_random(rows: int, columns: int, moves: int, random: Random) -> DotsAndBoxesPosition:
    """A position after that many random moves."""
    here = start(rows, columns)
    for _ in range(moves):
        here = here.play(here.turn, random.choice(here.legal_moves(here.turn)))
    return here
