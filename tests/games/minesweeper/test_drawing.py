"""Minesweeper as text, in its three styles and all sizes."""

from __future__ import annotations

import pytest

from tablero_games.minesweeper.drawing import number_to_emoji
from tablero_games.position import Style
from tests.harness.games.minesweeper import GAME, played, playing, started

FIELD = "..... .*... ..... ....*"


@pytest.mark.parametrize(
    ("style", "drawing"),
    [
        (
            "ascii",
            """
4 | # # 1 . . |
3 | # F 1 . . |
2 | # # 1 1 1 |
1 | # # # # # |
    a b c d e
mines: 2, flags: 1, open: 9 of 18
""",
        ),
        (
            "unicode",
            """
4 ⎢ ░ ░ 1 ⋅ ⋅ ⎥
3 ⎢ ░ ⚑ 1 ⋅ ⋅ ⎥
2 ⎢ ░ ░ 1 1 1 ⎥
1 ⎢ ░ ░ ░ ░ ░ ⎥
    a b c d e
mines: 2, flags: 1, open: 9 of 18
""",
        ),
        (
            "emoji",
            """
4 ⎢ ⬜️⬜️1️⃣🌿🌿 ⎥
3 ⎢ ⬜️🚩1️⃣🌿🌿 ⎥
2 ⎢ ⬜️⬜️1️⃣1️⃣1️⃣ ⎥
1 ⎢ ⬜️⬜️⬜️⬜️⬜️ ⎥
    a b c d e
mines: 2, flags: 1, open: 9 of 18
""",
        ),
    ],
)
def test_a_board_is_drawn_with_the_lowest_row_below(style: Style, drawing: str) -> None:
    view = played(playing(FIELD), "dig e4", "flag b3").view(0)
    assert GAME.draw(view, style) == drawing.strip("\n")


def test_after_the_end_all_is_shown_and_the_mine_that_was_dug_stands_out() -> None:
    view = played(playing(FIELD), "dig e4", "dig b3").view(0)
    assert GAME.draw(view, "ascii").splitlines()[:4] == [
        "4 | 1 1 1 . . |",
        "3 | 1 X 1 . . |",
        "2 | 1 1 1 1 1 |",
        "1 | . . . 1 * |",
    ]
    assert "💥" in GAME.draw(view, "emoji")
    assert "💣" in GAME.draw(view, "emoji")


def test_a_spectator_of_a_race_sees_how_far_each_seat_is_and_at_the_end_the_field() -> None:
    position = played(playing(FIELD, "race", 3), "0 dig e4", "1 dig b3").withdraw(2, "gone")
    progress = ["mines: 2", "opened by seats 0 to 2: 9, 0 (mine), 0 (gone)"]
    assert GAME.draw(position.view(None), "ascii").splitlines() == progress
    ended = GAME.draw(position.adjudicate("draw", "agreed").view(None), "ascii").splitlines()
    assert ended[2:] == ["2 | 1 1 1 1 1 |", "1 | . . . 1 * |", "    a b c d e", *progress]


def test_columns_beyond_z_have_their_letters_below_each_other() -> None:
    lines = GAME.draw(started(level="expert").view(0), "ascii").splitlines()
    assert lines[0].startswith("16 | # #")
    assert lines[15].startswith(" 1 | # #")
    assert lines[16].split() == list("abcdefghijklmnopqrstuvwxyzaaaa")
    assert lines[17].split() == list("abcd")
    assert lines[17].index("a") == lines[16].rindex("a") - 6


@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert"])
@pytest.mark.parametrize("style", ["ascii", "unicode"])
def test_every_level_fits_80_by_24(level: str, style: Style) -> None:
    lines = GAME.draw(started(8, level=level, mode="race").view(0), style).splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 78


def test_numbers_are_keycaps_from_0_to_8() -> None:
    assert [number_to_emoji(number)[0] for number in range(9)] == list("012345678")
    for number in (-1, 9):
        with pytest.raises(ValueError, match="0 to 8"):
            number_to_emoji(number)
