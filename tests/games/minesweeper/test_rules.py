"""Games of Minesweeper, alone, together and in a race, on hand-drawn fields; and what nobody gets to see."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from itertools import permutations, product

import pytest

from tablero_games import IllegalMove, Position, Seat
from tablero_games.minesweeper.field import generate_map
from tablero_games.minesweeper.grid import grid_of
from tablero_games.minesweeper.rules import MinesweeperPosition
from tablero_games.position import Json
from tablero_games.record.commitment import opening
from tests.harness.games.minesweeper import GAME, SlowField, board, played, playing, started

VARIANTS: list[dict[str, Json]] = [
    {"width": 5, "height": 4, "mines": 4},
    {"width": 4, "height": 4, "mines": 3, "firstDig": "cell"},
    {"width": 6, "height": 5, "mines": 6, "noGuess": True},
    {"width": 28, "height": 1, "mines": 4},
    {"width": 6, "height": 5, "mines": 6, "mode": "coop", "seats": 2},
    {"width": 5, "height": 4, "mines": 4, "mode": "coop", "seats": 3, "firstDig": "cell", "noGuess": True},
    {"width": 5, "height": 4, "mines": 4, "mode": "race", "seats": 2},
    {"width": 5, "height": 4, "mines": 5, "mode": "race", "seats": 3, "noGuess": True},
    {"width": 4, "height": 3, "mines": 4, "mode": "race", "seats": 8, "firstDig": "cell"},
]
PLAYTHROUGH: dict[str, Json] = {"width": 8, "height": 4, "mines": 5, "mode": "coop", "seats": 2}

TWO_OPENINGS = "..*.. ..*.. ..*.."
SOLO_WIN = ["dig a1", "dig e1"]


def twin(position: Position, seat: Seat) -> MinesweeperPosition | None:
    """Another field behind the same open cells: one mine that no open number counts lies elsewhere."""
    assert isinstance(position, MinesweeperPosition)
    if position.field is None:
        return replace(position, seed=position.seed + 1)
    if position.outcome is not None:
        return None
    grid = grid_of(position.options.height, position.options.width)
    race = position.options.mode == "race"
    seen = position.boards[seat if race else 0]
    bombs = {cell for cell, content in enumerate(position.field) if content == ord("*")}
    unseen = [
        cell
        for cell, content in enumerate(seen)
        if content in b"#F" and all(seen[other] in b"#F*" for other in grid.around[cell])
    ]
    for mine, free in permutations(unseen, 2):
        if mine in bombs and free not in bombs:
            field = generate_map(grid.height, grid.width, bombs - {mine} | {free})
            boards = [
                board
                if not race or other == seat
                else bytes(now if was not in b"#F" else was for was, now in zip(board, field, strict=True))
                for other, board in enumerate(position.boards)
            ]
            return replace(position, field=field, boards=tuple(boards))
    return None


def ended(position: MinesweeperPosition) -> tuple[str, set[Seat], str]:
    """How a game ended, who won and why."""
    assert position.outcome is not None
    return position.outcome.kind, set(position.outcome.winners), position.outcome.reason


def placed(
    position: MinesweeperPosition,
) -> tuple[tuple[int, ...] | None, tuple[tuple[Seat, ...], ...] | None]:
    """Scores and ranking of a game that has ended."""
    assert position.outcome is not None
    return position.outcome.scores, position.outcome.ranking


class TestAlone:
    def test_opening_every_safe_cell_wins(self) -> None:
        position = played(playing(TWO_OPENINGS), *SOLO_WIN)
        assert ended(position) == ("win", {0}, "cleared")
        assert placed(position) == ((12,), None)

    def test_flags_are_not_needed_and_wrong_ones_do_not_matter(self) -> None:
        assert ended(played(playing(TWO_OPENINGS), "flag c1", "flag c2", *SOLO_WIN))[0] == "win"

    def test_digging_a_mine_loses(self) -> None:
        position = played(playing(TWO_OPENINGS), "dig a1", "dig c1")
        assert ended(position) == ("loss", set(), "mine")
        assert placed(position) == ((6,), None)
        assert position.view(0)["players"] == [{"opened": 6, "out": "mine"}]

    @pytest.mark.parametrize("reason", ["resign", "time", "gone"])
    def test_withdrawing_loses(self, reason: Json) -> None:
        assert ended(playing(TWO_OPENINGS).withdraw(0, reason)) == ("loss", set(), reason)

    @pytest.mark.parametrize("first_dig", ["zone", "cell"])
    def test_the_first_dig_is_never_a_mine(self, first_dig: str) -> None:
        for seed, cell in product(range(10), ["a1", "c3", "e2"]):
            position = started(1, seed, width=5, height=4, mines=7, firstDig=first_dig)
            assert "*" not in board(played(position, "flag b2", "flag d3", f"dig {cell}"))

    def test_there_is_no_field_before_the_first_dig(self) -> None:
        position = played(started(level="expert"), "flag a1", "unflag a1", "flag b1")
        assert position.field is None
        assert "field" not in position.withdraw(0, "resign").view(0)
        assert played(position, "dig h8").field is not None

    def test_a_field_without_mines_is_cleared_by_one_dig(self) -> None:
        assert ended(played(started(width=50, height=50, mines=0), "dig ax50"))[0] == "win"


class TestTogether:
    def test_all_dig_one_board_and_each_is_credited_with_what_it_opened(self) -> None:
        position = played(playing(TWO_OPENINGS, "coop", 3), "0 dig a1", "2 dig d1")
        assert board(position, 0) == board(position, 1) == board(position, 2) == "02### 03### 02#2#"
        assert [player["opened"] for player in position.view(1)["players"]] == [6, 0, 1]

    def test_clearing_the_board_wins_for_all_who_are_still_there(self) -> None:
        position = played(playing(TWO_OPENINGS, "coop", 3), "0 dig a1").withdraw(0, "gone")
        position = played(position, "2 dig e1")
        assert ended(position) == ("win", {1, 2}, "cleared")
        assert placed(position) == ((6, 0, 6), None)

    def test_one_mine_ends_it_for_all(self) -> None:
        position = played(playing(TWO_OPENINGS, "coop", 2), "0 dig a1", "1 dig c3")
        assert ended(position) == ("loss", set(), "mine")
        assert placed(position) == ((6, 0), None)
        assert [player.out for player in position.players] == [None, "mine"]

    def test_when_the_last_leaves_it_is_lost(self) -> None:
        position = playing(TWO_OPENINGS, "coop", 2).withdraw(1, "resign")
        assert position.to_move == {0}
        assert ended(position.withdraw(0, "time")) == ("loss", set(), "time")

    def test_anybody_may_take_off_anybodys_flag(self) -> None:
        position = played(playing(TWO_OPENINGS, "coop", 2), "0 flag b1", "1 unflag b1", "1 dig b1")
        assert board(position) == "##### ##### #2###"

    def test_a_spectator_sees_the_board(self) -> None:
        position = played(playing(TWO_OPENINGS, "coop", 2), "0 dig a1")
        assert position.view(None) == position.view(0)


class TestInARace:
    def test_all_have_the_same_field_and_the_same_opening(self) -> None:
        position = started(4, level="intermediate", mode="race")
        assert len({board(position, seat) for seat in range(4)}) == 1
        opened = 256 - board(position).count("#")
        assert opened > 0
        assert [player.opened for player in position.players] == [opened] * 4

    @pytest.mark.parametrize("first_dig", ["zone", "cell"])
    def test_the_opening_is_never_a_mine(self, first_dig: str) -> None:
        for seed in range(20):
            assert "*" not in board(started(2, seed, mode="race", firstDig=first_dig, mines=60))

    def test_each_seat_sees_its_own_board_and_of_others_how_far_they_are(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 2), "0 dig a1", "1 dig d1", "1 flag c2")
        assert board(position, 0) == "02### 03### 02###"
        assert board(position, 1) == "##### ##F## ###2#"
        assert position.view(0)["players"] == [{"opened": 6, "out": None}, {"opened": 1, "out": None}]

    def test_a_spectator_sees_only_how_far_they_are(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 2), "0 dig a1")
        assert position.view(None) == {
            "mode": "race",
            "width": 5,
            "height": 3,
            "mines": 3,
            "cells": None,
            "players": [{"opened": 6, "out": None}, {"opened": 0, "out": None}],
        }

    def test_it_ends_when_one_seat_has_cleared(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 3), "1 dig a1", "2 dig d1", "1 dig e1")
        assert ended(position) == ("win", {1}, "cleared")
        assert placed(position) == ((0, 12, 1), ((1,), (2,), (0,)))

    def test_a_mine_puts_one_seat_out_and_the_rest_race_on(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 3), "0 dig a1", "0 dig c1")
        assert position.to_move == {1, 2}
        assert position.view(1)["players"][0] == {"opened": 6, "out": "mine"}
        with pytest.raises(IllegalMove, match="You are out") as refused:
            position.play(0, "dig e1")
        assert refused.value.code == "notYourTurn"

    @pytest.mark.parametrize(
        ("moves", "winners", "ranking"),
        [
            ("0 dig d1, 1 dig a1, 0 dig c1, 1 dig c1", {1}, ((1,), (0,))),
            ("1 dig a1, 0 dig a1, 0 dig c1, 1 dig c1", {1}, ((1,), (0,))),
            ("0 dig a1, 1 dig a1, 0 dig c1, 1 dig c1", {0}, ((0,), (1,))),
            ("0 dig a1, 1 dig a1, 0 flag c3, 0 dig c1, 1 dig c1", {0}, ((0,), (1,))),
            ("0 dig c1, 1 dig c1", set(), ((0, 1),)),
        ],
    )
    def test_when_all_are_out_more_cells_win_and_of_equals_the_earlier(
        self, moves: str, winners: set[Seat], ranking: Json
    ) -> None:
        position = played(playing(TWO_OPENINGS, "race", 2), *moves.split(", "))
        assert ended(position) == ("win" if winners else "draw", winners, "out")
        assert placed(position)[1] == ranking

    def test_a_chord_counts_the_safe_cells_that_it_opened_beside_a_mine(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 2), "dig b1", "flag a1", "flag a2", "chord b1")
        assert board(position) == "##### F3*## F2*##"
        assert (position.players[0].out, position.players[0].opened) == ("mine", 2)

    def test_it_goes_on_without_a_seat_that_withdraws_but_keeps_its_place(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 3), "0 dig a1", "1 dig b1").withdraw(0, "gone")
        assert position.to_move == {1, 2}
        position = played(position, "2 dig c1").withdraw(1, "resign")
        assert ended(position) == ("win", {0}, "out")
        assert placed(position) == ((6, 1, 0), ((0,), (1,), (2,)))

    def test_an_opening_that_clears_all_is_a_draw(self) -> None:
        position = started(2, mode="race", mines=0)
        assert ended(position) == ("draw", set(), "cleared")
        assert placed(position) == ((81, 81), ((0, 1),))


@pytest.mark.parametrize(("mode", "seats"), [("solo", 1), ("coop", 2), ("race", 2)])
def test_everybody_may_agree_to_stop(mode: str, seats: int) -> None:
    position = played(playing(TWO_OPENINGS, mode, seats), "0 dig a1").adjudicate("draw", "agreed")
    assert ended(position) == ("draw", set(), "agreed")
    assert not position.to_move


class TestWhoSeesTheField:
    @pytest.mark.parametrize("mode", ["race", "coop"])
    def test_a_seat_that_is_out_does_not_see_it_while_others_play(self, mode: str) -> None:
        position = playing(TWO_OPENINGS, mode, 3).withdraw(1, "resign")
        if mode == "race":
            position = played(position, "0 dig c1")
        for seat in (0, 1, 2, None):
            assert position.view(seat).keys().isdisjoint({"field", "threeBv"})

    def test_a_seat_that_is_out_sees_its_own_board_and_the_mine_that_it_hit(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 3), "0 dig a1", "0 dig c1", "1 dig e1")
        assert board(position, 0) == "02### 03### 02*##"

    def test_everybody_sees_it_after_the_end_with_its_3bv(self) -> None:
        position = played(playing(TWO_OPENINGS, "race", 2), "0 dig a1", "0 dig e1")
        for seat in (0, 1, None):
            view = position.view(seat)
            assert view["field"] == ["02*20", "03*30", "02*20"]
            assert view["threeBv"] == 2

    def test_the_text_of_a_position_tells_neither_field_nor_seed(self) -> None:
        position = started(2, 987654321, mode="race", width=5, height=5, mines=4)
        assert position.field is not None
        assert position.field.decode() not in repr(position)
        assert "987654321" not in repr(position)


class TestHiddenInformation:
    @pytest.mark.parametrize(
        "moves",
        [
            "0 dig a1",
            "0 dig a1, 1 dig c3, 0 flag c2",
            "0 dig b2, 1 dig a3, 1 flag b1, 0 dig c1",
            "0 dig b2, 0 flag a1, 0 chord b2, 1 dig b2",
        ],
    )
    @pytest.mark.parametrize(("mode", "seats"), [("solo", 1), ("coop", 2), ("race", 2)])
    def test_fields_that_look_alike_cannot_be_told_apart(self, mode: str, seats: int, moves: str) -> None:
        """Of all fields with two mines, those that show a seat the same cells and progress."""
        views = defaultdict(set)
        for bombs in permutations([(x, y) for y in range(3) for x in range(3)], 2):
            position = playing(SlowField(3, 3, set(bombs)), mode, seats)
            for move in moves.split(", "):
                seat = min(int(move[0]), seats - 1)
                if move[2:] in position.legal_moves(seat):
                    position = position.play(seat, move[2:])
            for viewer in range(seats):
                if viewer in position.to_move:
                    cells = position.boards[viewer if mode == "race" else 0]
                    progress = tuple((player.opened, player.out) for player in position.players)
                    views[viewer, cells, progress].add(json.dumps(position.view(viewer)))
        assert views
        assert all(len(texts) == 1 for texts in views.values())

    def test_refusals_are_the_same_for_every_field(self) -> None:
        told = set()
        for picture in ("*.. ... ..*", "..* ... *..", "... .*. .*."):
            position = played(playing(picture), "flag a1")
            for move in ("dig a1", "flag a1", "unflag b1", "chord b2", "dig d4"):
                with pytest.raises(IllegalMove) as refused:
                    position.play(0, move)
                told.add((move, refused.value.sentence))
        assert len(told) == 5

    @pytest.mark.parametrize("variant", VARIANTS, ids=str)
    def test_a_twin_has_another_field_and_the_same_view(self, variant: dict[str, Json]) -> None:
        position = GAME.start(seed=5, **variant)
        other = twin(position, 0)
        if other is not None:
            assert other != position
            assert json.dumps(other.view(0)) == json.dumps(position.view(0))

    def test_the_salt_of_the_commitment_changes_nothing(self) -> None:
        number = (123 << 128) + 7
        assert started(2, number, mode="race") == started(2, 7, mode="race")
        assert started(2, int(opening(number)["seed"], 16), mode="race") == started(2, number, mode="race")


class TestRefusals:
    def test_nobody_plays_on_a_seat_that_is_not_there(self) -> None:
        with pytest.raises(IllegalMove, match="seats are 0 to 1"):
            playing(TWO_OPENINGS, "race", 2).play(2, "dig a1")
        assert playing(TWO_OPENINGS, "race", 2).legal_moves(2) == ()

    def test_nobody_plays_after_the_end(self) -> None:
        position = played(playing(TWO_OPENINGS), *SOLO_WIN)
        with pytest.raises(IllegalMove) as refused:
            position.play(0, "dig a1")
        assert refused.value.code == "gameOver"

    def test_who_is_out_cannot_withdraw_again(self) -> None:
        position = playing(TWO_OPENINGS, "race", 3).withdraw(1, "gone")
        with pytest.raises(IllegalMove, match="You are out"):
            position.withdraw(1, "resign")


def test_a_view_is_enough_to_know_ones_moves() -> None:
    position = played(playing(TWO_OPENINGS, "race", 3), "0 dig b1", "0 flag c1", "1 dig c1")
    for seat in range(3):
        assert GAME.legal_moves(position.view(seat), seat) == position.legal_moves(seat)
    assert GAME.legal_moves(position.view(None), 0) == ()
