"""Times as a host types them and as people are told."""

from __future__ import annotations

import pytest

from tablero_server.core.people.durations import in_words, read_duration
from tablero_server.core.refusal import Refusal

HOUR = 3_600_000


@pytest.mark.parametrize(
    ("text", "hours"), [("30m", 0.5), ("30 min", 0.5), ("2h", 2), (" 2H ", 2), ("7d", 168), ("1w", 168)]
)
def test_a_number_and_a_unit_is_a_time(text: str, hours: float) -> None:
    assert read_duration(text) == hours * HOUR


@pytest.mark.parametrize("text", ["", "2", "h", "0h", "-1h", "1.5h", "2h30m", "10000d", "2 hours", "٣h"])
def test_anything_else_is_refused_with_what_to_say(text: str) -> None:
    with pytest.raises(Refusal, match="such as 30m, 2h or 7d"):
        read_duration(text)


@pytest.mark.parametrize(
    ("milliseconds", "told"),
    [
        (1, "1 min"),
        (60_000, "1 min"),
        (60_001, "2 min"),
        (HOUR, "1 h"),
        (HOUR + 1, "61 min"),
        (2 * HOUR - 1, "120 min"),
        (2 * HOUR, "2 h"),
        (2 * HOUR + 1, "3 h"),
        (48 * HOUR - 1, "48 h"),
        (48 * HOUR, "2 d"),
        (48 * HOUR + 1, "3 d"),
    ],
)
def test_what_is_left_is_rounded_up_and_never_nothing(milliseconds: int, told: str) -> None:
    assert in_words(milliseconds) == told
