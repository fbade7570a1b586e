"""A game being played: whose plies count, how a move is kept, and what each seat is shown and told."""

from __future__ import annotations

import json

import pytest

from tablero_games import GAMES, BadOptions, IllegalMove, Play
from tablero_games.position import Counts, Json, Position

RACE: dict[str, Json] = {"mode": "race", "width": 6, "height": 5, "mines": 5}


def begun(game: str, seats: int | None = None, **options: Json) -> Play:
    return Play.begin(GAMES[game], seats, seed=3, options=options)


def flagged(play: Play, *seats: int) -> Play:
    """Each of `seats` puts a flag somewhere, which changes nothing but its own board."""
    for seat in seats:
        play = play.turn(seat, next(move for move in play.position.legal_moves(seat) if move[:4] == "flag"))
    return play


def is_out(play: Play) -> bool:
    return play.position.outcome is None and 0 not in play.position.playing


@pytest.mark.parametrize(
    ("game", "options", "counts", "expected"),
    [
        ("tic-tac-toe", {}, "all", [0, 0]),
        ("minesweeper", RACE, "own", [2, 1]),
        ("minesweeper", {**RACE, "mode": "coop"}, "none", [None, None]),
    ],
    ids=["turns", "race", "coop"],
)
def test_the_ply_that_a_turn_names_is_counted_as_the_game_says(
    game: str, options: dict[str, Json], counts: Counts, expected: list[int | None]
) -> None:
    play = begun(game, 2, **options)
    assert play.counts == counts
    if game == "minesweeper":
        play = flagged(play, 0, 1, 0)
    assert [play.expected_ply(seat) for seat in (0, 1)] == expected


def test_in_a_race_each_seat_is_shown_its_own_ply_and_a_watcher_that_of_all() -> None:
    play = flagged(begun("minesweeper", 2, **RACE), 0, 1, 0)
    assert [play.shown_to(seat)["ply"] for seat in (0, 1, None)] == [2, 1, 3]
    assert play.plies == (2, 1)


def test_a_move_is_kept_as_it_is_written_however_it_was_typed() -> None:
    play = begun("minesweeper").turn(0, "  DIG   c4\n")
    assert play.last == {"seat": 0, "move": "dig c4"}


def test_everybody_is_told_a_move_where_nothing_is_hidden() -> None:
    play = begun("tic-tac-toe").turn(0, "b2")
    assert play.is_same_for_all
    for seat in (0, 1, None):
        assert play.shown_to(seat) == {
            "ply": 1,
            "seats": [1],
            "view": {"cells": "....0...."},
            "last": {"seat": 0, "move": "b2"},
        }


def test_in_a_race_a_rivals_move_is_told_without_where_it_was() -> None:
    play = flagged(begun("minesweeper", 2, **RACE), 0)
    assert play.last is not None
    assert play.shown_to(0)["last"] == {"seat": 0, "move": play.last["move"]}
    for seat in (1, None):
        assert play.shown_to(seat)["last"] == {"seat": 0}
    assert not play.is_same_for_all


def test_when_a_race_is_over_its_last_move_is_told_to_all() -> None:
    play = begun("minesweeper", 2, **RACE)
    while play.position.outcome is None:
        digs = [move for move in play.position.legal_moves(0) if move[:3] == "dig"]
        play = next(after for dig in digs if not is_out(after := play.turn(0, dig)))
    shown = play.shown_to(1)
    assert shown["last"] == play.shown_to(0)["last"]
    assert "move" in shown["last"]
    assert (shown["seats"], shown["outcome"]["winners"]) == ([], [0])


def test_a_withdrawal_is_told_with_its_reason_and_counts_no_ply() -> None:
    play = begun("connect-four").turn(0, "4").withdraw(0, "time")
    assert (play.ply, play.last) == (1, {"seat": 0, "withdrew": "time"})
    shown = play.shown_to(1)
    assert shown["last"] == {"seat": 0, "withdrew": "time"}
    assert shown["outcome"]["reason"] == "time"


def test_an_agreed_draw_was_nobodys_turn() -> None:
    play = begun("connect-four").turn(0, "4").adjudicate("draw", "agreed")
    assert "last" not in play.shown_to(0)
    assert play.shown_to(None)["outcome"]["reason"] == "agreed"


