"""A position as lines: what is drawn of it, at which size, and what stands below."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.catalogue.speech import speak
from tablero.playing.board_lines import UNLIMITED, board_lines, position_lines, text_of
from tablero_games import GAMES
from tablero_games.play import Play
from tablero_protocol.messages import NextPlayer
from tests.harness.rig import ANA, BEN, HARD, Rig, turn

EXPERT: dict[str, Any] = {"width": 30, "height": 16, "mines": 99}


def drawn(game: str, moves: str = "", *, seat: int = 0, size: Any = UNLIMITED, **options: Any) -> list[str]:
    """What Ana on seat 0, or Ben, sees after these moves."""
    play = Play.begin(GAMES[game], options=options)
    for move in moves.split(",") if moves else []:
        play = play.turn(play.to_move[0], move)
    last = None if play.last is None else play.last["move"]
    names = ["Ana", "Ben"][: len(play.plies)]
    lines = position_lines(game, play.position.view(seat), names, "ascii", size, last=last, turned=seat == 1)
    return text_of(lines).split("\n")


def test_the_last_move_and_the_line_that_won_are_marked_by_signs() -> None:
    assert drawn("tic-tac-toe", "a1,b2")[2] == "2    |(O)|"
    assert drawn("tic-tac-toe", "a1,b2,a2,c3,a3")[:5:2] == ["3 *X*|   | O", "2 *X*| O |", "1 *X*|   |"]
    assert drawn("connect-four", "4,4")[4] == "2  .  .  . (O) .  .  ."
    assert drawn("connect-four", "1,2,1,2,1,2,1")[2] == "4 *X* .  .  .  .  .  ."
    assert drawn("dots-and-boxes", "c1h")[10] == "1 +   +   +(-)+   +   +"
    assert drawn("quoridor", "e2")[14] == "2  .   .   .   .  (X)  .   .   .   ."
    assert drawn("minesweeper", "flag a9")[0] == "9 (F)# # # # # # # #"


def test_the_score_of_dots_and_boxes_is_always_below() -> None:
    assert drawn("dots-and-boxes")[-1] == "X Ana: 0, O Ben: 0"
    assert drawn("dots-and-boxes", "a1h,a1v,b1v,a2h,c1h")[-1] == "X Ana: 0, O Ben: 1"
    assert drawn("dots-and-boxes", "a1h", size=(10, 40))[-2:] == ["X Ana: 0", "O Ben: 0"]


def test_quoridor_is_seen_from_the_own_side_with_the_walls_that_are_left() -> None:
    ours, theirs = drawn("quoridor", "e2,e8h"), drawn("quoridor", "e2,e8h", seat=1)
    assert [line[0] for line in ours[:17:2]] == list("987654321")
    assert [line[0] for line in theirs[:17:2]] == list("123456789")
    assert ours[17].split() == list("abcdefghi")
    assert theirs[17].split() == list("ihgfedcba")
    assert ours[18] == theirs[18] == "X Ana: 10 walls, O Ben: 9 walls"
    assert ours[1] == " " * 18 + "(=====)"


def test_in_few_rows_walls_of_quoridor_underline_the_cells_above_them() -> None:
    moves = "e3h,b4v,e2,e8"
    assert drawn("quoridor", "e3h", size=(60, 20))[5] == "4  .   .   .   .  (.___.)  .   .   ."
    ours = drawn("quoridor", moves, size=(60, 20))
    assert len(ours) == 11
    assert ours[5] == "4  .   . # .   .  _.___._  .   .   ."
    assert ours[4] == "5  .   . # .   .   .   .   .   .   ."
    theirs = drawn("quoridor", moves, seat=1, size=(60, 20))
    assert theirs[2] == "3  .   .   .  _.___._  .   .   .   ."
    assert drawn("quoridor", "e2,g2h,e3,e8,f3,e7,g3", size=(60, 20))[6].endswith("(X)__._  .")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_every_default_board_leaves_room_for_what_is_said(game: str, size: tuple[int, int]) -> None:
    lines = drawn(game, size=size)
    assert len(lines) <= size[1] - 3
    assert max(map(len, lines)) <= size[0]


def test_an_experts_minefield_is_packed_where_there_are_few_columns_and_else_says_what_it_needs() -> None:
    wide, packed = drawn("minesweeper", **EXPERT), drawn("minesweeper", size=(60, 40), **EXPERT)
    assert (wide[0], packed[0]) == ("16 " + " #" * 30, "16 " + "#" * 30)
    assert packed[-3:-1] == ["   abcdefghijklmnopqrstuvwxyzaaaa", " " * 29 + "abcd"]
    narrow = drawn("minesweeper", size=(30, 20), **EXPERT)
    assert narrow == [
        "The board needs 35 columns. The terminal has 30.",
        "mines: 99, flags: 0, open: 0 of 381",
    ]


@pytest.mark.parametrize("mode", ["solo", "race"])
def test_an_experts_minefield_stays_in_sight_in_twenty_rows(mode: str) -> None:
    play = Play.begin(GAMES["minesweeper"], 2 if mode == "race" else 1, options={**EXPERT, "mode": mode})
    names = ["Ana", "Bartholomew"][: len(play.plies)]
    view = play.position.view(0)
    lines = text_of(position_lines("minesweeper", view, names, "ascii", (60, 20))).split("\n")
    assert len(lines) == 18
    assert max(map(len, lines)) <= 60
    beside = [line[36:] for line in lines[:5]]
    if mode == "solo":
        assert beside == ["mines: 99, flags: 0,", "open: 0 of 381", "", "", ""]
    else:
        assert [words.partition(":")[0] for words in beside] == ["mines", "open", *names, ""]


def test_in_a_race_it_is_seen_who_has_opened_how_much() -> None:
    play = Play.begin(GAMES["minesweeper"], 2, options={"mode": "race"}).turn(1, "dig c3").withdraw(1, "time")
    lines = position_lines("minesweeper", play.position.view(0), ["Ana", "Ben"], "ascii")
    ana, ben = (player["opened"] for player in play.position.view(0)["players"])
    assert text_of(lines).split("\n")[-1] == f"Ana: {ana}, Ben: {ben} (time)"


def test_a_board_says_who_has_which_mark() -> None:
    event = turn(3, "0...1....")
    assert isinstance(event, NextPlayer)
    assert text_of(board_lines(Rig().room(ANA, BEN), event, "ascii")).endswith("\nX you, O Ben")
    assert text_of(board_lines(Rig().room(BEN, None), event, "unicode")).endswith("\n✕ Ben, ◉ seat 1")


def test_what_a_server_puts_into_a_position_moves_no_cursor() -> None:
    view = {**GAMES["minesweeper"].start().view(0), "cells": ["\x1b" * 9] * 9}
    assert "\x1b" not in text_of(position_lines("minesweeper", view, ["Ana"], "ascii"))
    assert "\x1b" not in text_of(position_lines("go", {"board": "\x1b"}, ["Ana\x1b"], "ascii"))
    drawn = text_of(position_lines("go", {}, ["Ana"], "ascii", drawing="1 | X \x1b |"))
    assert drawn.startswith("1 | X   |")


def test_what_stands_below_is_said_in_the_readers_language() -> None:
    speak("es")
    assert drawn("quoridor")[-1] == "X Ana: 10 muros, O Ben: 10 muros"


def test_whoever_plays_downwards_sees_the_board_from_there() -> None:
    room = Rig().room(BEN, ANA, game="quoridor")
    event = turn(3, view=GAMES["quoridor"].start().view(1), seat=1)
    assert isinstance(event, NextPlayer)
    assert text_of(board_lines(room, event, "ascii")).startswith("1  ")
    watched = event.model_copy(update={"seat": None})
    watching = Rig().room(BEN, HARD, game="quoridor")
    assert text_of(board_lines(watching, watched, "ascii")).startswith("9  ")
