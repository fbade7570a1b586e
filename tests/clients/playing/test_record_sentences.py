"""What a record says, in sentences that both terminals show."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.playing.record_sentences import ending_told, names_told, turn_told
from tablero_games.record.file import RecordedTurn

NAMES = ("Ana", "Ben")


def test_an_empty_seat_has_a_number_and_a_name_is_cleaned() -> None:
    assert names_told(["A\x1b[31mna", None]) == ["A [31mna", "seat 1"]


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ({"seat": 0, "move": "b2"}, "3. Ana plays b2."),
        ({"seat": 0}, "3. Ana plays."),
        ({"drawn": True}, "3. All agree to a draw."),
        ({"aborted": "left"}, "3. The game is aborted because a player left."),
        ({"continued": True}, "3. The game continues."),
    ],
)
def test_a_turn(turn: dict[str, Any], said: str) -> None:
    assert turn_told(3, RecordedTurn(at=0, **turn), NAMES) == said


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (None, "The game is not over."),
        ({"kind": "win", "winners": [1], "reason": "resign", "scores": None, "ranking": None}, "Ben wins"),
        (
            {"kind": "draw", "winners": [], "reason": "agreed", "scores": None, "ranking": None},
            "The game is a draw",
        ),
    ],
)
def test_an_ending(outcome: dict[str, Any] | None, said: str) -> None:
    assert ending_told(outcome, NAMES).startswith(said)
