"""A person at a terminal is asked once before a game is given up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.rig import turn
from tests.harness.terminal import Desk


@pytest.mark.parametrize("yes", ["yes", "y"])
@pytest.mark.parametrize(("line", "sent"), [("resign", "resign"), ("leave", "leave"), ("quit", "leave")])
def test_a_running_game_is_given_up_by_a_yes_alone(line: str, sent: str, yes: str) -> None:
    desk = Desk(seated=True, asks=True)
    desk.type(line)
    assert desk.sent() == []
    assert "yes" in desk.noted[-1]
    desk.type(yes)
    assert desk.sent_types() == [sent]


@pytest.mark.parametrize("line", ["resign", "leave", "quit"])
def test_a_yes_that_comes_later_means_something_else(line: str) -> None:
    desk = Desk(seated=True, asks=True)
    desk.type(line, "say wait", "yes")
    assert desk.sent_types() == ["say"]


@pytest.mark.parametrize(("line", "sent"), [("resign", "resign"), ("leave", "leave"), ("quit", "leave")])
def test_a_script_is_not_asked(line: str, sent: str) -> None:
    desk = Desk(seated=True)
    desk.type(line)
    assert desk.sent_types() == [sent]


def test_after_the_end_nothing_is_asked_and_the_choices_are_told() -> None:
    desk = Desk(seated=True, asks=True)
    desk.tell(turn(4, "00011....", last={"seat": 0, "move": "c1"}))
    assert desk.noted[-1] == "Type rematch or leave. To keep the game: tablero record r1"
    desk.type("leave")
    assert desk.sent_types() == ["leave"]


def test_nobody_is_told_of_a_rematch_at_a_table_that_the_host_has_closed() -> None:
    desk = Desk(seated=True, asks=True)
    outcome: Any = {"kind": "aborted", "winners": [], "reason": "closed", "scores": None, "ranking": None}
    desk.tell(turn(4, "00.11....", seats=[], last={"aborted": "closed"}, outcome=outcome))
    assert not [line for line in desk.noted if "rematch" in line]


@pytest.mark.parametrize("typed", ["5", "2b", " B2 "])
def test_a_move_is_read_as_it_is_meant(typed: str) -> None:
    desk = Desk(seated=True)
    desk.type(typed)
    assert desk.one("playTurn")["move"] == "b2"
