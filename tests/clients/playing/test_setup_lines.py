"""What becomes of a table before its game."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.playing.setup_lines import clock_of, options_of, setup_line
from tablero_protocol.messages import Clock, Player
from tests.harness.rig import ANA, BEN, message

US = Player.model_validate(ANA)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"type": "preparing"},
            "Every seat is taken. The game is being prepared, and starts by itself.",
        ),
        (
            {"type": "unprepared", "code": "noFieldFound", "message": "No such {field}."},
            "No such {field}. Who opened the table can change it: options NAME=VALUE",
        ),
        (
            {"type": "optionsSet", "options": {"columns": 8}, "clock": {"base": 300}, "watchers": False},
            "The table is now: columns=8, clock 300, nobody may watch.",
        ),
        ({"type": "optionsSet", "options": {}}, "The table is now: no clock."),
        (
            {"type": "freed", "player": ANA, "seat": 1},
            "You have no seat any more and watch: seat 1 is free.",
        ),
        (
            {"type": "freed", "player": BEN, "seat": 1},
            "Ben has no seat any more and watches: seat 1 is free.",
        ),
        ({"type": "swapped", "seats": [0, 1]}, "Seats 0 and 1 have been swapped."),
        ({"type": "began", "seats": [0, 1, 3]}, "The owner of the table begins with the 3 who sit here."),
    ],
)
def test_a_table_is_told_before_its_game(fields: dict[str, Any], sentence: str) -> None:
    event: Any = message(room="r1", seq=4, **fields)
    assert setup_line(event, US, []) == sentence


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ([1], "Seats 0 and 1 have been swapped. You are on seat 1."),
        ([2], "Seats 0 and 1 have been swapped."),
        ([0, 1], "Seats 0 and 1 have been swapped."),
    ],
)
def test_who_was_moved_is_told_where_to(own: list[int], sentence: str) -> None:
    event: Any = message(type="swapped", room="r1", seq=4, seats=[0, 1])
    assert setup_line(event, US, own) == sentence


@pytest.mark.parametrize(
    ("clock", "typed"),
    [
        ({"base": 300}, "300"),
        ({"base": 300, "increment": 5}, "300+5"),
        ({"perMove": 30}, "30/move"),
        ({"days": 3}, "3days"),
    ],
)
def test_a_clock_is_told_as_it_is_typed(clock: dict[str, int], typed: str) -> None:
    assert clock_of(Clock.model_validate(clock)) == typed


def test_options_are_told_as_they_are_typed_and_cleaned() -> None:
    assert options_of({"columns": 8, "x": "a\x1b[2J"}) == "columns=8 x=a [2J"
