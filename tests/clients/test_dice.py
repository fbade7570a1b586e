"""dice: a Random for bots, repeatable from a seed and else not."""

from __future__ import annotations

from tablero.dice import dice


def test_equal_seeds_roll_equal_numbers() -> None:
    assert dice(7).random() == dice(7).random()
    assert dice("7/0").random() != dice("7/1").random()


def test_without_a_seed_no_two_are_alike() -> None:
    assert dice().random() != dice().random()
