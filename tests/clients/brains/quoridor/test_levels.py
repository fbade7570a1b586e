"""The Quoridor levels: what they look ahead, when they stop, and that they play whole games."""

from __future__ import annotations

import pickle
from itertools import islice
from typing import Any

import pytest

from tablero.bot import Turn
from tablero.brains import bundled, find_brain
from tablero.brains.quoridor.levels import NODES_PER_SECOND, AlphaBeta
from tablero.brains.random import random_mover
from tablero.dice import dice
from tablero_games.quoridor.rules import QuoridorPosition
from tablero_protocol.messages import NextPlayer
from tests.harness.games.quoridor import QUORIDOR, played, random_positions, start
from tests.harness.tiers import FULL


def level_of(name: str) -> type[AlphaBeta]:
    found = find_brain(f"quoridor:{name}")
    assert issubclass(found, AlphaBeta)
    return found


LEVELS = Easy, Normal, Hard, Expert = [level_of(name) for name in ("easy", "normal", "hard", "expert")]
CROWDED = "e2 e8 e3 e7 e4 e6 d5h d4v c5v f5v"


def turn_of(position: QuoridorPosition, seconds: float = 10.0) -> Turn:
    seat = position.next_seat
    event = NextPlayer(
        room="test", seq=position.ply, ply=position.ply, seats=[seat], seat=seat, view=position.view(seat)
    )
    return Turn(event, "quoridor", {}, seconds)


def bot_of(level: type[AlphaBeta], seed: int | str = 1, *, repeatable: bool = True) -> AlphaBeta:
    bot = level()
    bot.random = dice(seed)
    bot.repeatable = repeatable
    return bot


def game_of(
    first: type[AlphaBeta], second: type[AlphaBeta], seed: int, plies: int, **options: Any
) -> list[str]:
    """The moves of one game, up to so many plies; the rules refuse an illegal one."""
    position = start(**options)
    moves: list[str] = []
    bots = [bot_of(level, f"{seed}/{seat}") for seat, level in enumerate((first, second))]
    while position.outcome is None and len(moves) < plies:
        move = bots[position.next_seat].choose(turn_of(position))
        position = position.play(position.next_seat, move)
        moves.append(move)
    return moves


class Clock:
    """Time that goes on by a little at each look."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self.looks = 0
        self.step = step

    def __call__(self) -> float:
        self.looks += 1
        self.now += self.step
        return self.now


# Levels


def test_the_levels_look_two_to_five_plies_ahead_and_have_more_time_each() -> None:
    assert [(level.level, level.depth, level.limit_seconds) for level in LEVELS] == [
        ("easy", 2, 1.0),
        ("normal", 3, 2.0),
        ("hard", 4, 4.0),
        ("expert", 5, 8.0),
    ]


def test_all_levels_are_bundled_the_weakest_first() -> None:
    assert list(bundled()["quoridor"]) == ["random", *(level.level for level in LEVELS)]
    for level in LEVELS:
        assert find_brain(f"quoridor:{level.level}") is level


@pytest.mark.parametrize("level", LEVELS[:3])
def test_the_whole_depth_is_searched_in_usual_positions(level: type[AlphaBeta]) -> None:
    for position in (start(), played(start(), CROWDED)):
        bot = bot_of(level)
        bot.choose(turn_of(position))
        assert bot.statistics is not None
        assert bot.statistics.depth == level.depth
        assert bot.statistics.cache_hits < bot.statistics.nodes_explored
        assert bot.statistics.cache_hits > 0 or level is Easy  # two plies lead nowhere by two ways


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("options", "plies"),
    [
        ({"size": 3, "walls": 0}, 50),
        ({"size": 3, "walls": 2}, 50),
        ({"size": 5, "walls": 3}, 2),
        ({"size": 6, "walls": 6}, 2),
        ({"size": 15, "walls": 20}, 1),
    ],
    ids=str,
)
def test_every_level_plays_on_boards_of_every_size(
    level: type[AlphaBeta], options: dict[str, Any], plies: int
) -> None:
    if level is Expert and plies < 50 and not FULL:
        pytest.skip("takes seconds; FULL=1 runs it")
    assert game_of(level, Easy, 1, plies, **options)


@pytest.mark.parametrize("size", [4, 9])
def test_moves_are_legal_wherever_a_game_may_lead(size: int) -> None:
    for position in islice(random_positions(size, 2, size=size), 0, None, 5):
        assert bot_of(Easy).choose(turn_of(position)) in position.legal_moves(position.next_seat)


def test_easy_beats_random() -> None:
    for number in range(6):
        position, own = start(), number % 2
        bot, other = bot_of(Easy, number), random_mover("quoridor")()
        other.random = dice(number)
        while position.outcome is None:
            mover = bot if position.next_seat == own else other
            move = mover.choose(turn_of(position))
            assert move is not None
            position = position.play(position.next_seat, move)
        assert position.outcome.winners == {own}


def test_whoever_is_ahead_does_not_walk_to_and_fro() -> None:
    ahead = QUORIDOR.from_view(start(size=5, walls=0).view(0) | {"pawns": ["c3", "a5"]})
    assert bot_of(Easy).choose(turn_of(ahead)) == "c4"
    again = played(ahead, "c4 b5 c3 a5")
    assert bot_of(Easy).choose(turn_of(again)) in ("b3", "d3")


# Repeatable games


def test_equal_seeds_give_equal_games_and_others_other_games() -> None:
    def game(seed: int) -> list[str]:
        return game_of(Normal, Easy, seed, 200, size=4, walls=2)

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(4)}) > 1


def test_a_repeatable_search_does_not_look_at_the_clock_and_stops_by_its_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot, clock = bot_of(Hard), Clock(1000.0)
    bot.clock = clock
    stop = bot.when_to_stop(0.0)
    most = NODES_PER_SECOND * 4
    assert (stop(most - 1), stop(most)) == (False, True)
    assert clock.looks == 0


# Time


def test_thinking_stops_a_little_before_the_limit() -> None:
    bot, clock = bot_of(Hard, repeatable=False), Clock(0.0)
    bot.clock = clock
    stop = bot.when_to_stop(4.0)
    clock.now = 3.59
    assert not stop(1)
    clock.now = 3.61
    assert stop(1)


@pytest.mark.parametrize("seconds", [10.0, 1.0])
def test_the_level_s_limit_and_the_turn_s_hold_both(seconds: float) -> None:
    bot = bot_of(Hard, repeatable=False)
    clock = bot.clock = Clock(0.25)
    bot.choose(turn_of(start(), seconds))
    assert clock.now == pytest.approx(min(seconds, 4.0), abs=0.25)
    assert bot.statistics is not None
    assert bot.statistics.depth < 4


def test_without_any_time_it_still_looks_one_ply_ahead() -> None:
    bot = bot_of(Expert, repeatable=False)
    bot.clock = Clock(100.0)
    move = bot.choose(turn_of(start()))
    assert move in start().legal_moves(0)
    assert bot.statistics is not None
    assert bot.statistics.depth == 1


def test_a_bot_travels_with_its_dice_and_its_statistics() -> None:
    bot, there = bot_of(Easy), Easy()
    bot.choose(turn_of(start()))
    vars(there).update(pickle.loads(pickle.dumps(bot.__getstate__())))
    assert there.statistics == bot.statistics
    assert there.random.random() == bot.random.random()
