"""The frame that boards of cells share."""

from __future__ import annotations

from tablero_games.drawing import framed


def test_rows_are_numbered_from_the_bottom_and_columns_named_underneath() -> None:
    assert framed(["01", ".0"], "ab", "ascii") == "2 | X O |\n1 | . X |\n    a b"


def test_unicode_and_emoji_are_drawn_with_the_same_marks() -> None:
    assert framed([".10"], "abc", "unicode") == "1 ⎢ ⋅ ◉ ✕ ⎥\n    a b c"
    assert framed([".10"], "abc", "emoji") == framed([".10"], "abc", "unicode")


def test_up_to_eight_seats_have_marks_of_their_own_and_a_game_may_draw_others() -> None:
    assert framed(["01234567", "*......."], "abcdefgh", "ascii").splitlines()[:2] == [
        "2 | X O A B C D E F |",
        "1 | * . . . . . . . |",
    ]
    assert framed(["01234567"], "abcdefgh", "unicode").splitlines()[0] == "1 ⎢ ✕ ◉ ▴ ❖ ✚ ⬢ ✦ ⬟ ⎥"


def test_labels_of_two_digits_keep_the_columns_straight() -> None:
    drawing = framed(["0" * 11] * 10, map(str, range(1, 12)), "ascii").splitlines()
    assert drawing[0] == "10 |" + "  X" * 11 + " |"
    assert drawing[9] == " 1 |" + "  X" * 11 + " |"
    assert drawing[10] == "      1  2  3  4  5  6  7  8  9 10 11"
