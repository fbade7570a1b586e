"""Minesweeper as a board, its typed moves, and its lines of text."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from tablero.catalogue.speech import speak
from tablero.games import client_game
from tablero.games.minesweeper.board import MinesweeperBoard, emoji_columns, progress, side, unseen, why
from tablero.table_view.board import Marks, board_of
from tablero_games import GAMES

VIEW = {
    "mode": "solo",
    "width": 4,
    "height": 2,
    "mines": 2,
    "cells": ["01F#", "01##"],
    "players": [{"opened": 4, "out": None}],
}


def board(**more: object) -> MinesweeperBoard:
    made = board_of("minesweeper", {**VIEW, **more}, glyphs="ascii")
    assert isinstance(made, MinesweeperBoard)
    return made


def test_cells_are_drawn_from_the_lowest_row_up() -> None:
    assert board().draw(Marks(cursor="d1", last="dig a1")).text() == "2    1 # #\n1 ( )1 F[#]\n   a b c d"


def test_a_dug_mine_is_seen_at_the_end() -> None:
    over = board(cells=["01F*", "01##"], field=["011*", "01*1"], outcome={})
    assert over.draw(Marks()).text() == "2    1 * 1\n1    1 1 X\n   a b c d"


def test_what_a_key_does_depends_on_the_cell() -> None:
    assert board().move("d1") == "dig d1"
    assert board().move("b1") == "chord b1"
    assert board().move("d1", "flag") == "flag d1"
    assert board().move("c1", "flag") == "unflag c1"
    assert board().move("a1", "chord") == "chord a1"


def test_the_next_unknown_cell_is_covered_and_beside_an_open_one() -> None:
    assert board().next_unknown("a1") == "c2"
    assert board().next_unknown("c2") == "c2"
    covered = board(cells=["####", "####"])
    assert covered.next_unknown("d2") == "a1"


def test_progress_and_mines_left() -> None:
    assert (board().note, board().facts(0)) == ("mines left: 1", "66 %")
    assert board(mines=8, cells=["FFFF", "####"]).facts(0) == "100 %"


def test_a_race_that_is_only_watched_has_no_cells() -> None:
    hidden = board(mode="race", cells=None)
    assert hidden.draw(Marks()).text().split("\n")[0] == "2"
    assert hidden.note == "mines left: 2"


def test_the_cursor_stays_on_the_board() -> None:
    assert board().first_target(()) == "c2"
    assert board().walk("d2", 1, 1) == "d2"
    assert board().walk("a1", 1, 0) == "b1"
    assert [*board().legal_targets(["dig a1"])] == []
    assert board().target_at(*board().area("d1")[:2]) == "d1"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("c4", "dig c4"),
        ("b1", "chord b1"),
        ("aa1", "dig aa1"),
        ("f c4", "flag c4"),
        ("d  C4", "dig c4"),
        ("c4 f", "flag c4"),
        ("c4 flag", "flag c4"),
        ("dig c4", "dig c4"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_move_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert client_game("minesweeper").read_move(typed, {"cells": ["01F#", "01##"]}) == meant


def test_without_a_position_a_cell_is_dug() -> None:
    assert client_game("minesweeper").read_move("b1", None) == "dig b1"


@pytest.fixture(autouse=True)
def english() -> None:
    speak("en")


def view_of(mode: str, **player: Any) -> dict[str, Any]:
    view = GAMES["minesweeper"].start(1 if mode == "solo" else 2, mode=mode).view(0)
    view["players"][-1] |= player
    return view


@pytest.mark.parametrize(
    ("player", "told"), [({"opened": 5}, "5"), ({"opened": 5, "out": "resign"}, "5 (resign)")]
)
def test_a_side_has_opened_cells_and_may_be_out(player: dict[str, Any], told: str) -> None:
    assert side(view_of("race", **player), 1) == told


def test_alone_there_are_no_sides() -> None:
    assert side(view_of("solo"), 0) is None


def test_how_far_a_rival_is_is_told_instead_of_its_moves() -> None:
    assert unseen(view_of("race", opened=5), 1, "Ben", str.upper) == "Ben has opened 5 of 71 cells."
    out = unseen(view_of("race", opened=5, out="mine"), 1, "Ben", str.upper)
    assert out == "Ben is out (MINE) with 5 of 71 cells open."


def test_a_cell_in_emoji_takes_two_columns() -> None:
    assert emoji_columns(view_of("solo")) == 2 * 9 + 6


def test_the_progress_is_that_of_the_rules() -> None:
    assert "10" in progress(view_of("solo"))


@pytest.mark.parametrize(
    ("opened", "reason", "told"),
    [
        ((41, 55), "out", "all are out; the winner opened most, 55 of 71 cells"),
        ((55, 55), "out", "all are out; the winner opened 55 of 71 cells first"),
        ((71, 55), "cleared", None),
    ],
)
def test_a_race_that_nobody_cleared_has_a_winner_all_the_same(
    opened: tuple[int, int], reason: str, told: str | None
) -> None:
    view = view_of("race", opened=opened[1])
    view["players"][0]["opened"] = opened[0]
    assert why(view, {"kind": "win", "winners": [1], "reason": reason}) == told
    assert why(view_of("solo"), {"kind": "loss", "winners": [], "reason": reason}) is None


def test_in_emoji_every_cell_is_one_and_takes_two_columns() -> None:
    view = view_of("solo") | {"cells": ["01234567", "8#F*0000"], "width": 8, "height": 2}
    drawn = board_of("minesweeper", view, glyphs="emoji").draw(Marks()).text()
    for each in ["🌿", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "⬜", "🚩", "💣"]:
        assert each in drawn
    lines = [line for line in drawn.split("\n") if "🌿" in line]
    assert len({cell_len(line) for line in lines}) == 1
