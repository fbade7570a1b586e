"""What Quoridor says about moves that it refuses, and what it reads leniently."""

from __future__ import annotations

import pytest

from tests.harness.games.quoridor import drawn, played, refusal, start

AMONG_WALLS = """
| .   .   .   .   . |
|=======            |
| .   O # .   .   . |
|       #           |
| .   X # .   .   . |
|                   |
| .   .   .   .   . |
|                   |
| .   .   .   .   . |
"""
FROM_B3 = "; from b3 you can go to b2, a3 or a4."


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("b3", f"Your pawn is on b3 already{FROM_B3}"),
        ("b4", f"Cell b4 is occupied by another pawn{FROM_B3}"),
        ("c3", f"A wall stands between b3 and c3{FROM_B3}"),
        ("b5", f"A wall stands between b4 and b5{FROM_B3}"),
        ("c4", f"A wall stands between b4 and c4{FROM_B3}"),
        (
            "a2",
            "Cell a2 is too far" + FROM_B3,
        ),
        (
            "b1",
            "Cell b1 is too far" + FROM_B3,
        ),
        ("e5h", "There is no cell or wall 'e5h'; cells are a1 to e5, walls a1h to d4v."),
        ("f1", "There is no cell or wall 'f1'; cells are a1 to e5, walls a1h to d4v."),
        ("", "There is no cell or wall ''; cells are a1 to e5, walls a1h to d4v."),
    ],
)
def test_a_refusal_says_what_is_in_the_way(move: str, sentence: str) -> None:
    assert refusal(drawn(AMONG_WALLS), move) == sentence


@pytest.mark.parametrize("move", ["b4", "a3", "c3"])
def test_a_wall_before_the_other_pawn_forbids_every_jump(move: str) -> None:
    position = drawn(
        """
        | .   .   .   . |
        |               |
        | .   O   .   . |
        |=======        |
        | .   X   .   . |
        |               |
        | .   .   .   . |
        """
    )
    assert refusal(position, move).startswith("A wall stands between b2 and b3; ")


def test_a_sideways_jump_is_refused_while_the_straight_one_is_free() -> None:
    position = played(start(size=3, walls=0), "b2")
    assert refusal(position, "a2") == (
        "Jump straight over the pawn on b2; from b3 you can go to b1, a3 or c3."
    )


@pytest.mark.parametrize(("written", "strictly"), [(" E2 ", "e2"), ("\te3H", "e3h"), ("E3v\n", "e3v")])
def test_moves_are_read_leniently(written: str, strictly: str) -> None:
    assert start().play(0, written) == start().play(0, strictly)


@pytest.mark.parametrize("move", ["e02", "e2h3", "3e", "e3hv", "e 3", "e0", "e-1", "٣e", "e٣", "2"])
def test_what_is_no_move_is_refused(move: str) -> None:
    assert refusal(start(), move).startswith("There is no cell or wall")
