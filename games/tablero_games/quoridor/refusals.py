"""Why a move of Quoridor is refused, in a sentence that says what is in the way.

Law: these functions explain, they don't decide; each is asked only about a move that is illegal.
"""

from __future__ import annotations

from collections.abc import Sequence

from .board import Board, Cells, Maze, Walls, each, maze_of


def why_no_move(board: Board, move: str) -> str:
    cells, walls = list(board.cells), list(board.walls)
    return (
        f"There is no cell or wall {move!r:.24}; "
        f"the cells are {cells[0]} to {cells[-1]}, the walls {walls[0]} to {walls[-1]}."
    )


def why_no_step(maze: Maze, pawn: Cells, target: Cells, occupied: Cells) -> str:
    names = maze.board.names
    if target == pawn:
        return f"Your pawn is on {names[pawn]} already; {_choice(maze, pawn, occupied)}"
    if target & occupied:
        return f"Cell {names[target]} is occupied by another pawn; {_choice(maze, pawn, occupied)}"
    return f"{_obstacle(maze, pawn, target, occupied)}; {_choice(maze, pawn, occupied)}"


def _choice(maze: Maze, pawn: Cells, occupied: Cells) -> str:
    names = maze.board.listed(maze.steps(pawn, occupied))
    return f"from {maze.board.names[pawn]} you can go to {_either(names)}."


def _either(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _obstacle(maze: Maze, pawn: Cells, target: Cells, occupied: Cells) -> str:
    """What keeps `pawn` from an empty `target`: a wall, a pawn that is jumped otherwise, or the distance."""
    names = maze.board.names
    if target & _near(maze, pawn):
        return _wall_between(maze, pawn, target)
    for other in each(occupied & _near(maze, pawn) & _near(maze, target)):
        if not sum(maze.beside(pawn)) & other:
            return _wall_between(maze, pawn, other)
        if not sum(maze.beside(other)) & target:
            return _wall_between(maze, other, target)
        return f"The pawn on {names[other]} is jumped straight, there is no wall or edge behind it"
    return f"Cell {names[target]} is too far: a pawn goes one cell up, down, left or right, or jumps one pawn"


def _near(maze: Maze, cell: Cells) -> Cells:
    """The neighbours that `cell` would have without walls."""
    return sum(maze_of(maze.board, 0).beside(cell))


def _wall_between(maze: Maze, one: Cells, other: Cells) -> str:
    return f"A wall stands between {maze.board.names[one]} and {maze.board.names[other]}"


def why_no_wall(maze: Maze, wall: Walls, pawns: Sequence[Cells], goals: Sequence[Cells]) -> str:
    names = {bit: name for name, bit in maze.board.walls.items()}
    if wall & maze.walls:
        return f"Wall {names[wall]} stands already."
    for other in each(maze.walls):
        if not wall & maze_of(maze.board, other).walls_that_fit():
            verb = "overlap" if names[wall][-1] == names[other][-1] else "cross"
            return f"Wall {names[wall]} would {verb} wall {names[other]}."
    closed = maze.with_wall(wall).closed(pawns, goals)
    seats = " and ".join(f"seat {seat}" for seat in closed)
    return f"Wall {names[wall]} would close the last way of {seats}; every pawn must keep one to its goal."
