"""Commands: which refusal of several copies is the last word."""

from __future__ import annotations

from random import Random

import pytest

from tablero.client.commands import (
    ANSWERED_WITHIN,
    MOST_WAITS,
    RETRY,
    PendingCommand,
    PendingCommands,
    Wire,
)
from tablero_protocol.messages import Ok, Refused


def sent_three_times(type: str) -> tuple[PendingCommands, PendingCommand]:
    commands = PendingCommands(Random(1))
    command = commands.give(type, {"room": "r1"}, 0.0)
    for copy in range(3):
        assert ticked(commands, (copy - 1) * RETRY, copy * RETRY) == [command.wire]
    return commands, command


def ticked(commands: PendingCommands, since: float, until: float) -> list[Wire]:
    """What goes out until then, if the clock is looked at all the time."""
    ticks = range(1, round((until - since) * 4) + 1)
    return [wire for tick in ticks for wire in commands.due(since + tick / 4)]


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


def test_what_the_session_itself_asks_waits_for_as_long_as_the_server_says() -> None:
    """Nobody would hear of the refusal, and the room would be neither come back to nor closed."""
    commands = PendingCommands(Random(1))
    command, now = commands.give("join", {"room": "r1", "watch": True}, 0.0, own=True), 0.0
    for _ in range(3 * MOST_WAITS):
        assert list(commands.due(now)) == [command.wire]
        assert commands.settle(command.id, refused(command, "retryLater"), now) is None
        now += 1.0
    assert command.wire["id"] == command.id
    joined = Ok(re=command.id)
    assert commands.settle(command.id, joined, now) is command


def test_what_was_asked_about_the_events_of_a_room_is_not_asked_again() -> None:
    commands = PendingCommands(Random(1))
    commands.give("unsubscribe", {"room": "r1", "event": "chat"}, 0.0, own=True)
    others = [
        commands.give("subscribe", {"room": "r2", "event": "chat"}, 0.0, own=True),
        commands.give("resume", {"room": "r1", "epoch": "e1", "seq": 1}, 0.0, own=True),
    ]
    assert commands.forget_events("r1") == {"chat"}
    assert list(commands.due(0.0)) == [command.wire for command in others]


def test_copies_that_were_lost_are_not_waited_for_for_ever() -> None:
    commands, command = sent_three_times("createRoom")
    command.waits = MOST_WAITS
    assert commands.settle(command.id, refused(command, "retryLater"), 5.0) is None
    last = 2 * RETRY + ANSWERED_WITHIN
    assert ticked(commands, 5.0, last - 0.25) == []
    assert ticked(commands, last - 0.25, last) == [command.wire]
    assert commands.settle(command.id, refused(command, "retryLater"), last + 0.1) is command


def test_whoever_was_stopped_still_waits_for_the_answers_to_the_other_copies() -> None:
    """All of them wait to be read; the second may say that it was done."""
    commands, command = sent_three_times("leave")
    command.waits = MOST_WAITS
    assert commands.settle(command.id, refused(command, "retryLater"), 60.0) is None
    left = Ok(re=command.id)
    assert commands.settle(command.id, left, 60.0) is command


@pytest.mark.parametrize("code", ["rateLimited", "retryLater"])
def test_to_be_told_to_wait_says_nothing_of_a_copy_whose_answer_was_lost_with_the_line(code: str) -> None:
    commands = PendingCommands(Random(1))
    command, now = commands.give("resign", {"room": "r1"}, 0.0), 0.0
    assert list(commands.due(now)) == [command.wire]
    commands.reconnected(now)
    for _ in range(3 * MOST_WAITS):
        assert list(commands.due(now)) == [command.wire]
        assert commands.settle(command.id, refused(command, code), now) is None
        now += 1.0
    assert list(commands.due(now)) == [command.wire]
    assert commands.settle(command.id, Ok(re=command.id), now) is command


def test_a_copy_that_was_answered_on_an_earlier_line_leaves_no_doubt() -> None:
    commands = PendingCommands(Random(1))
    command = commands.give("resign", {"room": "r1"}, 0.0)
    assert list(commands.due(0.0)) == [command.wire]
    command.waits = MOST_WAITS - 1
    assert commands.settle(command.id, refused(command, "retryLater"), 0.0) is None
    commands.reconnected(1.0)
    assert list(commands.due(1.0)) == [command.wire]
    assert commands.settle(command.id, refused(command, "retryLater"), 1.0) is command
