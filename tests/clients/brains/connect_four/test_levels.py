"""The Connect Four levels: the child's favourite column, what each one plays, on boards of any size."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tablero import Bot
from tablero.arena.local import play_match
from tablero.brains import bundled, find_brain
from tablero.brains.connect_four.levels import CaseValue, Child, FullText, Lookahead
from tablero.dice import dice
from tests.harness.games.connect_four import SIZES, a_turn

LEVELS: list[type[Bot]] = [CaseValue, Child, FullText, Lookahead]
EMPTY = "....... " * 6


def child(seed: int = 1) -> Child:
    bot = Child()
    bot.random = dice(seed)
    return bot


def test_a_child_takes_any_column_for_its_favourite() -> None:
    assert {child(seed).choose(a_turn(EMPTY)) for seed in range(100)} == set("1234567")


def test_a_child_keeps_its_favourite_while_it_lasts() -> None:
    bot = child()
    favourite = bot.choose(a_turn(EMPTY))
    assert [bot.choose(a_turn(EMPTY)) for _ in range(20)] == [favourite] * 20


def test_a_child_finds_a_new_favourite_when_the_column_is_full() -> None:
    bot = child()
    bot.favourite = "1"
    column_1_is_full = "X... O... X... O..."
    chosen = bot.choose(a_turn(column_1_is_full))
    assert chosen in {"2", "3", "4"}
    assert [bot.choose(a_turn(column_1_is_full)) for _ in range(20)] == [chosen] * 20


@pytest.mark.parametrize(
    ("drawing", "move"),
    [
        pytest.param(".... O... O... XXX.", "4", id="it wins"),
        pytest.param(".... X... XO.. XOO.", "1", id="it wins rather than to block"),
        pytest.param("..... ..... X...X OOO.X", "4", id="it blocks"),
    ],
)
def test_a_child_wins_or_blocks_and_then_goes_back_to_its_favourite(drawing: str, move: str) -> None:
    bot = child()
    bot.favourite = "2"
    assert bot.choose(a_turn(drawing)) == move
    assert bot.favourite == "2"
    assert bot.choose(a_turn("..... ..... ..... .....")) == "2"


def test_a_childs_favourite_travels_with_it() -> None:
    bot = child()
    favourite = bot.choose(a_turn(EMPTY))
    assert pickle.loads(pickle.dumps(bot)).choose(a_turn(EMPTY)) == favourite


@pytest.mark.parametrize(
    ("level", "opening", "answer"),
    [(CaseValue, "1", "1"), (FullText, "4", "4"), (Lookahead, "4", "3")],
    ids=lambda value: str(value),
)
def test_how_each_level_opens(level: type[Bot], opening: str, answer: str) -> None:
    assert level().choose(a_turn(EMPTY)) == opening
    drawing = f"{'....... ' * 5}...X..."
    assert level().choose(a_turn(drawing)) == answer


def test_only_case_value_does_not_block() -> None:
    drawing = "....... ....... X...... OOO..XX"
    blocks = {level.level: level().choose(a_turn(drawing)) == "4" for level in LEVELS}
    assert blocks == {"case-value": False, "child": True, "full-text": True, "lookahead": True}


def moves(first: type[Bot], second: type[Bot], seed: int, **options: Any) -> tuple[str, ...]:
    match = play_match("connect-four", [first, second], seed, **options)
    assert not match.failures
    return match.moves


@pytest.mark.parametrize("options", SIZES, ids=str)
@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.level)
def test_every_level_plays_legal_moves_on_boards_of_any_size(
    level: type[Bot], options: dict[str, Any]
) -> None:
    rivals: list[type[Bot]] = [Child, level]
    seat = SIZES.index(options) % 2
    assert moves(rivals[1 - seat], rivals[seat], seed=3, **options)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.level)
def test_equal_seeds_give_equal_games(level: type[Bot]) -> None:
    assert moves(level, Child, seed=5) == moves(level, Child, seed=5)


def test_other_seeds_give_other_games() -> None:
    assert len({moves(Child, Child, seed=seed) for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("winner", "loser", "least"),
    [
        (Child, "random", 20),
        (CaseValue, "random", 16),
        (Child, "case-value", 19),
        (FullText, "random", 20),
        (FullText, "case-value", 20),
    ],
    ids=lambda value: str(value),
)
def test_how_many_of_twenty_games_a_level_wins_at_least(winner: type[Bot], loser: str, least: int) -> None:
    other = find_brain(f"connect-four:{loser}")
    won = 0
    for seed in range(20):
        brains = (winner, other) if seed % 2 else (other, winner)
        match = play_match("connect-four", brains, seed)
        won += brains.index(winner) in match.outcome.winners
    assert won >= least


def test_the_levels_are_bundled_the_weakest_first_under_their_names_and_the_words_of_all_games() -> None:
    names = [level for level in bundled()["connect-four"] if level != "random"]
    assert names[::2] == [level.level for level in LEVELS]
    assert [find_brain(f"connect-four:{name}") for name in names[::2]] == LEVELS
    assert [find_brain(f"connect-four:{name}").__base__ for name in names[1::2]] == LEVELS
