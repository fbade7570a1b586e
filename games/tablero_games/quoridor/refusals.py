"""Explains why a move of Quoridor is illegal: the reason, and the obstacle.

Law: these functions explain and don't decide. Each is called only for an illegal move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..refusals import IllegalMove
from .board import Board, Cells, Maze, Walls, each, maze_of

_CHOICE = "; from {pawn} you can go to {choice:or}."

REFUSALS = {
    "noCellOrWall": "There is no cell or wall '{move}'; cells are a1 to {cell}, walls a1h to {wall}.",
    "onThatCell": "Your pawn is on {cell} already" + _CHOICE,
    "pawnThere": "Cell {cell} is occupied by another pawn" + _CHOICE,
    "wallBetween": "A wall stands between {one} and {other}" + _CHOICE,
    "jumpIsStraight": "Jump straight over the pawn on {other}" + _CHOICE,
    "tooFar": "Cell {cell} is too far" + _CHOICE,
    "noWallsLeft": "You have no walls left; move your pawn.",
    "wallStands": "Wall {wall} is already there.",
    "wallOverlaps": "Wall {wall} would overlap wall {other}.",
    "wallCrosses": "Wall {wall} would cross wall {other}.",
    "noPath": "Wall {wall} would close the last way of seat {seats:and} to its goal.",
}


def why_no_move(board: Board, move: str) -> IllegalMove:
    return IllegalMove("noCellOrWall", move=move, cell=list(board.cells)[-1], wall=list(board.walls)[-1])


def why_no_step(maze: Maze, pawn: Cells, target: Cells, occupied: Cells) -> IllegalMove:
    """The reason why `pawn` can't go to `target`: a pawn, a wall, a jump in another direction, or the
    distance.
    """
    names = maze.board.names
    cell = names[target]
    instead: dict[str, Any] = {
        "pawn": names[pawn],
        "choice": maze.board.listed(maze.steps(pawn, occupied)),
    }
    if target == pawn:
        return IllegalMove("onThatCell", cell=cell, **instead)
    if target & occupied:
        return IllegalMove("pawnThere", cell=cell, **instead)
    if target & _near(maze, pawn):
        return IllegalMove("wallBetween", one=names[pawn], other=cell, **instead)
    for other in each(occupied & _near(maze, pawn) & _near(maze, target)):
        if not sum(maze.beside(pawn)) & other:
            return IllegalMove("wallBetween", one=names[pawn], other=names[other], **instead)
        if not sum(maze.beside(other)) & target:
            return IllegalMove("wallBetween", one=names[other], other=cell, **instead)
        return IllegalMove("jumpIsStraight", other=names[other], **instead)
    return IllegalMove("tooFar", cell=cell, **instead)


def _near(maze: Maze, cell: Cells) -> Cells:
    """The neighbours of `cell` if there were no walls."""
    return sum(maze_of(maze.board, 0).beside(cell))


def why_no_wall(maze: Maze, wall: Walls, pawns: Sequence[Cells], goals: Sequence[Cells]) -> IllegalMove:
    names = {bit: name for name, bit in maze.board.walls.items()}
    if wall & maze.walls:
        return IllegalMove("wallStands", wall=names[wall])
    for other in each(maze.walls):
        if not wall & maze_of(maze.board, other).walls_that_fit():
            if names[wall][-1] == names[other][-1]:
                return IllegalMove("wallOverlaps", wall=names[wall], other=names[other])
            return IllegalMove("wallCrosses", wall=names[wall], other=names[other])
    return IllegalMove("noPath", wall=names[wall], seats=maze.with_wall(wall).closed(pawns, goals))
