"""What is typed about ratings and results, and what is printed."""

from __future__ import annotations

import pytest

from tests.harness.rig import BEN
from tests.harness.terminal import Desk


def test_what_is_asked_is_printed() -> None:
    desk = Desk()
    desk.type("tonight")
    desk.answer("tonight", since=0, games=[])
    desk.type("best")
    desk.answer("times", course="beginner", bots=False, times=[])
    desk.type("top quoridor")
    desk.answer("ratings", game="quoridor", speed="none", leaders=[])
    desk.type("player ben")
    desk.answer("playerPage", player=BEN, ratings=[], games=[])
    assert desk.printed == [
        "Nobody has played in the last twelve hours.",
        "Nobody has a time at beginner yet.",
        "No leaders at Quoridor, no clock: 10 rated games make one.",
        "Ben",
        "No rated games yet.",
    ]


@pytest.mark.parametrize(
    ("line", "noted"),
    [
        ("top", "Write: top GAME [SPEED]"),
        ("top quoridor fast", "There is no speed 'fast'"),
        ("top chess", "There is no game 'chess'"),
        ("best easy", "There is no course 'easy'"),
        ("best beginner expert", "Write: best [COURSE] [bots]"),
    ],
)
def test_what_makes_no_sense_is_explained(line: str, noted: str) -> None:
    desk = Desk()
    desk.type(line)
    assert desk.noted[0].startswith(noted)
    assert desk.sent() == []
