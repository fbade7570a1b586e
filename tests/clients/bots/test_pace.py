"""How slow a host wants its bots to be, read and applied by level."""

from __future__ import annotations

import pytest

from tablero.bots.pace import SPREAD, Pace, read_pace
from tablero.brains import LEVEL_WORDS, bundled, find_brain
from tablero.dice import dice


@pytest.mark.parametrize(
    ("words", "factors"),
    [
        ("", {}),
        ("2", {"": 2.0}),
        ("0 expert=0.5 quoridor:easy=3", {"": 0.0, "expert": 0.5, "quoridor:easy": 3.0}),
    ],
)
def test_a_pace_is_a_factor_for_all_or_for_a_level(words: str, factors: dict[str, float]) -> None:
    assert read_pace(words.split()) == factors


@pytest.mark.parametrize("word", ["slow", "-1", "1,5", "expert=", "=2", "nan", "1e9", "a=b=1"])
def test_what_is_no_pace_is_explained(word: str) -> None:
    with pytest.raises(ValueError, match="is no pace; write 1 for the usual one, 0 for none"):
        read_pace([word])


@pytest.mark.parametrize(
    ("spec", "factor"),
    [("quoridor:easy", 3.0), ("connect-four:easy", 2.0), ("connect-four:hard", 0.5)],
)
def test_the_closest_name_counts(spec: str, factor: float) -> None:
    bot = find_brain(spec)()
    pace = Pace(dice(1), {"": 0.5, "easy": 2.0, "quoridor:easy": 3.0})
    seconds = [pace.seconds(bot) for _ in range(100)]
    usual = bot.pace_seconds * factor
    assert usual * (1 - SPREAD) <= min(seconds) < usual < max(seconds) <= usual * (1 + SPREAD)


def test_a_pace_of_nothing_is_no_wait_at_all() -> None:
    assert Pace(dice(1), {"": 0.0}).seconds(find_brain("quoridor:easy")()) == 0


def test_the_stronger_a_level_the_quicker_it_moves() -> None:
    for game, levels in bundled().items():
        paces = [find_brain(f"{game}:{word}").pace_seconds for word in LEVEL_WORDS]
        assert paces == sorted(paces, reverse=True), game
        if game != "minesweeper":
            assert all(0.4 <= find_brain(f"{game}:{level}").pace_seconds <= 1 for level in levels), game
