"""What each action does to a Minesweeper board: by hand, and against slow rules on every small field."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from tablero_games.minesweeper.board import apply_user_action, legal_moves, lose, read_move, revealed, win
from tablero_games.minesweeper.grid import grid_of
from tablero_games.refusals import IllegalMove
from tests.harness.games.minesweeper import SlowBoard, board, every_field, name_of, played, playing

FIELD = "..... .*... ..... ....*"


@pytest.mark.parametrize(
    ("moves", "seen"),
    [
        ("", "##### ##### ##### #####"),
        ("dig a4", "1#### ##### ##### #####"),
        ("dig e4", "##100 ##100 ##111 #####"),
        ("flag b3", "##### #F### ##### #####"),
        ("flag b3, unflag b3", "##### ##### ##### #####"),
        ("flag c2, flag a1, dig e4", "##100 ##100 ##111 F####"),
        ("dig b2, flag b3, chord b2", "##### 1F1## 1111# 0001#"),
        ("dig b2, flag a3, chord b2", "##### F*1## 1111# 0001#"),
        ("dig b3", "##### #*### ##### #####"),
    ],
)
def test_an_action_shows_what_it_opens(moves: str, seen: str) -> None:
    assert board(played(playing(FIELD), *filter(None, moves.split(", ")))) == seen


@pytest.mark.parametrize(
    ("moves", "refused", "why"),
    [
        ("dig a4", "dig a4", "Cell a4 is open already."),
        ("dig a4", "flag a4", "Cell a4 is open already."),
        ("flag a4", "dig a4", "There is a flag on a4; take it off first."),
        ("flag a4", "flag a4", "There is a flag on a4; take it off first."),
        ("", "unflag a4", "There is no flag on a4."),
        ("dig a4", "unflag a4", "There is no flag on a4."),
        ("", "chord a4", "Cell a4 shows no number; a chord digs around an open number."),
        ("flag a4", "chord a4", "Cell a4 shows no number; a chord digs around an open number."),
        ("dig a4", "chord a4", "A chord on a4 needs flags around it: 1, not 0."),
        ("dig a4, flag a3, flag b3", "chord a4", "A chord on a4 needs flags around it: 1, not 2."),
        ("dig e4", "chord e4", "There is nothing left to dig around e4."),
        ("", "dig f1", "There is no cell 'f1'; the cells are a1 (bottom left) to e4."),
        ("", "dig a01", "There is no cell 'a01'; the cells are a1 (bottom left) to e4."),
        ("", "digg a1", "A move is dig, flag, unflag, chord and a cell, like 'dig c4'; not 'digg a1'."),
        ("", "", "A move is dig, flag, unflag, chord and a cell, like 'dig c4'; not ''."),
    ],
)
def test_an_impossible_action_is_refused_with_the_reason(moves: str, refused: str, why: str) -> None:
    position = played(playing(FIELD), *filter(None, moves.split(", ")))
    with pytest.raises(IllegalMove) as error:
        position.play(0, refused)
    assert (error.value.code, error.value.sentence) == ("illegalMove", why)


def test_moves_are_read_whatever_their_case_and_spaces() -> None:
    assert read_move(grid_of(9, 30), "  Dig\tAC7 ") == ("dig", 6 * 30 + 28)


def test_flags_may_stand_on_every_cell() -> None:
    position = playing(FIELD)
    for move in [move for move in position.legal_moves(0) if move.startswith("flag")]:
        position = position.play(0, move)
    assert position.legal_moves(0) == [f"unflag {name}" for name in grid_of(4, 5).names]


def test_legal_moves_go_by_action_and_then_along_the_rows() -> None:
    position = played(playing(".* .. .*"), "dig a3", "dig a1", "flag b1", "flag b3")
    assert list(position.legal_moves(0)) == [
        "dig a2", "dig b2", "flag a2", "flag b2", "unflag b1", "unflag b3", "chord a1", "chord a3",
    ]  # fmt: skip


def test_chords_go_along_the_rows_on_a_wide_board_too() -> None:
    moves = legal_moves(grid_of(2, 30), b"#F" + b"#" * 28 + b"111" + b"#" * 27)
    assert moves[-4:] == ["unflag b1", "chord a2", "chord b2", "chord c2"]


@pytest.mark.parametrize(
    ("cells", "mines", "safe_open", "won", "lost"),
    [
        (b"1#", 1, 1, True, False),
        (b"1F", 1, 1, True, False),
        (b"1*", 1, 1, False, True),
        (b"##", 1, 0, False, False),
    ],
)
def test_a_board_is_won_when_all_safe_cells_and_no_mine_are_open(
    cells: bytes, mines: int, safe_open: int, won: bool, lost: bool
) -> None:
    assert (revealed(cells), win(cells, mines), lose(cells)) == (safe_open, won, lost)


def test_a_mine_opened_with_the_last_safe_cells_loses() -> None:
    position = played(playing("*. .."), "dig b2", "flag a1", "chord b2")
    assert board(position) == "*1 F1"
    assert position.outcome is not None
    assert (position.outcome.kind, position.outcome.reason) == ("loss", "mine")


@pytest.mark.parametrize(
    ("width", "height", "step"), [(3, 2, 1), (2, 3, 1), (3, 3, 1), (4, 3, 29), (4, 4, 299)]
)
def test_random_games_on_small_fields_go_as_told_to_a_person(width: int, height: int, step: int) -> None:
    grid = grid_of(height, width)
    for number, field in enumerate(islice(every_field(width, height), 0, None, step)):
        choose, slow, cells, text = Random(number), SlowBoard(field), b"#" * len(field.spots), field.text()
        while True:
            assert (win(cells, len(field.bombs)), lose(cells)) == (slow.won(), slow.lost())
            if slow.lost() or slow.won():
                break
            moves = {f"{action} {name_of(spot)}": (action, spot) for action, spot in slow.moves()}
            assert set(legal_moves(grid, cells)) == set(moves)
            move = choose.choice(sorted(moves))
            cells = apply_user_action(grid, text, cells, *read_move(grid, move))
            slow.play(*moves[move])
            assert cells == slow.text()
