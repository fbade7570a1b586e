"""Steps, jumps and walls of Quoridor on drawn boards, and against a slow and simple search."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from tablero_games.quoridor.board import board_of, maze_of
from tablero_games.quoridor.rules import QuoridorPosition, goals_on
from tests.harness.games.quoridor import drawn, random_positions, refusal

# Steps and jumps


def steps(position: QuoridorPosition) -> str:
    return " ".join(sorted(move for move in position.legal_moves(position.next_seat) if move[-1] not in "hv"))


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        pytest.param(
            """
            | O   .   . |
            |           |
            | .   X   . |
            |           |
            | .   .   . |
            """,
            "a2 b1 b3 c2",
            id="one cell in four directions",
        ),
        pytest.param(
            """
            | .   O   . |
            |           |
            | .   .   . |
            |           |
            | X   .   . |
            """,
            "a2 b1",
            id="not over the edge",
        ),
        pytest.param(
            """
            | .   .   .   O |
            |    =======    |
            | .   . # X   . |
            |       #       |
            | .   . # .   . |
            |               |
            | .   .   .   . |
            """,
            "c2 d3",
            id="not through walls",
        ),
        pytest.param(
            """
            | .   .   . |
            |           |
            | .   O   . |
            |           |
            | .   X   . |
            """,
            "a1 b3 c1",
            id="straight over a pawn, not sideways",
        ),
        pytest.param(
            """
            | .   .   .   . |
            |               |
            | .   O   X   . |
            |               |
            | .   .   .   . |
            |               |
            | .   .   .   . |
            """,
            "a3 c2 c4 d3",
            id="straight over a pawn to the side",
        ),
        pytest.param(
            """
            | .   .   .   . |
            |=======        |
            | .   O   .   . |
            |               |
            | .   X   .   . |
            |               |
            | .   .   .   . |
            """,
            "a2 a3 b1 c2 c3",
            id="sideways when a wall is behind the pawn",
        ),
        pytest.param(
            """
            | .   .   . |
            |           |
            | O   X   . |
            |           |
            | .   .   . |
            """,
            "a1 a3 b1 b3 c2",
            id="sideways when the edge is behind the pawn",
        ),
        pytest.param(
            """
            | .   .   .   . |
            |=======        |
            | . # O   .   . |
            |   #           |
            | . # X   .   . |
            |               |
            | .   .   .   . |
            """,
            "b1 c2 c3",
            id="sideways only where no wall is",
        ),
        pytest.param(
            """
            | .   .   .   . |
            |=======        |
            | . # O # .   . |
            |   #   #       |
            | . # X # .   . |
            |               |
            | .   .   .   . |
            """,
            "b1",
            id="not at all when walls are behind and beside the pawn",
        ),
        pytest.param(
            """
            | .   .   .   . |
            |               |
            | .   O   .   . |
            |=======        |
            | .   X   .   . |
            |               |
            | .   .   .   . |
            """,
            "a2 b1 c2",
            id="not over a wall that is before the pawn",
        ),
    ],
)
def test_a_pawn_goes(picture: str, expected: str) -> None:
    assert steps(drawn(picture)) == expected


def test_seat_1_jumps_too() -> None:
    position = drawn(
        """
        | .   .   O   . |
        |               |
        | .   .   X   . |
        |=======        |
        | .   .   .   . |
        |               |
        | .   .   .   . |
        """,
        seat=1,
    )
    assert steps(position) == "b4 c2 d4"


def test_with_more_pawns_only_one_is_jumped() -> None:
    board = board_of(5)
    pawn, first, second = (board.cells[cell] for cell in ("c1", "c2", "c3"))
    reached = maze_of(board, 0).steps(pawn, pawn | first | second)
    assert board.listed(reached) == ["b1", "d1"]


def test_on_every_small_board_whose_pawns_have_ways_either_pawn_can_step() -> None:
    board = board_of(3)
    horizontal, vertical = list(board.walls.values())[:4], list(board.walls.values())[4:]
    for choice in product((None, 0, 1), repeat=4):
        chosen = [(horizontal, vertical)[kind][at] for at, kind in enumerate(choice) if kind is not None]
        maze = maze_of(board, 0)
        for wall in chosen:
            if not wall & maze.walls_that_fit():
                break
            maze = maze.with_wall(wall)
        else:
            for pawns in permutations(board.cells.values(), 2):
                if not maze.closed(pawns, goals_on(board)):
                    assert all(maze.steps(pawn, sum(pawns)) for pawn in pawns)


@pytest.mark.parametrize("size", [4, 5, 6, 9])
def test_in_random_games_a_pawn_can_always_step(size: int) -> None:
    for position in random_positions(size, 5, size=size, walls=20):
        for pawn in position.pawns:
            assert position.maze.steps(pawn, sum(position.pawns))


# Walls


CORNER = """
| .   O   .   .   . |
|    =======        |
| .   .   .   .   . |
|                   |
| .   .   . # .   . |
|           #       |
| .   .   . # .   . |
|                   |
| .   .   X   .   . |
"""


def test_the_wall_of_a_cell_starts_at_its_upper_right_corner() -> None:
    assert drawn(CORNER).view(0)["walls"] == ["b4h", "c2v"]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("b4h", "Wall b4h is already there."),
        ("a4h", "Wall a4h would overlap wall b4h."),
        ("c4h", "Wall c4h would overlap wall b4h."),
        ("c1v", "Wall c1v would overlap wall c2v."),
        ("c3v", "Wall c3v would overlap wall c2v."),
        ("b4v", "Wall b4v would cross wall b4h."),
        ("c2h", "Wall c2h would cross wall c2v."),
    ],
)
def test_walls_neither_overlap_nor_cross(move: str, sentence: str) -> None:
    assert refusal(drawn(CORNER), move) == sentence


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("d4h", id="in line"),
        pytest.param("b2h", id="a T against the middle"),
        pytest.param("c3h", id="a T over the end"),
        pytest.param("d3h", id="an L"),
        pytest.param("b3v", id="hanging from the middle"),
        pytest.param("b2v", id="side by side"),
    ],
)
def test_walls_may_touch(move: str) -> None:
    after = drawn(CORNER).play(0, move).view(0)
    assert sorted(after["walls"]) == sorted(["b4h", "c2v", move])
    assert after["wallsLeft"] == [4, 5]
    assert after["pawns"] == ["c1", "b5"]


def test_without_walls_left_only_steps_are_legal() -> None:
    position = drawn(CORNER, walls_left=(0, 5))
    assert list(position.legal_moves(0)) == ["b1", "d1", "c2"]
    assert refusal(position, "a1h") == "You have no walls left; move your pawn."
    assert "a1h" in position.play(0, "c2").legal_moves(1)


@pytest.mark.parametrize(
    ("picture", "move", "whose"),
    [
        pytest.param(
            """
            | .   .   .   O |
            |               |
            | .   .   .   . |
            |=======        |
            | .   .   .   . |
            |               |
            | X   .   .   . |
            """,
            "b1v",
            "seat 0",
            id="the mover's",
        ),
        pytest.param(
            """
            | O   . # .   . |
            |       #       |
            | .   . # .   . |
            |               |
            | .   .   .   . |
            |               |
            | .   .   X   . |
            """,
            "a2h",
            "seat 1",
            id="the other's",
        ),
        pytest.param(
            """
            | .   O   .   . |
            |               |
            | .   .   .   . |
            |=======        |
            | .   .   .   . |
            |               |
            | .   .   X   . |
            """,
            "c2h",
            "seat 0 and 1",
            id="both",
        ),
        pytest.param(
            """
            | .   O   .   . |
            |    =======    |
            | . # .   . # . |
            |   #       #   |
            | . # .   X # . |
            |               |
            | .   .   .   . |
            """,
            "b1h",
            "seat 0",
            id="far from the edge",
        ),
    ],
)
def test_no_wall_closes_a_last_way(picture: str, move: str, whose: str) -> None:
    told = f"Wall {move} would close the last way of {whose} to its goal."
    assert refusal(drawn(picture), move) == told
    assert move not in drawn(picture).legal_moves(0)


def test_a_way_may_lead_over_the_other_pawn() -> None:
    position = drawn(
        """
        | O   .   . |
        |           |
        | .   .   X |
        |           |
        | .   .   . |
        """
    )
    assert position.play(0, "a2h").view(0)["walls"] == ["a2h"]


def test_a_room_whose_pawn_is_on_its_goal_side_may_be_closed() -> None:
    position = drawn(
        """
        | .   . # .   O |
        |       #       |
        | .   X # .   . |
        |               |
        | .   .   .   . |
        |               |
        | .   .   .   . |
        """
    )
    assert "a2h" in position.legal_moves(0)
