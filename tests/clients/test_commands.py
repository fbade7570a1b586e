"""Commands: which refusal of several copies is the last word."""

from __future__ import annotations

from random import Random

import pytest

from tablero.commands import RETRY, Command, Commands
from tablero_protocol.messages import Refused


def sent_three_times(type: str) -> tuple[Commands, Command]:
    commands = Commands(Random(1))
    command = commands.give(type, {"room": "r1"}, 0.0)
    for copy in range(3):
        assert list(commands.due(copy * RETRY)) == [command.wire]
    return commands, command


def refused(command: Command, code: str) -> Refused:
    return Refused(re=command.id, code=code, message="No.")


def test_a_turn_is_refused_when_every_copy_of_it_was() -> None:
    commands, command = sent_three_times("playTurn")
    answers = [commands.settle(command.id, refused(command, "notYourTurn"), 6.0) for _ in range(3)]
    assert answers == [None, None, command]


@pytest.mark.parametrize("code", ["noFieldFound", "tooManyRooms"])
def test_the_one_answer_to_all_copies_of_a_room_that_is_being_prepared_ends_it(code: str) -> None:
    commands, command = sent_three_times("createRoom")
    assert commands.settle(command.id, refused(command, code), 10.0) is command
    assert command.id not in commands
