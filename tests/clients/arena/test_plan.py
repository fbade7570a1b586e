"""What is to be played follows from the contest alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tablero.arena.plan import Contest, WrongContest, find_brains
from tablero_games import GAMES

TWO = ("connect-four:random", "connect-four:child")


def contest(*specs: str, game: str = "connect-four", games: int = 10, **more: Any) -> Contest:
    return Contest(game, specs or TWO, games, **more)


def test_each_opening_is_played_twice_with_seats_swapped() -> None:
    tasks = list(contest(opening_plies=(2, 4)).tasks())
    assert [task.number for task in tasks] == list(range(10))
    for one, other in zip(tasks[::2], tasks[1::2], strict=True):
        assert one.opening == other.opening
        assert one.seats == other.seats[::-1] == (0, 1)
        assert (one.side, other.side) == (0, 1)


def test_no_opening_and_no_seed_comes_twice_while_there_are_others() -> None:
    tasks = list(contest(games=80, opening_plies=(2, 2)).tasks())
    assert len({task.opening for task in tasks}) == 40
    assert len({task.seed for task in tasks}) == 80
    assert {len(task.opening) for task in contest(games=80, opening_plies=(2, 4)).tasks()} == {2, 3, 4}


def test_there_may_be_more_pairs_than_openings() -> None:
    assert len(list(contest(games=120, opening_plies=(2, 2)).tasks())) == 120


def test_an_opening_never_ends_the_game() -> None:
    options = {"columns": 4, "rows": 4, "connect": 3}
    for opening in contest(games=20, opening_plies=(5, 5), options=options).openings():
        position = GAMES["connect-four"].start(**options)
        for move in opening:
            [seat] = position.to_move
            position = position.play(seat, move)
        assert position.to_move


def test_the_seed_decides_everything() -> None:
    plans = [list(contest(seed=seed, opening_plies=(3, 3)).tasks()) for seed in (1, 1, 2)]
    assert plans[0] == plans[1]
    assert all(one.seed != other.seed for one, other in zip(plans[0], plans[2], strict=True))


def test_an_odd_number_of_games_leaves_one_without_its_other() -> None:
    assert [task.seats for task in contest(games=3).tasks()] == [(0, 1), (1, 0), (0, 1)]


def test_in_a_round_robin_all_meet_all_on_the_same_openings() -> None:
    tasks = list(contest(*TWO, "connect-four:full-text", games=4, opening_plies=(2, 2)).tasks())
    assert Counter(task.pair for task in tasks) == {(0, 1): 4, (0, 2): 4, (1, 2): 4}
    for pair in ((0, 1), (0, 2), (1, 2)):
        assert [task.opening for task in tasks if task.pair == pair] == [
            task.opening for task in tasks if task.pair == (0, 1)
        ]


def test_who_plays_alone_gets_the_fields_of_the_other() -> None:
    tasks = list(contest("minesweeper:random", "minesweeper:random", game="minesweeper", games=3).tasks())
    assert [(task.seats, task.side) for task in tasks] == [((0,), 0), ((1,), 1)] * 3
    assert [task.seed for task in tasks[::2]] == [task.seed for task in tasks[1::2]]
    assert len({task.seed for task in tasks}) == 3


def test_a_race_is_run_on_one_field_from_both_seats() -> None:
    specs = ("minesweeper:random", "minesweeper:random")
    one, other = contest(*specs, game="minesweeper", games=2, options={"mode": "race"}).tasks()
    assert (one.seats, other.seats) == ((0, 1), (1, 0))
    assert one.seed == other.seed


def test_equal_names_are_told_apart() -> None:
    same = "connect-four:random"
    assert contest(same, same, same).names == (same, f"{same}#2", f"{same}#3")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"specs": TWO[:1]}, "two bots"),
        ({"games": 0}, "needs games"),
        ({"options": {"columns": 99}}, "columns"),
        ({"game": "minesweeper", "options": {"mode": "coop"}}, "mode=race"),
        ({"game": "minesweeper", "opening_plies": (1, 1)}, "opened by its field"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    fields: dict[str, Any] = {"game": "connect-four", "specs": TWO, "games": 2}
    with pytest.raises(WrongContest, match=sentence):
        Contest(**fields | wrong)


@pytest.mark.parametrize(
    ("specs", "sentence"),
    [
        (("connect-four:chidl", "connect-four:random"), "did you mean connect-four:child"),
        (("connect-four:random", "quoridor:random"), "different games"),
    ],
)
def test_brains_that_are_not_there_or_do_not_meet_are_refused(specs: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(WrongContest, match=sentence):
        find_brains(specs)
