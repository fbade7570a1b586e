"""Quoridor as text."""

from __future__ import annotations

from textwrap import dedent

from tests.harness.games.quoridor import QUORIDOR, played, start


def test_a_drawing_shows_pawns_walls_and_how_many_are_left() -> None:
    view = played(start(size=4, walls=3), "c2 b2v c3h d4").view(None)
    assert QUORIDOR.draw(view, "ascii") == dedent(
        """\
        4 | .   .   .   O |
          |        =======|
        3 | .   . # .   . |
          |       #       |
        2 | .   . # X   . |
          |               |
        1 | .   .   .   . |
            a   b   c   d
        walls left: X 2, O 2"""
    )
    assert QUORIDOR.draw(view) == dedent(
        """\
        4 ⎢ ⋅   ⋅   ⋅   ◉ ⎥
          ⎢        ▬▬▬▬▬▬▬⎥
        3 ⎢ ⋅   ⋅ ❚ ⋅   ⋅ ⎥
          ⎢       ❚       ⎥
        2 ⎢ ⋅   ⋅ ❚ ✕   ⋅ ⎥
          ⎢               ⎥
        1 ⎢ ⋅   ⋅   ⋅   ⋅ ⎥
            a   b   c   d
        walls left: ✕ 2, ◉ 2"""
    )


def test_the_usual_board_fits_a_terminal() -> None:
    lines = QUORIDOR.draw(start().view(0)).splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80


def test_rows_of_two_digits_stay_aligned() -> None:
    lines = QUORIDOR.draw(start(size=12).view(0), "ascii").splitlines()
    assert lines[0].startswith("12 | .")
    assert lines[6].startswith(" 9 | .")
    assert lines[-2].startswith("     a   b")
