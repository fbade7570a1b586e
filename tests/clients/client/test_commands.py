"""Commands: which refusal of several copies is the last word."""

from __future__ import annotations

from random import Random

from tablero.client.commands import ANSWERED_WITHIN, MOST_WAITS, RETRY, PendingCommand, PendingCommands
from tablero_protocol.messages import Refused


def sent_three_times(type: str) -> tuple[PendingCommands, PendingCommand]:
    commands = PendingCommands(Random(1))
    command = commands.give(type, {"room": "r1"}, 0.0)
    for copy in range(3):
        assert list(commands.due(copy * RETRY)) == [command.wire]
    return commands, command


def refused(command: PendingCommand, code: str) -> Refused:
    return Refused(re=command.id, code=code, reason=code, fields={}, message="No.")


def test_a_turn_is_refused_when_every_copy_of_it_was() -> None:
    commands, command = sent_three_times("playTurn")
    answers = [commands.settle(command.id, refused(command, "notYourTurn"), 6.0) for _ in range(3)]
    assert answers == [None, None, command]


def test_a_room_is_not_refused_while_another_copy_may_yet_make_it() -> None:
    commands, command = sent_three_times("createRoom")
    command.waits = MOST_WAITS
    answers = [commands.settle(command.id, refused(command, "retryLater"), 6.0) for _ in range(3)]
    assert answers == [None, None, command]


def test_copies_that_were_lost_are_not_waited_for_for_ever() -> None:
    commands, command = sent_three_times("createRoom")
    command.waits = MOST_WAITS
    assert commands.settle(command.id, refused(command, "retryLater"), 6.0) is None
    last = 2 * RETRY + ANSWERED_WITHIN
    assert list(commands.due(last - 0.1)) == []
    assert list(commands.due(last)) == [command.wire]
    assert commands.settle(command.id, refused(command, "retryLater"), last + 0.1) is command