def test_what_the_rules_refuse_leaves_the_play_as_it_was() -> None:
    play = begun("tic-tac-toe")
    for seat, move in ((0, "z9"), (1, "a1"), (2, "a1")):
        with pytest.raises(IllegalMove):
            play.turn(seat, move)
    assert play == begun("tic-tac-toe")
    with pytest.raises(AttributeError):
        play.ply = 3  # type: ignore[misc]


def test_what_is_shown_travels_as_json() -> None:
    play = flagged(begun("minesweeper", 3, **RACE), 2).withdraw(1, "gone")
    for seat in (0, 1, 2, None):
        assert json.loads(json.dumps(play.shown_to(seat))) == play.shown_to(seat)


def test_a_game_that_cannot_be_is_not_begun() -> None:
    with pytest.raises(BadOptions):
        begun("connect-four", columns=99)
    with pytest.raises(BadOptions):
        begun("connect-four", 3)


def test_a_takeback_undoes_the_last_move_of_whoever_asked_and_all_after_it() -> None:
    play = begun("connect-four").turn(0, "4").turn(1, "4").turn(0, "3").turn(1, "1")
    assert [play.moves_to_take_back(seat) for seat in (0, 1)] == [2, 1]
    after = play.take_back(0)
    assert after.position == begun("connect-four").turn(0, "4").turn(1, "4").position
    assert after.to_move == [0]
    assert after.last == {"seat": 0, "tookBack": 2}


def test_a_ply_never_goes_back_so_that_an_old_turn_is_told_from_a_new_one() -> None:
    play = begun("connect-four").turn(0, "4").take_back(0)
    assert (play.ply, play.expected_ply(0)) == (2, 2)
    assert play.turn(0, "4").position == begun("connect-four").turn(0, "4").position
    assert play.turn(0, "4").ply == 3


def test_moves_can_be_taken_back_one_after_another_until_there_are_none() -> None:
    play = begun("connect-four").turn(0, "4").turn(1, "4").take_back(1).take_back(0)
    assert play.position == begun("connect-four").position
    for seat in (0, 1):
        with pytest.raises(IllegalMove) as refused:
            play.take_back(seat)
        assert refused.value.reason == "nothingToTakeBack"


def test_of_a_seat_that_moved_twice_in_a_row_only_the_last_move_is_taken_back() -> None:
    play = begun("dots-and-boxes", rows=1, columns=2)
    for seat, move in ((0, "a1h"), (1, "a2h"), (0, "a1v"), (1, "b1v"), (1, "c1v")):
        play = play.turn(seat, move)
    after = play.take_back(1)
    assert (after.to_move, after.position.view(None)["owners"]) == ([1], ["1."])
    assert play.take_back(0).moves_to_take_back(1) == 1


def test_a_takeback_plays_few_moves_again_however_long_the_game_was(monkeypatch: pytest.MonkeyPatch) -> None:
    plays = [begun("dots-and-boxes", rows=6, columns=6)]
    for _ in range(60):
        [seat] = plays[-1].to_move
        plays.append(plays[-1].turn(seat, plays[-1].position.legal_moves(seat)[0]))
    replayed, play = [], type(plays[0].position).play

    def counted(position: Position, seat: int, move: str) -> Position:
        replayed.append(move)
        return play(position, seat, move)

    monkeypatch.setattr(type(plays[0].position), "play", counted)
    after = plays.pop()
    for before in reversed(plays):
        after = after.take_back(before.to_move[0])
        assert after.position == before.position
        assert len(replayed) <= 16
        replayed.clear()


@pytest.mark.parametrize("mode", ["solo", "race", "coop"])
def test_nothing_is_taken_back_where_something_is_hidden(mode: str) -> None:
    play = begun("minesweeper", None, mode=mode, width=6, height=5, mines=5)
    seat = play.to_move[0]
    assert flagged(play, seat).moves_to_take_back(seat) == 0


def test_nothing_is_taken_back_when_the_game_is_over() -> None:
    over = begun("connect-four").turn(0, "4").adjudicate("aborted", "left")
    assert over.moves_to_take_back(0) == 0
    assert over.shown_to(None)["outcome"] == {
        "kind": "aborted", "winners": [], "reason": "left", "scores": None, "ranking": None
    }  # fmt: skip
